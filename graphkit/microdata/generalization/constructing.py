"""Coverings that a construction gives: of few records at once, of many in parts side by side."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.budget import Budget
from graphkit.microdata.generalization._records import Records, records_of
from graphkit.microdata.generalization.covering import ring
from graphkit.microdata.generalization.parts import ALL_AT_ONCE, PART, parts_of

Construct = Callable[[Records, int, Budget], Ints | None]
"""``construct(records, k, budget)`` returns a covering, or None when the budget is spent before it has one."""

CORES = 2
"""Parts that are worked on at the same time; the same on every machine."""


def constructed(construct: Construct, records: Records, k: int, rng: Rng, budget: Budget, cores: int = CORES) -> Ints:
    """Return the covering of a construction; the :func:`ring` of what there was no time for.

    Parameters
    ----------
    construct : callable
    records : Records
        At least k.
    k : int
    rng : Generator
        Draws the borders of parts, where there are more than
        :data:`~graphkit.microdata.generalization.parts.ALL_AT_ONCE` records.
    budget : Budget
        Charged for the work.
    cores : int, optional
        Parts that are worked on at the same time; the covering does not depend on it.

    Returns
    -------
    ndarray of int, shape (n, k)
    """
    codes = records.codes
    if codes.shape[0] <= ALL_AT_ONCE:
        found = construct(records, k, budget)
        return ring(codes, k) if found is None else found
    parts = parts_of(records.layout, codes, PART, rng, least=k, drawn=False)

    def run(part: Ints) -> tuple[Ints, int]:
        own = Budget()
        found = None if budget.is_spent() else construct(records_of(records.layout, codes[part]), k, own)
        return ring(codes[part], k) if found is None else found, own.work

    covered = np.empty((codes.shape[0], k), dtype=np.int64)
    with ThreadPoolExecutor(cores) as threads:
        for part, (inside, work) in zip(parts, threads.map(run, parts), strict=True):
            covered[part] = part[inside]
            budget.charge(work)
    return covered
