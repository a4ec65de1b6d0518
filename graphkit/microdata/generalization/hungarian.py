"""Hungarian: k rounds of assignments, each the lightest there is given what every recoded tuple covers already."""

import numpy as np

from graphkit.arrays import Ints
from graphkit.budget import Budget
from graphkit.microdata.generalization._assignment import assignment
from graphkit.microdata.generalization._records import Records
from graphkit.microdata.generalization.extents import joined


def hungarian(records: Records, k: int, budget: Budget) -> tuple[Ints, bool] | None:
    """Return what k rounds of assignments give, the first of which is the identity.

    Parameters
    ----------
    records : Records
        At least k of them.
    k : int
    budget : Budget
        Charged for the work.

    Returns
    -------
    covered : ndarray of int, shape (n, k)
    proven : bool
        Whether no other loses less: so with k = 2, where there is only one round.

    Notes
    -----
    O(k n² d) in practice, with memory for lists of edges. None is returned when the budget is spent before the end.

    References
    ----------
    Doka, Xue, Tsoumakos, Karras: k-Anonymization by Freeform Generalization. ASIACCS 2015.
    """
    n = records.codes.shape[0]
    covered, prices = np.arange(n)[:, None], np.zeros(n)
    proven = True
    for _ in range(1, k):
        if budget.is_spent():
            return None
        found, best = assignment(records, covered, joined(records.layout, records.codes, covered), prices)
        covered = np.column_stack([covered, found])
        proven &= best
        budget.charge(round_units(n, records.codes.shape[1]))
    return covered, proven and k == 2


def round_units(n: int, d: int) -> int:
    """Return the work of a round that prices all edges some times."""
    return max(1, n * n * d // 250)
