"""Candidates whose highest groups hold other vertices than the first ones: those who have few partners there yet."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.networks.core.assignment import assign_levels
from graphkit.networks.core.exchanging import exchanged
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.methods._candidate import Candidate, candidate_with
from graphkit.networks.sequences.violated_set_dp import cheapest_groups, group_demands

_GROUPS = 4
_PATIENCE = 8
_EXCHANGES = 2_000


def with_other_tops(positions: Positions, candidate: Candidate, known: Sequence[Bools] = ()) -> Iterator[Candidate]:
    """Yield candidates with the first groups of a candidate as to size and level, but others in them.

    Notes
    -----
    Let A be who ends in the first groups, D its degrees and na(A) its pairs that are not adjacent. Where all others
    find their partners in A, a choice of A saves ``na(A) + Σ_A D`` edges: with more pairs it finds more within, with
    higher degrees it asks for less. Who is left outside has at most the degree e of the group below; for each e from
    that of the candidate on, a set of much value is taken (:func:`~graphkit.networks.core.exchanging.exchanged`, from
    those who are best alone). Pairs with those of the first positions who ask for too little to need them count for
    nothing: who is in the violated set needs them; that everybody does is tried as well. A higher e costs the size of
    the group below for a degree, which is nothing as long as partners are missing that are to be raised below in any
    case. The others are grouped as cheaply as can be. For large k, where the first groups ask for most, this decides:
    exchanges one by one, each against a set that was violated before it, do not get there.

    Each number of groups, down to the violated set, ends where higher degrees below do not help.
    """
    if candidate.violated_set is None:
        return
    core, degrees = positions.core, positions.degrees
    members, everybody = candidate.violated_set.members, np.ones(core.size, dtype=np.bool_)
    last = candidate.violated_set.last
    most = min(int(np.searchsorted(candidate.borders, last, side="right")), _GROUPS, candidate.levels.size - 1)
    for number in range(1, most + 1):
        end = int(candidate.borders[number])
        if end >= core.size:
            return
        tops = np.repeat(candidate.levels[:number], np.diff(candidate.borders[: number + 1]))
        best, patience = candidate.estimate, _PATIENCE
        tried: set[bytes] = set()
        for degree, asking in product(_spread(np.unique(degrees[: end + 1])), (members, everybody)):
            chosen = _chosen(positions, end, int(degree), asking)
            if chosen.tobytes() in tried:
                continue
            tried.add(chosen.tobytes())
            found = _with_tops(positions, chosen, tops, known)
            yield found
            patience = _PATIENCE if found.estimate < best else patience - 1
            best = min(best, found.estimate)
            if patience == 0 or found.missing == 0:
                break


def _spread(degrees: Ints) -> Ints:
    """Return the first of some degrees, and fewer and fewer of the others."""
    places = np.unique((1.25 ** np.arange(64)).astype(np.int64)) - 1
    return degrees[places[places < degrees.size]]


def _chosen(positions: Positions, end: int, degree: int, asking: Bools) -> Ints:
    """Return so many positions, all of those above a degree among them, that ask for little and find much within."""
    core = positions.core
    forced = int(np.searchsorted(-core.degrees, -degree))
    weights = np.count_nonzero(core.joinable[forced:, :forced][:, asking[:forced]], axis=1) + core.degrees[forced:]
    adjacent = ~core.joinable[forced:, forced:]
    np.fill_diagonal(adjacent, False)
    inside = np.zeros(weights.size, dtype=np.bool_)
    inside[np.argsort(-weights, kind="stable")[: end - forced]] = True
    inside = exchanged(weights, adjacent, inside, _EXCHANGES)
    return np.concatenate((np.arange(forced), np.flatnonzero(inside) + forced))


def _with_tops(positions: Positions, chosen: Ints, tops: Ints, known: Sequence[Bools]) -> Candidate:
    """Return the candidate with these positions on the highest levels, the others grouped as cheaply as can be."""
    degrees = positions.degrees
    demands = np.empty_like(degrees)
    demands[chosen] = tops - degrees[chosen]
    rest = np.delete(np.arange(degrees.size), chosen)
    borders = cheapest_groups(degrees[rest], positions.k)
    demands[rest] = group_demands(degrees[rest], borders, degrees[rest][borders[:-1]])
    return candidate_with(degrees, *assign_levels(positions.core, demands, known))
