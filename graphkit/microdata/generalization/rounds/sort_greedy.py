"""SortGreedy: k rounds; of all tuples and records that are left, the edge that adds least to the loss comes first."""

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.budget import Budget
from graphkit.kernels import kernel
from graphkit.microdata.generalization._records import Records, lightest, profile
from graphkit.microdata.generalization.extents import joined, losses_of
from graphkit.microdata.generalization.rounds._augmenting import complete
from graphkit.microdata.generalization.rounds._heap import pop, push

_EDGES = 32


def sort_greedy(records: Records, k: int, budget: Budget) -> Ints | None:
    """Return what k rounds give that take edges by their weight, shape (n, k); None when the budget is spent before.

    Parameters
    ----------
    records : Records
        At least k of them.
    k : int
    budget : Budget
        Charged for the work.

    Notes
    -----
    The same as sorting all n² edges: each tuple has a list of its lightest ones among the records that are left, a heap
    the first of every list, and a list is made anew when it is used up. O(k n² d) in practice, with O(n) memory.

    References
    ----------
    Doka, Xue, Tsoumakos, Karras: k-Anonymization by Freeform Generalization. ASIACCS 2015, section 6.
    """
    n, d = records.codes.shape
    order = np.lexsort(records.codes.T[::-1])
    covered = np.arange(n)[:, None]
    for _ in range(1, k):
        if budget.is_spent():
            return None
        extents = joined(records.layout, records.codes, covered)
        found = _round(records, covered, extents, losses_of(records.layout, extents), order, min(_EDGES, n))
        covered = np.column_stack([covered, found])
        budget.charge(max(1, n * n * d // 250))
    return covered


@kernel
def _round(records: Records, covered: Ints, extents: Ints, losses: Floats, order: Ints, most: int) -> Ints:
    n = covered.shape[0]
    tuple_of, record_of = np.full(n, -1, dtype=np.int64), np.full(n, -1, dtype=np.int64)
    ends, weights = np.empty((n, most), dtype=np.int64), np.empty((n, most))
    sizes, at = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    keys, rows = np.empty(n + 1), np.empty(n + 1, dtype=np.int64)
    table, prices = np.empty(records.values.size), np.zeros(n)
    size = 0
    for row in range(n):
        profile(records, extents[row], table)
        sizes[row] = lightest(records, table, prices, covered[row], row, tuple_of, ends[row], weights[row])
        if sizes[row]:
            size = push(keys, rows, size, weights[row, 0] - losses[row], row)
    while size:
        row = rows[0]
        size = pop(keys, rows, size)
        record = ends[row, at[row]]
        if tuple_of[record] < 0:
            tuple_of[record] = row
            record_of[row] = record
            continue
        while at[row] < sizes[row] and tuple_of[ends[row, at[row]]] >= 0:
            at[row] += 1
        if at[row] == sizes[row]:
            profile(records, extents[row], table)
            sizes[row] = lightest(records, table, prices, covered[row], row, tuple_of, ends[row], weights[row])
            at[row] = 0
        if sizes[row]:
            size = push(keys, rows, size, weights[row, at[row]] - losses[row], row)
    complete(covered, order, tuple_of, record_of)
    return record_of
