"""Hungarian: k rounds of assignments, each the lightest there is given what every recoded tuple covers already."""

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.budget import Budget
from graphkit.microdata.generalization._records import Records
from graphkit.microdata.generalization.extents import joined
from graphkit.microdata.generalization.rounds._assignment import assignment


def hungarian(records: Records, k: int, budget: Budget) -> Ints | None:
    """Return what k rounds of assignments give, shape (n, k); None when the budget is spent before.

    Parameters
    ----------
    records : Records
        At least k of them.
    k : int
    budget : Budget
        Charged for the work.

    Notes
    -----
    The first round is the identity. O(k n² d) in practice, with memory for lists of edges. With k = 2 there is one
    assignment, so no covering loses less.

    References
    ----------
    Doka, Xue, Tsoumakos, Karras: k-Anonymization by Freeform Generalization. ASIACCS 2015, section 7.
    """
    return _rounds(records, k, budget, exact=True)


def likely(records: Records, k: int, budget: Budget) -> Ints | None:
    """Return nearly what :func:`hungarian` does, several times faster: assignments over lists of likely edges."""
    return _rounds(records, k, budget, exact=False)


def best_pairs(records: Records, budget: Budget) -> tuple[Ints, bool]:
    """Return the covering for k = 2 that loses least, and whether that is proven, but for rounding errors."""
    own = np.arange(records.codes.shape[0])[:, None]
    found, proven = _round(records, own, np.zeros(own.size), budget, exact=True)
    return np.column_stack([own, found]), proven


def round_units(n: int, d: int) -> int:
    """Return the work of a round that prices all edges some times."""
    return max(1, n * n * d // 250)


def _rounds(records: Records, k: int, budget: Budget, *, exact: bool) -> Ints | None:
    n = records.codes.shape[0]
    covered, prices = np.arange(n)[:, None], np.zeros(n)
    for _ in range(1, k):
        if budget.is_spent():
            return None
        found, _ = _round(records, covered, prices, budget, exact=exact)
        covered = np.column_stack([covered, found])
    return covered


def _round(records: Records, covered: Ints, prices: Floats, budget: Budget, *, exact: bool) -> tuple[Ints, bool]:
    budget.charge(round_units(*records.codes.shape))
    return assignment(records, covered, joined(records.layout, records.codes, covered), prices, exact=exact)
