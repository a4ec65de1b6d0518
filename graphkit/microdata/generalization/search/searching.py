"""The search: annealings of exchanges from the best covering so far; of many records, part by part."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from graphkit.arrays import Ints, Rng
from graphkit.effort import SECOND
from graphkit.microdata.generalization.constructing import CORES
from graphkit.microdata.generalization.nearness import nearest
from graphkit.microdata.generalization.parts import ALL_AT_ONCE
from graphkit.microdata.generalization.search._chain import NEIGHBOURS, annealed, cost, heat_of
from graphkit.microdata.generalization.search._many import search_parts
from graphkit.microdata.generalization.standing import Standing
from graphkit.microdata.microaggregation.search._random import new_state

_SHARES = (0.1, 0.2, 0.7)
# few records have few coverings: more proposals than this, for a record and for a pair of records, find no more
_A_RECORD, _A_PAIR = 20_000, 2_000
# where they are so few, most coverings are seen if it is hot
_FEW, _VERY_HOT, _BATCHES = 40, 1.0, 6


def search(standing: Standing, k: int, rng: Rng, units: int) -> None:
    """Offer coverings of less and less loss.

    Parameters
    ----------
    standing : Standing
        What is offered to.
    k : int
    rng : Generator
    units : int
        Work of all steps together, on all cores.
    """
    records, budget = standing.records, standing.budget
    n, d = records.codes.shape
    if budget.time_limit is not None:
        # an annealing that is broken off has hardly begun
        units = min(units, max(1, int(CORES * budget.remaining() * SECOND)))
    if n > ALL_AT_ONCE:
        search_parts(standing, k, rng, units)
        return
    near = nearest(records, min(NEIGHBOURS, n - 1))
    most = n * (_A_RECORD + _A_PAIR * n)
    hottest, coolest = heat_of(k)
    shares, hottest = (_SHARES, hottest) if n > _FEW else ((1 / _BATCHES,) * _BATCHES, _VERY_HOT)
    for share in shares:
        proposals = min(most, int(units * share / CORES / cost(k, d)))
        run = partial(annealed, records, near, standing.covered, budget, (hottest, coolest), max(1, proposals))
        with ThreadPoolExecutor(CORES) as threads:
            ends: list[Ints] = list(threads.map(run, [new_state(rng) for _ in range(CORES)]))
        budget.charge(int(CORES * proposals * cost(k, d)))
        for rows in ends:
            standing.offer(rows, "search")
        if standing.is_done:
            return
