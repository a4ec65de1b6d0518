"""Many records: annealings of parts, whose borders are drawn elsewhere in the next round."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from graphkit.arrays import Floats, Ints, Rng
from graphkit.microdata.microaggregation.groups import group_means, members_of
from graphkit.microdata.microaggregation.parts import split
from graphkit.microdata.microaggregation.search._chain import annealed, surroundings_of
from graphkit.microdata.microaggregation.search._cooling import HOTTEST
from graphkit.microdata.microaggregation.search._random import new_state
from graphkit.microdata.microaggregation.standing import Standing

_PART, _PARTS = 20_000, 4
"""Records of a part at most: what an annealing uses of it fits into the caches of a processor. Parts at least."""
# share of the work, how hot it begins, and where the first border is
_ROUNDS = ((0.6, HOTTEST, 0.5), (0.2, 4.0, 0.37), (0.2, 4.0, 0.71))
_CORES = 2


def search_parts(points: Floats, k: int, standing: Standing, rng: Rng, units: int) -> None:
    """Offer partitions of many records; a part consists of whole groups.

    Parameters
    ----------
    points, k, standing, rng, units
        As for :func:`~graphkit.microdata.microaggregation.search.searching.search`.

    Notes
    -----
    Memory beside the records is that of two parts.
    """
    for share, hottest, border in _ROUNDS:
        if standing.is_done:
            return
        labels = standing.labels
        parts = _parts(points, labels, k, border)
        run = _annealing(points, k, labels, units * share / points.shape[0], hottest, standing)
        states = [new_state(rng) for _ in parts]
        found = np.empty_like(labels)
        groups = 0
        with ThreadPoolExecutor(_CORES) as threads:
            for part, changed in zip(parts, threads.map(run, parts, states), strict=True):
                found[part] = groups + changed
                groups += int(changed.max()) + 1
        standing.budget.charge(int(units * share))
        standing.offer(found, "search")


def _annealing(
    points: Floats, k: int, labels: Ints, units_a_record: float, hottest: float, standing: Standing
) -> Callable[..., Ints]:
    def run(part: Ints, state: np.ndarray) -> Ints:
        inside = np.unique(labels[part], return_inverse=True)[1].reshape(-1)
        if standing.budget.is_spent():
            return inside
        around = surroundings_of(points[part], k)
        proposals = max(1, int(units_a_record * part.size / around.cost))
        changed = annealed(around, inside, proposals, state, standing.budget, hottest)
        return np.unique(changed, return_inverse=True)[1].reshape(-1)

    return run


def _parts(points: Floats, labels: Ints, k: int, border: float) -> list[Ints]:
    """Return the records of every part, rising; parts of groups whose means are near each other."""
    members = members_of(labels)
    groups = split(group_means(points, labels), max(2, min(_PART, labels.size // _PARTS) // k), border)
    return [np.sort(np.concatenate([members[group] for group in part])) for part in groups]
