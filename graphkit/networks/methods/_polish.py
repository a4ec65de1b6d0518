"""Small changes of a sequence that spare the hubs more partners than they cost."""

from collections.abc import Iterator, Sequence

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.budget import Budget
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.methods._candidate import Candidate, candidate_of

Groups = tuple[Ints, Ints]


def polish(
    positions: Positions, candidate: Candidate, budget: Budget, trials: int, known: Sequence[Bools] = ()
) -> tuple[Candidate, int]:
    """Return a candidate of no higher estimate, a local optimum unless the trials run out, and the trials left.

    Notes
    -----
    One change moves the border of a group by up to three positions, with those that must give way, or its level by
    up to three degrees; a raised level lets hubs of the group above exchange places with vertices that find partners
    more easily (:func:`~graphkit.networks.core.assignment.assign_levels`). Only groups down to the one below the
    violated set change.
    """
    improved = True
    while improved and trials > 0:
        improved = False
        for borders, levels in _changes(positions.degrees, positions.k, candidate):
            if trials <= 0 or budget.is_spent():
                return candidate, trials
            trials -= 1
            changed = candidate_of(positions, borders, levels, known)
            if changed.estimate < candidate.estimate:
                candidate, improved = changed, True
                break
    return candidate, trials


def _changes(degrees: Ints, k: int, candidate: Candidate) -> Iterator[Groups]:
    """Yield the groups after each single change that keeps k in every group and its level high enough."""
    if candidate.violated_set is None:
        return
    last = candidate.violated_set.last
    groups = min(int(np.searchsorted(candidate.borders, last, side="right")) + 1, candidate.levels.size)
    slack = candidate.levels - degrees[candidate.borders[:-1]]
    for group in range(groups):
        for step in (1, -1, 2, -2, 3, -3):
            borders = _shifted(candidate.borders, group + 1, step, k) if group + 1 < candidate.levels.size else None
            if borders is not None:
                # a level follows the first degree of its group, with what it was raised above it
                yield borders, degrees[borders[:-1]] + slack
            if slack[group] + step >= 0:
                levels = candidate.levels.copy()
                levels[group] += step
                yield candidate.borders, levels


def _shifted(borders: Ints, first: int, step: int, k: int) -> Ints | None:
    """Return the borders with one moved, and as many after or before it as must give way; None where none can."""
    borders = borders.copy()
    along = 1 if step > 0 else -1
    place = first
    while 0 < place < borders.size - 1:
        borders[place] += step
        if along * int(borders[place + along] - borders[place]) >= k:
            return borders if np.diff(borders).min() >= k else None
        place += along
    return None
