"""The draw of a covering in a database: which record every tuple is published for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from graphkit.errors import BrokenClaim
from graphkit.microdata.generalization.matchings import drawn
from graphkit.microdata.table.arrow_lists import matrix
from graphkit.microdata.table.covering_parts import COVERED, EXTENT
from graphkit.microdata.table.engine import PART, RECORD
from graphkit.microdata.table.generalization_result import TableGeneralization
from graphkit.microdata.table.mapping import mapped_parts

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa

_COLUMNS = {RECORD: "int64", COVERED: "array<int64>", EXTENT: "array<int64>"}


def drawn_table(connection: Any, answer: TableGeneralization, secret: Sequence[int]) -> ir.Table:
    """Return which record each tuple is published for, with what it covers and stands for, kept in the backend.

    Parameters
    ----------
    connection : ibis.BaseBackend
    answer : TableGeneralization
    secret : sequence of int
        Seeds of the draw. To protect anybody they must come from the operating system, once, and be forgotten; who
        knows them knows the draw. A cluster may compute a region again, and draws the same with the same seeds.

    Returns
    -------
    ibis Table
        Columns ``record``, ``covered`` (numbers of records) and ``extent``; see
        :class:`~graphkit.microdata.generalization.extents.Layout`. A row a record. As secret as the records.

    Notes
    -----
    As :func:`graphkit.microdata.generalization.matchings.drawn`, region by region: no tuple covers a record of another
    one. A region is drawn in memory, in about 10 numbers for each record that a tuple covers.
    """
    return mapped_parts(connection, answer.table, PART, _Draw(answer.k, tuple(secret)), _COLUMNS, lambda: None)


@dataclass(frozen=True, slots=True)
class _Draw:
    k: int
    secret: tuple[int, ...]

    def __call__(self, table: pa.Table) -> pa.Table:
        import pyarrow as pa

        table = table.sort_by(RECORD)
        covered = matrix(table.column(COVERED))
        numbers, places = np.unique(covered, return_inverse=True)
        if numbers.size != covered.shape[0]:
            raise BrokenClaim("tuples of a region cover records of another one")
        rng = np.random.default_rng([*self.secret, int(table.column(PART)[0].as_py())])
        record = numbers[drawn(places.reshape(covered.shape).astype(np.int64), rng)]
        return pa.table({RECORD: record, COVERED: table.column(COVERED), EXTENT: table.column(EXTENT)})
