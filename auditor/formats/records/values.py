"""How many values the columns of a file have: it tells names from categories, and records from ties and counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from auditor.formats.records.columns import Column
from auditor.formats.records.errors import record_errors

if TYPE_CHECKING:
    from auditor.formats.records.opening import OpenRecords

_MOST_COLUMNS = 200
# values of more records are estimated
_COUNTED_WHOLE = 100_000
_FEW_RECORDS = 20
# of fewer records numbers such as ages may differ as well
_FEW_NUMBERED = 200
# a running number leaves few numbers out
_GAPS = 3
# rows of a file whose first two columns are compared: which vertices a network has shows soon
_COMPARED = 1_000_000
_SHARED = 0.2
# names with more ties than that each are categories
_MOST_TIES = 100
_COUNTED = ("text", "number", "time", "truth")


@dataclass(frozen=True, slots=True)
class ValueCounts:
    """Numbers of values; none is known of a file that is no table of columns."""

    records: int = 0
    distinct: Mapping[str, int] = field(default_factory=dict)
    """How many values each column has, about so in a large file."""
    naming: tuple[str, ...] = ()
    """Columns of text, or of running numbers, in which every record has another value; none among few records."""
    has_shared_ends: bool = False
    """Whether the first two columns are text, and many values of one are values of the other, as ends of ties are."""
    has_one_row_a_cell: bool = False
    """Whether one column is of numbers, and no combination of the others comes twice, as in a table of counts."""

    def is_rare(self, name: str, k: int) -> bool:
        """Whether a value of a column belongs to fewer than k records on average."""
        return self.records < k * self.distinct.get(name, 0)


def count_values(opened: OpenRecords) -> ValueCounts:
    """Return how many values the columns of a file have.

    Parameters
    ----------
    opened : OpenRecords

    Notes
    -----
    O(n) time a column: estimates tell most columns from those that may name records, and only those are counted.
    """
    n, distinct, naming = _counted(opened)
    if not distinct:
        return ValueCounts()
    return ValueCounts(n, distinct, naming, _has_shared_ends(opened), _has_one_row_a_cell(opened, n))


def naming_columns(opened: OpenRecords) -> tuple[str, ...]:
    """Return the columns that name records: :attr:`ValueCounts.naming` alone."""
    return _counted(opened)[2]


def _counted(opened: OpenRecords) -> tuple[int, dict[str, int], tuple[str, ...]]:
    """Return how many records there are, and values of each column, and the columns that name records."""
    columns = [column for column in opened.columns if column.sort in _COUNTED][:_MOST_COLUMNS]
    if not columns:
        return 0, {}, ()
    (n,) = _asked(opened, ["count(*)"])
    how = "count(DISTINCT {})" if n <= _COUNTED_WHOLE else "approx_count_distinct({})"
    about = _asked(opened, [how.format(_quoted(column)) for column in columns])
    distinct = {column.name: count for column, count in zip(columns, about, strict=True)}
    likely = [column for column in columns if 2 * distinct[column.name] > n and _may_name(column, n)]
    return n, distinct, _naming(opened, likely, n) if likely else ()


def _asked(opened: OpenRecords, wanted: Sequence[str]) -> tuple[int, ...]:
    from auditor.formats.records.opening import VIEW

    with record_errors(opened.source):
        return tuple(opened.connection.execute(f'SELECT {", ".join(wanted)} FROM "{VIEW}"').fetchone())


def _quoted(column: Column) -> str:
    from graphkit.microdata.risk.relation import quoted

    return quoted(column.name)


def _may_name(column: Column, n: int) -> bool:
    if column.sort == "text":
        return n > _FEW_RECORDS
    return column.sort == "number" and "INT" in column.type and n > _FEW_NUMBERED


def _naming(opened: OpenRecords, likely: Sequence[Column], n: int) -> tuple[str, ...]:
    """Return which of some columns have another value in every record, numbers without large gaps."""
    wanted = [part for column in likely for part in (f"count(DISTINCT {_quoted(column)})", _span(column))]
    found = _asked(opened, wanted)
    told = zip(likely, found[::2], found[1::2], strict=True)
    return tuple(column.name for column, count, span in told if count == n and span <= _GAPS * n)


def _span(column: Column) -> str:
    """Return what measures how far numbers lie apart; text does not."""
    name = _quoted(column)
    return "0" if column.sort == "text" else f"coalesce(max({name})::HUGEINT - min({name}), 0)"


def _has_shared_ends(opened: OpenRecords) -> bool:
    if [column.sort for column in opened.columns[:2]] != ["text", "text"]:
        return False
    from auditor.formats.records.opening import VIEW

    one, other = map(_quoted, opened.columns[:2])
    with record_errors(opened.source):
        rows, low, high, both = opened.connection.execute(
            f"""WITH rows AS (SELECT {one} AS one, {other} AS other FROM "{VIEW}" LIMIT {_COMPARED}),
            low AS (SELECT DISTINCT one FROM rows), high AS (SELECT DISTINCT other FROM rows)
            SELECT (SELECT count(*) FROM rows), (SELECT count(*) FROM low), (SELECT count(*) FROM high),
                (SELECT count(*) FROM low JOIN high ON one = other)"""
        ).fetchone()
    return bool(both > 1 and both >= _SHARED * min(low, high) and rows <= _MOST_TIES * (low + high - both))


def _has_one_row_a_cell(opened: OpenRecords, n: int) -> bool:
    numbers = [column for column in opened.columns if column.sort == "number"]
    others = [column for column in opened.columns if column.sort in ("text", "truth")]
    if len(numbers) != 1 or not others or len(others) + 1 != len(opened.columns) or n < 2:
        return False
    names = list(map(_quoted, others))
    cells, *each = _asked(
        opened, [f"count(DISTINCT row({', '.join(names)}))", *(f"count(DISTINCT {n})" for n in names)]
    )
    # a column that names each row makes any combination another one
    return cells == n and max(each) < n
