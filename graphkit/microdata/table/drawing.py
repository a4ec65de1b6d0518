"""The draw of a covering in a database: which record every tuple is published for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from graphkit.arrays import Ints
from graphkit.errors import BrokenClaim
from graphkit.microdata.demand import Demand
from graphkit.microdata.generalization.diverse.mixing import mixed
from graphkit.microdata.generalization.matchings import drawn
from graphkit.microdata.table.arrow_lists import matrix
from graphkit.microdata.table.closed_parts import VALUES, Totals, counts_of, numbered
from graphkit.microdata.table.covering_parts import COVERED, EXTENT
from graphkit.microdata.table.engine import PART, RECORD
from graphkit.microdata.table.generalization_result import TableGeneralization
from graphkit.microdata.table.mapping import mapped_parts
from graphkit.microdata.verify_diversity import verify_matchings

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
    one. A region is drawn in memory, in about 10 numbers for each record that a tuple covers. Where there are demands,
    as :func:`graphkit.microdata.generalization.diverse.mixing.mixed`.
    """
    work = _Draw(answer.k, tuple(secret), answer.demands, answer.totals)
    return mapped_parts(connection, answer.table, PART, work, _COLUMNS, lambda: None)


@dataclass(frozen=True, slots=True)
class _Draw:
    k: int
    secret: tuple[int, ...]
    demands: tuple[Demand, ...]
    totals: Totals

    def __call__(self, table: pa.Table) -> pa.Table:
        import pyarrow as pa

        table = table.sort_by(RECORD)
        covered = matrix(table.column(COVERED))
        numbers, places = np.unique(covered, return_inverse=True)
        if numbers.size != covered.shape[0]:
            raise BrokenClaim("tuples of a region cover records of another one")
        rng = np.random.default_rng([*self.secret, int(table.column(PART)[0].as_py())])
        places = places.reshape(covered.shape).astype(np.int64)
        if self.demands:
            matchings = self._mixed(table, np.ascontiguousarray(places.T), rng)
            # whichever it is: to refuse one would make the others more probable
            record = numbers[matchings[int(rng.integers(self.k))]]
        else:
            record = numbers[drawn(places, rng)]
        return pa.table({RECORD: record, COVERED: table.column(COVERED), EXTENT: table.column(EXTENT)})

    def _mixed(self, table: pa.Table, matchings: Ints, rng: np.random.Generator) -> Ints:
        """Return matchings under each of which what is demanded is met; they are checked before one is drawn."""
        # in the first one each tuple has the record of its number
        values = np.empty((matchings.shape[1], len(self.demands)), dtype=np.int64)
        values[matchings[0]] = matrix(table.column(VALUES))
        demanded = self.demands, numbered(list(values.T), self.totals)
        found = mixed(matchings, *demanded, rng, counts_of(self.totals))
        graph = np.ascontiguousarray(matchings.T)
        if not verify_matchings(graph, found, *demanded, counts_of(self.totals)).passed:
            raise BrokenClaim("a matching misses what is demanded of sensitive values")
        return found
