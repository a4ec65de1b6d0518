"""Many records: one annealing in rounds, of parts side by side; every round draws the borders of parts elsewhere."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from graphkit.arrays import Ints, Rng, Words
from graphkit.budget import Budget
from graphkit.microdata.generalization._records import Records, records_of
from graphkit.microdata.generalization.constructing import CORES
from graphkit.microdata.generalization.nearness import nearest
from graphkit.microdata.generalization.parts import PART, parts_of
from graphkit.microdata.generalization.rounds.hungarian import round_units
from graphkit.microdata.generalization.search._chain import NEIGHBOURS, annealed, cost, heat_of
from graphkit.microdata.generalization.standing import Standing
from graphkit.microdata.microaggregation.search._random import new_state

_ROUNDS = 8


def search_parts(standing: Standing, k: int, rng: Rng, units: int) -> None:
    """Offer coverings of many records.

    Parameters
    ----------
    standing, k, rng, units
        As for :func:`~graphkit.microdata.generalization.search.searching.search`.

    Notes
    -----
    O(n p d) for parts of p records. A part of the annealing is some tuples with whatever they cover: exchanges among
    them leave every record covered as often as before, so parts are independent and together stay regular.
    """
    records, budget = standing.records, standing.budget
    n, d = records.codes.shape
    rows = standing.covered
    near_units = round_units(PART, d) * -(-n // PART)
    left = units - _ROUNDS * near_units
    proposals = max(1.0, left / _ROUNDS / cost(k, d) / n)
    ladder = np.geomspace(*heat_of(k), _ROUNDS + 1)
    for number in range(_ROUNDS):
        if standing.is_done:
            return
        heat = (float(ladder[number]), float(ladder[number + 1]))
        parts = parts_of(records.layout, records.codes[rows[:, number % k]], PART, rng)
        run = partial(annealed_part, records, rows, budget, heat, proposals)
        with ThreadPoolExecutor(CORES) as threads:
            ends = list(threads.map(run, parts, [new_state(rng) for _ in parts]))
        rows = rows.copy()
        for part, end in zip(parts, ends, strict=True):
            rows[part] = end
        budget.charge(int(n * proposals * cost(k, d)) + near_units)
        standing.offer(rows, "search")


def annealed_part(
    records: Records,
    rows: Ints,
    budget: Budget,
    heat: tuple[float, float],
    proposals: float,
    part: Ints,
    state: Words,
) -> Ints:
    """Return the tuples of a part after they exchanged records with each other."""
    if budget.is_spent():
        return rows[part]
    inside, places = np.unique(rows[part], return_inverse=True)
    some = records_of(records.layout, records.codes[inside])
    near = nearest(some, min(NEIGHBOURS, inside.size - 1))
    held = places.reshape(part.size, -1).astype(np.int64)
    return np.asarray(inside[annealed(some, near, held, budget, heat, max(1, int(proposals * part.size)), state)])
