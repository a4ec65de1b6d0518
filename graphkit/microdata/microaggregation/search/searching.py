"""The search: annealings from scratch, then cooler ones from the best partition; recombinations; cycles at the end."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from graphkit.arrays import Floats, Rng
from graphkit.microdata.microaggregation.parts import ALL_AT_ONCE
from graphkit.microdata.microaggregation.search._chain import Surroundings, annealed, surroundings_of
from graphkit.microdata.microaggregation.search._cooling import HOTTEST
from graphkit.microdata.microaggregation.search._finishing import finish
from graphkit.microdata.microaggregation.search._many import search_parts
from graphkit.microdata.microaggregation.search._random import new_state
from graphkit.microdata.microaggregation.search._recombining import Pool
from graphkit.microdata.microaggregation.standing import Standing

CORES = 2
"""Annealings at the same time; the same on every machine, so that answers are too."""
_RUNS = 4
# shares of the work, and how hot it begins: from scratch, then ever less hot from the best partition, which is so kept
# for the most part; a short cycle of these, and a long one
_BATCHES = (
    (0.02, HOTTEST),
    *((0.06, HOTTEST), (0.02, 4.0), (0.02, 8.0), (0.02, 16.0)),
    *((0.36, HOTTEST), (0.12, 4.0), (0.12, 8.0), (0.12, 16.0)),
)
_RECOMBINED_FROM = 0.05
# share of the work in which they are recombined region by region
_REGIONS = 0.15
# few records have few partitions: more work than this, in units for a record and for a pair of records, finds no more
_A_RECORD, _A_PAIR = 2_000, 150


def search(points: Floats, k: int, standing: Standing, rng: Rng, units: int) -> None:
    """Offer partitions of less and less loss.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
        At least 2k records.
    k : int
    standing : Standing
        What is offered to.
    rng : Generator
    units : int
        Work of all annealings, cyclic exchanges and recombinations together, on all cores.

    Notes
    -----
    An integer program over all groups of the partitions so far is solved where it is easy. Of some hundred records and
    more it hardly ever is; regions of them are (:mod:`~graphkit.microdata.microaggregation.search._regions`).
    """
    n = points.shape[0]
    if n > ALL_AT_ONCE:
        search_parts(points, k, standing, rng, units)
        return
    units = min(units, n * (_A_RECORD + _A_PAIR * n))
    around, pool, budget = surroundings_of(points, k), Pool(points), standing.budget
    end = budget.work + units
    for share, hottest in _BATCHES:
        if standing.is_done or budget.work >= end:
            break
        _anneal(around, pool, standing, rng, units * share, hottest)
        if share >= _RECOMBINED_FROM and not budget.is_spent():
            better = pool.recombined(standing.loss, budget)
            if better is not None:
                standing.offer(better, "recombine")
    if not standing.is_done:
        standing.offer(pool.improved(standing.labels, budget, budget.work + int(_REGIONS * units)), "recombine")
    finish(points, k, standing, units)


def _anneal(around: Surroundings, pool: Pool, standing: Standing, rng: Rng, units: float, hottest: float) -> None:
    """Run some annealings that begin with the best partition, and offer where they end."""
    proposals = max(1, int(units / _RUNS / around.cost))
    states = [new_state(rng) for _ in range(_RUNS)]
    run = partial(annealed, around, standing.labels, proposals, budget=standing.budget, hottest=hottest)
    with ThreadPoolExecutor(CORES) as threads:
        for labels in list(threads.map(run, states)):
            standing.offer(labels, "search")
            pool.add(labels)
    standing.budget.charge(int(units))
