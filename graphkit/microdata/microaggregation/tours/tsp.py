"""TSP-MHM: a short tour, found by 2-opt from that of nearest point next."""

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.microaggregation.distances import apart
from graphkit.microdata.microaggregation.neighbours import neighbours
from graphkit.microdata.microaggregation.tours.npn import npn_tour
from graphkit.microdata.microaggregation.tours.tour2assignment import tour2assignment

_NEAR = 10
_PASSES = 50


def tsp_tour(points: Floats) -> Ints:
    """Return a tour that no exchange of two edges with near records makes shorter, shape (n,).

    References
    ----------
    Heaton, Mukherjee, Record ordering heuristics for disclosure control through microaggregation, International
    Conference on Advances in Communication and Information Technology, 2011.
    """
    tour = npn_tour(points)
    near, _ = neighbours(points, min(_NEAR, tour.size - 1))
    _two_opt(np.ascontiguousarray(points), near, tour, _PASSES)
    return tour


def tsp_mhm(points: Floats, k: int) -> Ints:
    """Return the best groups along a short tour, shape (n,)."""
    return tour2assignment(points, tsp_tour(points), k)


@kernel
def _distance(points: Floats, one: int, other: int) -> float:
    return float(np.sqrt(apart(points, one, points, other)))


@kernel
def _two_opt(points: Floats, near: Ints, tour: Ints, passes: int) -> None:
    n = tour.size
    place = np.empty(n, dtype=np.int64)
    for at in range(n):
        place[tour[at]] = at
    for _ in range(passes):
        is_changed = False
        for record in range(n):
            for neighbour in near[record]:
                if _reconnected(points, tour, place, record, neighbour):
                    is_changed = True
                    break
        if not is_changed:
            return


@kernel
def _reconnected(points: Floats, tour: Ints, place: Ints, one: int, other: int) -> bool:
    """Join two records, and those after them or before them, if the tour gets shorter; return whether it does."""
    n = tour.size
    joined = _distance(points, one, other)
    for way in (1, -1):
        beside, beyond = tour[(place[one] + way) % n], tour[(place[other] + way) % n]
        if beside == other or beyond == one:
            continue
        gain = (
            _distance(points, one, beside)
            + _distance(points, other, beyond)
            - joined
            - _distance(points, beside, beyond)
        )
        if gain <= 1e-10 * joined + 1e-12:
            continue
        # what lies between the two edges is turned around
        begin, end = (beside, other) if way == 1 else (one, beyond)
        low, high = place[begin], place[end]
        count = (high - low) % n + 1
        for _ in range(count // 2):
            first, last = tour[low], tour[high]
            tour[low], tour[high] = last, first
            place[last], place[first] = low, high
            low, high = (low + 1) % n, (high - 1) % n
        return True
    return False
