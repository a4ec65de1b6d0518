"""A round of annealing of many records: temperature by temperature, at each of them block by block of nearby records.

There is no border between blocks, as there is between parts: a move may lead into another block. But most of what the
moves of a block need stays in the caches of a processor, and with many records nothing costs as much as memory does.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Floats, Ints, Words
from graphkit.budget import Budget
from graphkit.kernels import fast_kernel
from graphkit.microdata.microaggregation.neighbours import near_enough
from graphkit.microdata.microaggregation.search._annealing import anneal
from graphkit.microdata.microaggregation.search._chain import LAST_ROUNDS, NEIGHBOURS, RESHAPING, Surroundings
from graphkit.microdata.microaggregation.search._cooling import new_cooling
from graphkit.microdata.microaggregation.search._partition import new_partition

BLOCK = 1_000
"""Records of a block."""
_STRIDE = 2
"""Of the temperatures of an annealing of few records every second one is enough: each is a walk through all memory."""


# a proposal takes as long again as with few records, whose groups are in the caches throughout
_WALKING = 2.0


class Round(NamedTuple):
    """A part of the cooling: every record passes from one temperature to another, in units of its own scale."""

    share: float
    """Of the work of all rounds."""
    hottest: float
    """Scale of a record in temperatures when it is proposed first."""
    coolest: float
    """The same when it is proposed last."""
    is_last: bool = False
    """Whether moves without a loss end the round."""


@dataclass(frozen=True, slots=True, eq=False)
class _Windows:
    """Which records of which blocks are proposed at each temperature."""

    order: Ints
    """Records by block, and by scale within it."""
    temperatures: Floats
    windows: Ints
    """First and end of the part of `order` that is proposed, shape (temperatures, blocks, 2)."""


def surroundings_of_many(points: Floats, k: int) -> Surroundings:
    """Return what a round uses; records near each other follow each other."""
    near, far = near_enough(points, min(points.shape[0] - 1, max(NEIGHBOURS, k + 10)))
    padded = np.pad(points, ((0, 0), (0, -points.shape[1] % 4)))
    return Surroundings(padded, k, near, far[:, :k].mean(axis=1) ** 2)


def proposals_of(units: float, around: Surroundings) -> int:
    """Return how many moves can be proposed with so much work, at least one."""
    return max(1, int(units / (_WALKING * around.cost)))


def within_part(around: Surroundings, part: Ints) -> Surroundings:
    """Return what a round uses of some records, rising, with the neighbours among them."""
    local = np.full(around.scales.size, -1)
    local[part] = np.arange(part.size)
    near = local[around.near[part]]
    # a neighbour that is not there is the record itself, which no move is about
    near = np.where(near < 0, np.arange(part.size)[:, None], near)
    return Surroundings(around.points[part], around.k, near, around.scales[part])


def annealed_round(around: Surroundings, labels: Ints, of: Round, proposals: int, state: Words, budget: Budget) -> Ints:
    """Return the partition that a round ends with.

    Parameters
    ----------
    around : Surroundings
        Records near each other follow each other.
    labels : ndarray of int, shape (n,)
        Groups of k to 2k − 1 records, all from 0 to some number.
    of : Round
    proposals : int
        Moves that are proposed in all.
    state : ndarray of uint64, shape (1,)
        Of the random numbers; changed in place.
    budget : Budget
        When it is spent, only moves without a loss are made any more, for a short while.
    """
    points, n = around.points, around.points.shape[0]
    starts = np.append(np.arange(0, n, BLOCK), n)
    cooling = _windows_of(around.scales, starts, of)
    partition = new_partition(points, labels, around.k)

    def propose(windows: Ints, temperature: float, counts: Ints) -> None:
        _anneal_all(
            points, around.near, around.k, *partition, cooling.order, windows, temperature, counts, RESHAPING, state
        )

    sizes = cooling.windows[:, :, 1] - cooling.windows[:, :, 0]
    many = -(-proposals * sizes // max(1, int(sizes.sum())))
    for windows, temperature, counts in zip(cooling.windows, cooling.temperatures.tolist(), many, strict=True):
        if budget.is_spent():
            break
        propose(windows, temperature, counts)
    if of.is_last or budget.is_spent():
        whole = np.stack((starts[:-1], starts[1:]), axis=1)
        propose(whole, 0.0, np.diff(starts) * min(LAST_ROUNDS, -(-proposals // n)))
    return partition.labels


def _windows_of(scales: Floats, starts: Ints, of: Round) -> _Windows:
    """Return the temperatures of all records, and for each of them the records of every block by their own scales."""
    temperatures = new_cooling(scales, of.hottest, of.coolest).temperatures[::_STRIDE]
    order = np.empty(scales.size, dtype=np.int64)
    windows = np.empty((temperatures.size, starts.size - 1, 2), dtype=np.int64)
    for block, (first, end) in enumerate(zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)):
        by_scale = np.argsort(scales[first:end], kind="stable")
        order[first:end] = first + by_scale
        rising = scales[first:end][by_scale]
        windows[:, block, 0] = first + np.searchsorted(rising, of.hottest * temperatures)
        windows[:, block, 1] = first + np.searchsorted(rising, of.coolest * temperatures)
    if not temperatures.any():
        windows[:] = np.stack((starts[:-1], starts[1:]), axis=1)
    return _Windows(order, temperatures, windows)


@fast_kernel
def _anneal_all(
    points: Floats,
    near: Ints,
    k: int,
    labels: Ints,
    places: Ints,
    members: Ints,
    sizes: Ints,
    sums: Floats,
    free: Ints,
    order: Ints,
    windows: Ints,
    temperature: float,
    counts: Ints,
    reshaping: float,
    state: Words,
) -> None:
    """Propose moves at one temperature, block after block; parameters as for `anneal`."""
    for block in range(counts.size):
        first, end = windows[block, 0], windows[block, 1]
        if end > first:
            anneal(
                points, near, k, labels, places, members, sizes, sums, free, order,
                first, end, temperature, counts[block], reshaping, state,
            )  # fmt: skip
