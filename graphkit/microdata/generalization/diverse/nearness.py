"""Records near each record, those with other sensitive values among them."""

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.kernels import kernel
from graphkit.microdata.generalization._records import Records, lightest, profile, records_of
from graphkit.microdata.generalization.diverse.demands import Sensitive
from graphkit.microdata.generalization.extents import extents_of
from graphkit.microdata.generalization.nearness import nearest
from graphkit.microdata.generalization.parts import ALL_AT_ONCE, PART, parts_of

NEIGHBOURS, OTHERS = 10, 2
"""Records near each record, and so many more for each demand that differ from it in that column."""


def near_and_other(records: Records, sensitive: Sensitive, rng: Rng) -> Ints:
    """Return records near each record, shape (n, neighbours), the nearest first, then those of other values.

    Notes
    -----
    O(n² d) up to :data:`~graphkit.microdata.generalization.parts.ALL_AT_ONCE` records; more are looked at in parts.
    Where there are not as many, −1 stands.
    """
    n = records.codes.shape[0]
    found = np.full((n, NEIGHBOURS + OTHERS * len(sensitive.values)), -1, dtype=np.int64)
    parts = [np.arange(n)]
    if n > ALL_AT_ONCE:
        parts = parts_of(records.layout, records.codes, PART, rng, least=2, drawn=False)
    for part in parts:
        some = records if len(parts) == 1 else records_of(records.layout, records.codes[part])
        most = min(NEIGHBOURS, part.size - 1)
        found[part, :most] = part[nearest(some, most)]
        extents = extents_of(some.layout, some.codes)
        for place, column in enumerate(sensitive.values):
            others = np.full((part.size, OTHERS), -1, dtype=np.int64)
            _of_other_values(some, extents, np.ascontiguousarray(column[part]), others)
            begin = NEIGHBOURS + OTHERS * place
            found[part, begin : begin + OTHERS] = np.where(others < 0, -1, part[others])
    return found


@kernel
def _of_other_values(records: Records, extents: Ints, column: Ints, found: Ints) -> None:
    n = column.size
    table, losses = np.empty(records.values.size), np.empty(found.shape[1])
    prices, barred = np.zeros(n), np.empty(0, dtype=np.int64)
    free, some = np.empty(n, dtype=np.int64), np.empty(found.shape[1], dtype=np.int64)
    for record in range(n):
        for other in range(n):
            free[other] = 0 if column[other] == column[record] else -1
        profile(records, extents[record], table)
        count = lightest(records, table, prices, barred, record, free, some, losses)
        found[record, :count] = some[:count]
