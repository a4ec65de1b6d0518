"""Columns of a file of records: their names and types."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from auditor.core.errors import BadInput
from auditor.formats.source import Source

Sort = Literal["number", "text", "truth", "time", "other"]

_SORTS: dict[Sort, tuple[str, ...]] = {
    "number": ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT",
               "UHUGEINT", "FLOAT", "DOUBLE", "DECIMAL"),
    "text": ("VARCHAR", "ENUM", "UUID"),
    "truth": ("BOOLEAN",),
    "time": ("DATE", "TIME", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a file of records."""

    name: str
    type: str
    """As DuckDB calls it; without the categories of an enumeration, which are values."""

    @property
    def sort(self) -> Sort:
        """What its values are.

        Examples
        --------
        >>> Column("wage", "DECIMAL(10,2)").sort, Column("tags", "VARCHAR[]").sort
        ('number', 'other')
        """
        plain = self.type if self.type.endswith("]") else self.type.partition("(")[0]
        return next((sort for sort, types in _SORTS.items() if plain in types), "other")


def named(columns: Sequence[Column], name: str, where: str) -> Column:
    """Return a column of records that are called `where` in a message.

    Raises
    ------
    BadInput
        If there is none of that name.
    """
    for column in columns:
        if column.name == name:
            return column
    known = ", ".join(repr(column.name) for column in columns)
    raise BadInput(f"{where} has no column {name!r}; it has {known}")


def columns_of(source: Source, connection: Any, relation: str) -> tuple[Column, ...]:
    """Return the columns of a view.

    Raises
    ------
    BadFile
        As :func:`check_names`.
    """
    rows = connection.execute(f'DESCRIBE "{relation}"').fetchall()
    check_names(source, [row[0] for row in rows])
    return tuple(Column(row[0], "ENUM" if row[1].startswith("ENUM") else row[1]) for row in rows)


def check_names(source: Source, names: Sequence[str]) -> None:
    """Refuse names of columns that do not tell them apart.

    Raises
    ------
    BadFile
        If a name is empty, or is there twice; names of columns tell nothing about a record.
    """
    for place, name in enumerate(names, start=1):
        if not name.strip():
            raise source.bad(
                f"has no name for column {place}; name every column in the header, or remove a title above it"
            )
    times = Counter(name.casefold() for name in names)
    twice = {name.casefold(): name for name in reversed(names) if times[name.casefold()] > 1}
    if twice:
        several = ", ".join(repr(name) for name in dict.fromkeys(names) if name in twice.values())
        raise source.bad(f"names column {several} more than once (capitals do not count); give each its own name")


class WithColumns(Protocol):
    """Records of which the columns are known: an open file, or what the store keeps of one."""

    @property
    def columns(self) -> Sequence[Column]:
        """Columns, in order."""

    def named(self, name: str) -> Column:
        """Return a column, or raise :class:`~auditor.core.errors.BadInput`."""


@dataclass(frozen=True, slots=True)
class KnownColumns:
    """Columns of records that are not opened."""

    columns: tuple[Column, ...]
    where: str
    """How messages call the records."""

    def named(self, name: str) -> Column:
        """Return a column.

        Raises
        ------
        BadInput
            If there is none of that name.
        """
        return named(self.columns, name, self.where)
