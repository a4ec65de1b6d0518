"""A protected file of more records than fit in memory: written, and read back, by DuckDB."""

import os
from abc import abstractmethod
from collections.abc import Mapping, Sequence
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

KEY = "auditor key"
"""Table of which row is which, ``original`` and ``published``. Protected."""
_SECRET_BYTES = 32
_BATCH = 100_000


def numbered(relation: str) -> str:
    """Return a relation with the row of each record, from 0 on in the order of the file, as column `record`."""
    return f"(SELECT *, row_number() OVER () - 1 AS record FROM {quoted(relation)}) AS {quoted(relation)}"


class LargeRelease(FileRelease):
    """Records in a new order, some columns with other values; see :class:`~auditor.exports.publishing.Release`.

    Parameters
    ----------
    opened : OpenRecords
        The original.
    claimed : mapping
        The public claim, as JSON holds it; its `attributes` are the columns with other values.
    columns : tuple of Column
        Those that leave, in the order of the file.
    replaced : str
        Table of the database with a row for each ``record`` and what its other values are made of.
    destination : Destination
        Where it goes.
    """

    def __init__(
        self,
        opened: OpenRecords,
        claimed: Mapping[str, Any],
        columns: tuple[Column, ...],
        replaced: str,
        destination: Destination,
    ) -> None:
        super().__init__(opened, claimed, columns, destination)
        self._replaced = replaced

    def write(self, aside: Path) -> list[Path]:
        """See :class:`~auditor.exports.publishing.Release`."""
        duck = self._opened.connection
        names = list(self._claimed["attributes"])
        selected = ", ".join(
            f"{self._value(names.index(column.name))} AS {quoted(column.name)}"
            if column.name in names
            else f"{quoted(VIEW)}.{quoted(column.name)}"
            for column in self._columns
        )
        replaced = quoted(self._replaced)
        with record_errors(self._opened.source), translated_errors(writing=aside):
            self._draw_rows(duck, replaced)
            duck.execute(
                f"COPY (SELECT {selected} FROM {numbered(VIEW)} "
                f"JOIN {replaced} AS replaced ON replaced.record = {quoted(VIEW)}.record "
                f"JOIN {quoted(KEY)} AS key ON key.original = {quoted(VIEW)}.record "
                f"ORDER BY key.published) TO {literal(str(aside))} ({copy_options(aside)})"
            )
        return [aside]

    def read_back(self, written: list[Path]) -> Verification:
        """See :class:`~auditor.exports.publishing.Release`."""
        duck = self._opened.connection
        with record_errors(self._opened.source):
            # what was written from is not needed any more; the check is about the files
            duck.execute(f"DROP TABLE {quoted(self._replaced)}")
            columns = columns_check(duck, written[0], self._types())
            if not columns.passed:
                return Verification((columns,))
            checks = self._checked()
            others = self._others_check(duck)
        self._opened.check_unchanged()
        return Verification((columns, *checks, others))

    @abstractmethod
    def _value(self, number: int) -> str:
        """Return SQL that makes the other value of an attribute of a row of ``replaced``."""

    @abstractmethod
    def _types(self) -> dict[str, str]:
        """Return the columns that leave with the types in which they are published."""

    @abstractmethod
    def _checked(self) -> Sequence[Check]:
        """Verify the attributes of :data:`RELEASED`, given the table :data:`KEY`."""

    def write_key(self, path: Path) -> None:
        """See :class:`~auditor.exports.publishing.Release`."""
        rows = self._opened.connection.execute(f"SELECT original, published FROM {quoted(KEY)} ORDER BY published")
        write_key_rows(path, iter(lambda: rows.fetchmany(_BATCH), []))

    def _draw_rows(self, duck: Any, replaced: str) -> None:
        """Draw a new order: that of digests with a secret from the operating system, which is then forgotten."""
        import pyarrow as pa

        # as data: the text of a query is kept and shown
        duck.register("hidden", pa.table({"secret": [os.urandom(_SECRET_BYTES).hex()]}))
        duck.execute(
            f"CREATE OR REPLACE TABLE {quoted(KEY)} AS SELECT original, row_number() OVER (ORDER BY digest, original) "
            "- 1 AS published FROM (SELECT record AS original, sha256(secret || record)[:24] AS digest "
            f"FROM {replaced}, hidden)"
        )
        duck.unregister("hidden")

    def _others_check(self, duck: Any) -> Check:
        """Compare all other columns with the original, record by record."""
        others = [column.name for column in self._columns if column.name not in self._claimed["attributes"]]
        if not others:
            return Check("others", True, "no other column leaves")
        pairs = [(f"{RELEASED}.{quoted(name)}", f"{quoted(VIEW)}.{quoted(name)}") for name in others]
        changed = " OR ".join(
            f"CAST({after} AS VARCHAR) IS DISTINCT FROM CAST({before} AS VARCHAR)" for after, before in pairs
        )
        found: Any = duck.execute(
            f"SELECT count(*), count(*) FILTER (WHERE {changed}) FROM {numbered(RELEASED)} "
            f"JOIN {quoted(KEY)} AS key ON key.published = {RELEASED}.record "
            f"JOIN {numbered(VIEW)} ON {quoted(VIEW)}.record = key.original"
        ).fetchone()
        same = found == (self._claimed["n"], 0)
        return Check("others", same, "all other columns are as they were" if same else "another column was changed")


class MeansRelease(LargeRelease):
    """Records with the means of their groups.

    Parameters
    ----------
    opened, columns, destination
        As :class:`LargeRelease` has them.
    connection : ibis.BaseBackend
        Of the same database.
    claim : GroupClaim
    grouped : ibis Table
        Columns ``record`` and the means ``m0`` …, of the attributes of the claim.
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
        super().__init__(opened, claim_as_record(claim), columns, grouped.op().name, destination)
        self._claim, self._connection = claim, connection

    def _value(self, number: int) -> str:
        type = "BIGINT" if self._claim.attributes[number] in self._claim.whole_numbers else "DOUBLE"
        return f"CAST(replaced.m{number} AS {type})"

    def _types(self) -> dict[str, str]:
        return written_types(self._claim, self._columns)

    def _checked(self) -> Sequence[Check]:
        from graphkit.microdata.table.verify import verify_table

        published, original = (
            self._connection.sql(_attributes_of(relation, self._claim.attributes)) for relation in (RELEASED, VIEW)
        )
        return verify_table(self._connection, self._claim, published, original, self._connection.table(KEY)).checks


def _attributes_of(relation: str, attributes: tuple[str, ...]) -> str:
    selected = ", ".join(
        f"CAST({quoted(relation)}.{quoted(name)} AS DOUBLE) AS c{n}" for n, name in enumerate(attributes)
    )
    return f"SELECT {selected}, record FROM {numbered(relation)}"
