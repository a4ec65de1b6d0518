"""Greedy: k rounds; record after record goes to the tuple that is left whose loss grows least."""

from math import inf

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.budget import Budget
from graphkit.kernels import kernel
from graphkit.microdata.generalization._records import Records, is_in
from graphkit.microdata.generalization.extents import joined, loss_with, losses_of
from graphkit.microdata.generalization.rounds._augmenting import complete


def greedy(records: Records, k: int, budget: Budget) -> Ints | None:
    """Return what k rounds of greedy choices give, shape (n, k); None when the budget is spent before.

    Parameters
    ----------
    records : Records
        At least k of them.
    k : int
    budget : Budget
        Charged for the work.

    Notes
    -----
    O(k n² d). Records are gone through in lexicographic order. A record for which no tuple is left that does not cover
    it already gets that of another one, or one along an augmenting path: no round fails.

    References
    ----------
    Doka, Xue, Tsoumakos, Karras: k-Anonymization by Freeform Generalization. ASIACCS 2015, section 5.
    """
    n, d = records.codes.shape
    order = np.lexsort(records.codes.T[::-1])
    covered = np.arange(n)[:, None]
    for _ in range(1, k):
        if budget.is_spent():
            return None
        extents = joined(records.layout, records.codes, covered)
        found = _round(records, covered, extents, losses_of(records.layout, extents), order)
        covered = np.column_stack([covered, found])
        budget.charge(max(1, n * n * d // 200))
    return covered


@kernel
def _round(records: Records, covered: Ints, extents: Ints, losses: Floats, order: Ints) -> Ints:
    n = covered.shape[0]
    tuple_of, record_of = np.full(n, -1, dtype=np.int64), np.full(n, -1, dtype=np.int64)
    left = order.copy()
    size = n
    for record in order:
        best, at = inf, -1
        for place in range(size):
            row = left[place]
            grown = loss_with(records.layout, extents[row], records.codes[record]) - losses[row]
            # of several that grow as little, the first one
            if (grown < best or (grown == best and row < left[at])) and not is_in(covered[row], record):
                best = grown
                at = place
        if at >= 0:
            tuple_of[record] = left[at]
            record_of[left[at]] = record
            size -= 1
            left[at] = left[size]
    complete(covered, order, tuple_of, record_of)
    return record_of
