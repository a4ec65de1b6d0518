"""A published file of records, read from the disk and held against its claim and the original."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from auditor.config import EdgeTableSettings
from auditor.core.errors import BadInput
from auditor.formats.records.columns import Column
from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import VIEW, OpenRecords, open_records
from auditor.formats.records.text import literal
from auditor.subjects.microdata.exports.attributes.reading import ReadRecords, categories_in, values_in
from auditor.subjects.microdata.exports.attributes.writing import written_types
from graphkit.arrays import Floats, Ints
from graphkit.microdata.risk.relation import quoted
from graphkit.microdata.verify import GroupClaim, verify_microaggregation
from graphkit.verification import Check, Verification

TEXT = {".csv": ",", ".tsv": "\t", ".txt": "\t"}
_PARQUET = (".parquet", ".pq")
RELEASED = "released"
"""The view of a published file that :func:`columns_check` makes."""


def format_written(path: Path) -> str:
    """Return the format that the suffix of a file stands for.

    Raises
    ------
    BadInput
        If it stands for none that is written.
    """
    suffix = path.suffix.lower()
    if suffix in TEXT:
        return "text"
    if suffix in _PARQUET:
        return "parquet"
    raise BadInput(f"{path.name} has no suffix that says what to write; use .csv, .tsv, .txt (tabs), .parquet or .pq")


def delimiter_of(path: Path) -> str:
    """Return the delimiter of a text file, as SQL writes it."""
    return literal(TEXT[path.suffix.lower()])


def copy_options(path: Path) -> str:
    """Return how SQL writes a file, by its suffix."""
    if format_written(path) == "text":
        return f"FORMAT csv, HEADER true, DELIMITER {delimiter_of(path)}"
    return "FORMAT parquet, COMPRESSION zstd"


def columns_check(connection: Any, path: Path, written: Mapping[str, str], delimiter: str | None = None) -> Check:
    """Make a published file the view :data:`RELEASED`, and return whether its columns are those that may leave.

    Parameters
    ----------
    connection : DuckDBPyConnection
    path : Path
    written : mapping of str to str
        The columns that may leave, in order, with the types in which they are written.
    delimiter : str, optional
        Of a text file that was perhaps saved again; by default the one that its suffix stands for.
    """
    relation = _written_relation(path, written, delimiter)
    connection.execute(f"CREATE OR REPLACE TEMP VIEW {RELEASED} AS SELECT * FROM {relation}")
    names = [row[0] for row in connection.execute(f"DESCRIBE {RELEASED}").fetchall()]
    same = names == list(written)
    return Check("columns", same, "the columns are those that may leave" if same else "a column is wrong")


def _written_relation(path: Path, written: Mapping[str, str], delimiter: str | None) -> str:
    """Return how SQL reads a published file with the columns and types that it should have."""
    if format_written(path) == "parquet":
        return f"read_parquet({literal(str(path))})"
    types = ", ".join(f"{literal(name)}: {literal(type)}" for name, type in written.items())
    delim = delimiter_of(path) if delimiter is None else literal(delimiter)
    return (
        f"read_csv({literal(str(path))}, auto_detect = false, header = true, delim = {delim}, "
        f"quote = '\"', escape = '\"', allow_quoted_nulls = false, columns = {{{types}}})"
    )


def others_check(connection: Any, names: Sequence[str], rows: Ints) -> Check:
    """Compare columns of :data:`RELEASED` with those of the original, record by record.

    Parameters
    ----------
    connection : DuckDBPyConnection
    names : sequence of str
        The columns that leave as they are.
    rows : ndarray of int, shape (n,)
        Row of the original of every published record. Protected.
    """
    import pyarrow as pa

    if not names:
        return Check("others", True, "no other column leaves")
    selected = ", ".join(f"CAST({quoted(name)} AS VARCHAR)" for name in names)
    after = connection.execute(f"SELECT {selected} FROM {RELEASED}").to_arrow_table()
    before = connection.execute(f'SELECT {selected} FROM "{VIEW}"').to_arrow_table().take(pa.array(rows))
    same = after.num_rows == before.num_rows and all(
        one.combine_chunks().equals(other.combine_chunks())
        for one, other in zip(after.columns, before.columns, strict=True)
    )
    return Check("others", same, "all other columns are as they were" if same else "another column was changed")


def others_together_check(connection: Any, names: Sequence[str], suppressed: int = 0) -> Check:
    """Compare columns of :data:`RELEASED` with those of the original where it is not known which record is which.

    Parameters
    ----------
    connection : DuckDBPyConnection
    names : sequence of str
        The columns that leave as they are: the records of both have the same combinations of values, each as often.
    suppressed : int, optional
        Records of the original that were left out: so many combinations are missing.
    """
    selected = ", ".join(f"CAST({quoted(name)} AS VARCHAR)" for name in names) or "0"
    before, after = f'SELECT {selected} FROM "{VIEW}"', f"SELECT {selected} FROM {RELEASED}"
    counts = [f"(SELECT count(*) FROM ({one} EXCEPT ALL {other}))" for one, other in ((before, after), (after, before))]
    same = connection.execute(f"SELECT {', '.join(counts)}").fetchone() == (suppressed, 0)
    right = "there are as many records, and all other columns hold what they held"
    wrong = "there are not as many records, or another column was changed"
    if suppressed:
        right = f"all records but {suppressed} are there, and all other columns hold what they held"
    return Check("others", same, right if same else wrong)


@dataclass(frozen=True, slots=True, eq=False)
class WrittenRecords:
    """What a published file should be."""

    opened: OpenRecords
    """The original."""
    claim: GroupClaim
    columns: tuple[Column, ...]
    """Those that leave, in the order of the file."""
    original: ReadRecords
    """What the claim is about, as it was. Protected."""
    rows: Ints
    """Row of the original of every published record. Protected."""

    def verify(self, path: Path, delimiter: str | None = None) -> Verification:
        """Verify a file, read from the disk, by code that does not import the engine."""
        connection = self.opened.connection
        with record_errors(self.opened.source, path):
            columns = columns_check(connection, path, written_types(self.claim, self.columns), delimiter)
            if not columns.passed:
                return Verification((columns,))
            published = values_in(connection, RELEASED, self.claim, self.original.categories)
            checked = verify_microaggregation(self.claim, published, self.original.records, self.rows)
            others = [column.name for column in self.columns if column.name not in self.claim.attributes]
            return Verification((columns, *checked.checks, others_check(connection, others, self.rows)))


def read_published(path: Path, claim: GroupClaim) -> Floats:
    """Return the attributes of a published file, shape (n, attributes), in its order.

    Raises
    ------
    BadInput
        If it cannot be read, or has no such column.
    """
    with open_records(path, EdgeTableSettings()) as released:
        return published_in(released, claim)


def published_in(released: OpenRecords, claim: GroupClaim) -> Floats:
    """Return the attributes of a published file that is open, shape (n, attributes), in its order.

    Raises
    ------
    BadInput
        If it cannot be read, or has no such column.
    """
    for name in claim.attributes:
        released.named(name)
    with record_errors(released.source):
        return values_in(released.connection, VIEW, claim, categories_in(released.connection, VIEW, claim))
