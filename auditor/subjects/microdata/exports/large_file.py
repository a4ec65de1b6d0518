"""A protected file of more records than fit in memory: written, and read back, by DuckDB."""

import os
from pathlib import Path
from typing import Any

from auditor.exports.destination import Destination
from auditor.exports.key_file import write_key_rows
from auditor.formats.edge_tables.errors import translated_errors
from auditor.formats.records.columns import Column
from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import VIEW, OpenRecords
from auditor.formats.records.text import literal
from auditor.subjects.microdata.exports.attributes.writing import written_types
from auditor.subjects.microdata.exports.claim_record import claim_as_record
from auditor.subjects.microdata.exports.reading_back import RELEASED, columns_check, copy_options
from auditor.subjects.microdata.exports.released_file import FileRelease
from graphkit.microdata.risk.relation import quoted
from graphkit.microdata.verify import GroupClaim
from graphkit.verification import Check, Verification

_KEY = "auditor key"
_SECRET_BYTES = 32
_BATCH = 100_000


def numbered(relation: str) -> str:
    """Return a relation with the row of each record, from 0 on in the order of the file, as column `record`."""
    return f"(SELECT *, row_number() OVER () - 1 AS record FROM {quoted(relation)}) AS {quoted(relation)}"


class LargeRelease(FileRelease):
    """Records with the means of their groups, in a new order; see :class:`~auditor.exports.publishing.Release`.

    Parameters
    ----------
    opened : OpenRecords
        The original.
    connection : ibis.BaseBackend
        Of the same database.
    claim : GroupClaim
    columns : tuple of Column
        Those that leave, in the order of the file.
    grouped : ibis Table
        Columns ``record`` and the means ``m0`` …, of the attributes of the claim.
    destination : Destination
        Where it goes.
    """

    def __init__(
        self,
        opened: OpenRecords,
        connection: Any,
        claim: GroupClaim,
        columns: tuple[Column, ...],
        grouped: Any,
        destination: Destination,
    ) -> None:
        super().__init__(opened, claim_as_record(claim), columns, destination)
        self._claim, self._connection, self._grouped = claim, connection, grouped

    def write(self, aside: Path) -> list[Path]:
        """See :class:`~auditor.exports.publishing.Release`."""
        duck = self._opened.connection
        names = list(self._claim.attributes)
        selected = ", ".join(
            self._mean(names.index(column.name)) if column.name in names else f"{quoted(VIEW)}.{quoted(column.name)}"
            for column in self._columns
        )
        grouped = quoted(self._grouped.op().name)
        with record_errors(self._opened.source), translated_errors(writing=aside):
            self._draw_rows(duck, grouped)
            duck.execute(
                f"COPY (SELECT {selected} FROM {numbered(VIEW)} "
                f"JOIN {grouped} AS grouped ON grouped.record = {quoted(VIEW)}.record "
                f"JOIN {quoted(_KEY)} AS key ON key.original = {quoted(VIEW)}.record "
                f"ORDER BY key.published) TO {literal(str(aside))} ({copy_options(aside)})"
            )
        return [aside]

    def read_back(self, written: list[Path]) -> Verification:
        """See :class:`~auditor.exports.publishing.Release`."""
        from graphkit.microdata.table.verify import verify_table

        duck, attributes = self._opened.connection, self._claim.attributes
        with record_errors(self._opened.source):
            # what the engine held is not needed any more; the check is about the files
            duck.execute(f"DROP TABLE {quoted(self._grouped.op().name)}")
            columns = columns_check(duck, written[0], written_types(self._claim, self._columns))
            if not columns.passed:
                return Verification((columns,))
            checked = verify_table(
                self._connection,
                self._claim,
                self._connection.sql(_attributes_of(RELEASED, attributes)),
                self._connection.sql(_attributes_of(VIEW, attributes)),
                self._connection.table(_KEY),
            )
            others = self._others_check(duck)
        self._opened.check_unchanged()
        return Verification((columns, *checked.checks, others))

    def write_key(self, path: Path) -> None:
        """See :class:`~auditor.exports.publishing.Release`."""
        rows = self._opened.connection.execute(f"SELECT original, published FROM {quoted(_KEY)} ORDER BY published")
        write_key_rows(path, iter(lambda: rows.fetchmany(_BATCH), []))

    def _mean(self, number: int) -> str:
        name = self._claim.attributes[number]
        type = "BIGINT" if name in self._claim.whole_numbers else "DOUBLE"
        return f"CAST(grouped.m{number} AS {type}) AS {quoted(name)}"

    def _draw_rows(self, duck: Any, grouped: str) -> None:
        """Draw a new order: that of digests with a secret from the operating system, which is then forgotten."""
        import pyarrow as pa

        # as data: the text of a query is kept and shown
        duck.register("hidden", pa.table({"secret": [os.urandom(_SECRET_BYTES).hex()]}))
        duck.execute(
            f"CREATE OR REPLACE TABLE {quoted(_KEY)} AS SELECT original, row_number() OVER (ORDER BY digest, original) "
            "- 1 AS published FROM (SELECT record AS original, sha256(secret || record)[:24] AS digest "
            f"FROM {grouped}, hidden)"
        )
        duck.unregister("hidden")

    def _others_check(self, duck: Any) -> Check:
        """Compare all other columns with the original, record by record."""
        others = [column.name for column in self._columns if column.name not in self._claim.attributes]
        if not others:
            return Check("others", True, "no other column leaves")
        pairs = [(f"{RELEASED}.{quoted(name)}", f"{quoted(VIEW)}.{quoted(name)}") for name in others]
        changed = " OR ".join(
            f"CAST({after} AS VARCHAR) IS DISTINCT FROM CAST({before} AS VARCHAR)" for after, before in pairs
        )
        found: Any = duck.execute(
            f"SELECT count(*), count(*) FILTER (WHERE {changed}) FROM {numbered(RELEASED)} "
            f"JOIN {quoted(_KEY)} AS key ON key.published = {RELEASED}.record "
            f"JOIN {numbered(VIEW)} ON {quoted(VIEW)}.record = key.original"
        ).fetchone()
        same = found == (self._claim.n, 0)
        return Check("others", same, "all other columns are as they were" if same else "another column was changed")


def _attributes_of(relation: str, attributes: tuple[str, ...]) -> str:
    selected = ", ".join(
        f"CAST({quoted(relation)}.{quoted(name)} AS DOUBLE) AS c{n}" for n, name in enumerate(attributes)
    )
    return f"SELECT {selected}, record FROM {numbered(relation)}"
