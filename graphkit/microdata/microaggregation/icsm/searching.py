"""ICSM: from MDAV, then from tours and perturbed partitions, to where no constraint of an optimum is broken."""

from collections.abc import Callable, Iterator

import numpy as np

from graphkit.arrays import Floats, Ints, Rng
from graphkit.microdata.microaggregation.groups import around_mean, canonical, within_groups
from graphkit.microdata.microaggregation.icsm.complex import complex_heuristic
from graphkit.microdata.microaggregation.icsm.simple import SimpleHeuristic
from graphkit.microdata.microaggregation.standing import Standing
from graphkit.microdata.microaggregation.tours.npn import npn_mhm
from graphkit.microdata.microaggregation.tours.stitched import stitched
from graphkit.microdata.microaggregation.tours.tour2assignment import tour2assignment
from graphkit.microdata.microaggregation.tours.tsp import tsp_mhm

REACH = 40
"""Groups that a cyclic exchange chooses from."""
PERTURBED = 20
"""Records of which a restart changes the groups, at most."""
_TOLERANCE = 1e-12
_DISTANCE = 0.002
_EDGE = 0.0005
"""Units of work of a distance, and of an edge, for every attribute."""
_ROUND = 200
"""Units of work of a round beside these."""

Charge = Callable[[float], bool]
"""Told work that was done; returns whether there is none left to do."""


def icsm(points: Floats, k: int, standing: Standing, rng: Rng, units: int) -> None:
    """Offer what local search makes of the first partition, then of others.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
        At least 2k records.
    k : int
    standing : Standing
        What is offered to; it holds the partition of MDAV.
    rng : Generator
    units : int
        Work of all restarts together.

    References
    ----------
    Mortazavi, Jalili, A novel local search method for microaggregation, ISeCure 7, 2015.
    """
    points = np.ascontiguousarray(points)
    left = float(units)

    def charge(work: float) -> bool:
        nonlocal left
        left -= work + _ROUND
        standing.budget.charge(round(work + _ROUND))
        return left <= 0 or standing.is_done

    for start in starts(points, k, standing, rng):
        improved(points, k, start, standing, charge)
        if left <= 0 or standing.is_done:
            return


def starts(points: Floats, k: int, standing: Standing, rng: Rng) -> Iterator[Ints]:
    """Yield the first partition, those of tours, then perturbed ones: of the first and of the best in turn."""
    first = standing.labels
    yield first.copy()
    yield tsp_mhm(points, k)
    yield npn_mhm(points, k)
    while True:
        yield perturbed(first, rng)
        yield perturbed(standing.labels, rng)


def perturbed(labels: Ints, rng: Rng) -> Ints:
    """Return a partition in which up to 20 records at random have changed places."""
    chosen = rng.choice(labels.size, min(PERTURBED, labels.size), replace=False)
    changed = labels.copy()
    changed[chosen] = labels[np.roll(chosen, 1)]
    return changed


def improved(points: Floats, k: int, labels: Ints, standing: Standing, charge: Charge) -> None:
    """Offer what a partition becomes by cuts of a tour through it, simple improvements, and cycles if neither helps."""
    tolerance = _TOLERANCE * around_mean(points)
    d = points.shape[1]
    labels = _cut(points, k, labels)
    is_over = False
    while not is_over:
        simple = SimpleHeuristic(points, k, labels, tolerance)
        fresh = simple.changed.copy()
        while not is_over:
            applied, distances = simple.round()
            is_over = charge(distances * d * _DISTANCE)
            fresh |= simple.changed
            if applied:
                continue
            cut = _cut(points, k, labels)
            if within_groups(points, cut) < within_groups(points, labels) - tolerance:
                labels = cut
                break
            if is_over:
                break
            cycles, edges, fresh = complex_heuristic(points, k, labels, REACH, tolerance, fresh)
            is_over = charge(edges * d * _EDGE)
            simple.changed |= fresh
            if not cycles:
                is_over = True
        standing.offer(labels, "search")


def units_of_start(points: Floats, k: int) -> float:
    """Return the units of work after which nothing more is gained from a good partition, about."""
    n, d = points.shape
    groups: float = n / k
    nodes: float = (min(REACH, groups) + 1) * (k + 1)
    return float(n * groups * _DISTANCE + groups * nodes * nodes / 2 * _EDGE) * float(d)


def _cut(points: Floats, k: int, labels: Ints) -> Ints:
    """Return the best groups along the tour through a partition: it loses no more."""
    return canonical(tour2assignment(points, stitched(points, labels), k))
