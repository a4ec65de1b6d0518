"""The search: annealings of growing length, two at a time."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from graphkit.arrays import Floats, Rng
from graphkit.microdata.microaggregation.search._chain import annealed, surroundings_of
from graphkit.microdata.microaggregation.search._random import new_state
from graphkit.microdata.microaggregation.standing import Standing

CHAINS = 2
"""Annealings side by side, on as many cores; the same on every machine, so that answers are too."""
_FIRST_SHARE = 0.02
_GROWTH = 3


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
        Work of all annealings together.
    """
    around = surroundings_of(points, k)
    length = units * _FIRST_SHARE
    left = float(units)
    while left > 0 and not standing.is_done:
        # the last round takes what a longer one could not be made of
        length = left if left < (1 + _GROWTH) * length else length
        proposals = max(1, int(length / CHAINS / around.cost))
        states = [new_state(rng) for _ in range(CHAINS)]
        run = partial(annealed, around, standing.labels, proposals, budget=standing.budget)
        with ThreadPoolExecutor(CHAINS) as threads:
            for labels in list(threads.map(run, states)):
                standing.offer(labels, "search")
        standing.budget.charge(int(length))
        left -= length
        length *= _GROWTH
