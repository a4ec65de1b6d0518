"""A protected file of records: written, and read back to be verified."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from auditor.core.errors import BadInput
from auditor.formats.edge_tables.errors import translated_errors
from auditor.formats.records.columns import Column
from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import VIEW, OpenRecords
from auditor.formats.records.text import literal
from auditor.subjects.microdata.exports.numeric import numbers_in
from graphkit.arrays import Floats, Ints
from graphkit.microdata.risk.relation import quoted
from graphkit.microdata.verify import GroupClaim, verify_microaggregation
from graphkit.verification import Check, Verification

_TEXT = {".csv": ",", ".tsv": "\t", ".txt": "\t"}
_PARQUET = (".parquet", ".pq")
_ORDER, _RELEASED = "auditor row order", "released"


def check_suffix(path: Path) -> str:
    """Return the format that the suffix of a file stands for.

    Raises
    ------
    BadInput
        If it stands for none that is written.
    """
    suffix = path.suffix.lower()
    if suffix in _TEXT:
        return "text"
    if suffix in _PARQUET:
        return "parquet"
    raise BadInput(f"{path.name} has no suffix that says what to write; use .csv, .tsv or .parquet")


@dataclass(frozen=True, slots=True, eq=False)
class ReleasedFile:
    """Records that are about to be published, in their new order."""

    opened: OpenRecords
    claim: GroupClaim
    columns: tuple[Column, ...]
    """Those that leave, in the order of the file."""
    original: Floats
    """The attributes of the claim as they were, shape (n, attributes). Protected."""
    values: Floats
    """The same as they are published, in the order of the original."""
    rows: Ints
    """Row of the original of every published record. Protected."""

    def write(self, path: Path) -> None:
        """Write the file.

        Raises
        ------
        NotDelivered
            If the file system refuses.
        """
        import pyarrow as pa

        connection = self.opened.connection
        names = list(self.claim.attributes)
        held = [
            pa.array(column.astype(np.int64) if name in self.claim.whole_numbers else column)
            for name, column in zip(names, self.values.T, strict=True)
        ]
        places = np.empty(self.rows.size, dtype=np.int64)
        places[self.rows] = np.arange(self.rows.size)
        connection.register("aggregated", pa.table([*held, pa.array(places)], names=[*names, _ORDER]))
        selected = ", ".join(
            f"{'aggregated' if column.name in names else 'records'}.{quoted(column.name)}" for column in self.columns
        )
        options = "FORMAT parquet, COMPRESSION zstd"
        if check_suffix(path) == "text":
            options = f"FORMAT csv, HEADER true, DELIMITER {_delimiter(path)}"
        with record_errors(self.opened.source), translated_errors(writing=path):
            # the order of the file joins both; the new order is that of the random rows
            connection.execute(
                f'COPY (SELECT {selected} FROM "{VIEW}" AS records POSITIONAL JOIN aggregated '
                f"ORDER BY aggregated.{quoted(_ORDER)}) TO {literal(str(path))} ({options})"
            )
        connection.unregister("aggregated")

    def read_back(self, path: Path) -> Verification:
        """Verify what was written, read from the disk, by code that does not import the engine."""
        connection = self.opened.connection
        if check_suffix(path) == "parquet":
            reading = f"read_parquet({literal(str(path))})"
        else:
            types = ", ".join(f"{literal(column.name)}: {literal(self._type(column))}" for column in self.columns)
            reading = (
                f"read_csv({literal(str(path))}, auto_detect = false, header = true, delim = {_delimiter(path)}, "
                f"quote = '\"', escape = '\"', allow_quoted_nulls = false, columns = {{{types}}})"
            )
        with record_errors(self.opened.source):
            connection.execute(f"CREATE OR REPLACE TEMP VIEW {_RELEASED} AS SELECT * FROM {reading}")
            names = [row[0] for row in connection.execute(f"DESCRIBE {_RELEASED}").fetchall()]
            same_columns = names == [column.name for column in self.columns]
            columns = Check(
                "columns", same_columns, "the columns are those that may leave" if same_columns else "a column is wrong"
            )
            if not same_columns:
                return Verification((columns,))
            published = numbers_in(connection, _RELEASED, self.claim.attributes)
            others = self._others_check(connection)
        checked = verify_microaggregation(self.claim, published, self.original, self.rows)
        return Verification((columns, *checked.checks, others))

    def _type(self, column: Column) -> str:
        if column.name not in self.claim.attributes:
            return "VARCHAR" if column.type == "ENUM" else column.type
        return "BIGINT" if column.name in self.claim.whole_numbers else "DOUBLE"

    def _others_check(self, connection: Any) -> Check:
        """Compare all other columns with the original, record by record."""
        import pyarrow as pa

        others = [column.name for column in self.columns if column.name not in self.claim.attributes]
        if not others:
            return Check("others", True, "no other column leaves")
        selected = ", ".join(f"CAST({quoted(name)} AS VARCHAR)" for name in others)
        after = connection.execute(f"SELECT {selected} FROM {_RELEASED}").to_arrow_table()
        before = connection.execute(f'SELECT {selected} FROM "{VIEW}"').to_arrow_table().take(pa.array(self.rows))
        same = after.num_rows == before.num_rows and all(
            one.combine_chunks().equals(other.combine_chunks())
            for one, other in zip(after.columns, before.columns, strict=True)
        )
        return Check("others", same, "all other columns are as they were" if same else "another column was changed")


def _delimiter(path: Path) -> str:
    return literal(_TEXT[path.suffix.lower()])
