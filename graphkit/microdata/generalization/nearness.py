"""The records nearest to each record: those with which it would be generalized at the least loss."""

import numpy as np

from graphkit.arrays import Ints
from graphkit.kernels import kernel
from graphkit.microdata.generalization._records import Records, lightest, profile
from graphkit.microdata.generalization.extents import extents_of


def nearest(records: Records, count: int) -> Ints:
    """Return records near each record, shape (n, count), the nearest first; `count` is below n.

    Of several that are as near, those after the record are taken, and after the last one the first.

    Notes
    -----
    O(n² d): for parts of a file.
    """
    found = np.empty((records.codes.shape[0], count), dtype=np.int64)
    _nearest(records, extents_of(records.layout, records.codes), found)
    return found


@kernel
def _nearest(records: Records, extents: Ints, found: Ints) -> None:
    n = found.shape[0]
    table, losses = np.empty(records.values.size), np.empty(found.shape[1])
    free, prices = np.full(n, -1, dtype=np.int64), np.zeros(n)
    own = np.empty(1, dtype=np.int64)
    for record in range(n):
        own[0] = record
        profile(records, extents[record], table)
        lightest(records, table, prices, own, record, free, found[record], losses)
