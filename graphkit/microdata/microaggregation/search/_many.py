"""Many records: one annealing in rounds, of parts side by side; every round draws the borders of parts elsewhere."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from graphkit.arrays import Floats, Ints, Rng, Words
from graphkit.budget import Budget
from graphkit.effort import SECOND
from graphkit.microdata.microaggregation.groups import compact, group_means
from graphkit.microdata.microaggregation.parts import drawn_split, split
from graphkit.microdata.microaggregation.search._blocks import (
    BLOCK,
    Round,
    annealed_round,
    proposals_of,
    surroundings_of_many,
    within_part,
)
from graphkit.microdata.microaggregation.search._chain import Surroundings
from graphkit.microdata.microaggregation.search._cooling import COOLEST, HOTTEST
from graphkit.microdata.microaggregation.search._random import new_state
from graphkit.microdata.microaggregation.standing import Standing

PART = 250_000
"""Records of a part at most; where there are fewer, a part for each core."""
_CORES = 2
_ROUNDS = 8
# scale of a record in temperatures from where on hardly anything changes any more
_NEARLY_FROZEN = 64.0


def rounds_of(count: int) -> tuple[Round, ...]:
    """Return the rounds of a cooling: all as long, in temperatures, until records are nearly frozen."""
    at = [HOTTEST * (_NEARLY_FROZEN / HOTTEST) ** (number / count) for number in range(count)]
    ends = [*at[1:], COOLEST]
    return tuple(Round(1 / count, at[one], ends[one], one == count - 1) for one in range(count))


def search_parts(points: Floats, k: int, standing: Standing, rng: Rng, units: int) -> None:
    """Offer partitions of many records; a part consists of whole groups.

    Parameters
    ----------
    points, k, standing, rng, units
        As for :func:`~graphkit.microdata.microaggregation.search.searching.search`.

    Notes
    -----
    O(n log n) for few attributes, with about 100 numbers a record in memory.
    """
    n, budget = points.shape[0], standing.budget
    if budget.time_limit is not None:
        # an annealing that is broken off has hardly begun
        units = min(units, int(budget.remaining() * SECOND))
    place = np.concatenate(split(points, BLOCK))
    around, labels = surroundings_of_many(points[place], k), standing.labels[place]
    most = min(PART, -(-n // _CORES))
    for of in rounds_of(_ROUNDS):
        parts = _parts(around.points, labels, most, rng)
        labels = _annealed_parts(around, labels, parts, of, units * of.share / n, budget, rng)
        budget.charge(int(units * of.share))
        offered = np.empty_like(labels)
        offered[place] = labels
        standing.offer(offered, "search")
        if standing.is_done:
            return


def _annealed_parts(
    around: Surroundings, labels: Ints, parts: list[Ints], of: Round, units_a_record: float, budget: Budget, rng: Rng
) -> Ints:
    """Return the partition after a round of each part by itself; a core takes the next part when it has done one."""

    def run(part: Ints, state: Words) -> Ints:
        inside = compact(labels[part])
        proposals = proposals_of(units_a_record * part.size, around)
        changed = annealed_round(within_part(around, part), inside, of, proposals, state, budget)
        return compact(changed)

    found = np.empty_like(labels)
    groups = 0
    states = [new_state(rng) for _ in parts]
    with ThreadPoolExecutor(_CORES) as threads:
        for part, changed in zip(parts, threads.map(run, parts, states), strict=True):
            found[part] = groups + changed
            groups += int(changed.max()) + 1
    return found


def _parts(points: Floats, labels: Ints, most: int, rng: Rng) -> list[Ints]:
    """Return the records of every part, rising; parts of groups whose means are near each other."""
    means = group_means(points, labels)
    of_group = np.empty(means.shape[0], dtype=np.int64)
    parts = drawn_split(means, -(-means.shape[0] * most // labels.size), rng)
    for number, groups in enumerate(parts):
        of_group[groups] = number
    of_record = of_group[labels]
    return [np.flatnonzero(of_record == number) for number in range(len(parts))]
