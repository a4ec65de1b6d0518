"""The values that single records out: protected, for the owner of the data on purpose."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from auditor.formats.records.columns import Column
from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import VIEW, OpenRecords
from graphkit.microdata.risk.relation import quoted


@dataclass(frozen=True, slots=True)
class ExposedClass:
    """A small class: what its records have in common. Protected."""

    values: tuple[Any, ...]
    """Of the quasi-identifiers, in their order, as text; None where one is missing."""
    records: int


def exposed_classes(opened: OpenRecords, quasi_identifiers: Sequence[str], k: int, most: int) -> list[ExposedClass]:
    """Return the classes of fewer than `k` records, the smallest first and then by their values, `most` at most."""
    values = [_comparable(opened.named(name)) for name in quasi_identifiers]
    texts = ", ".join(f"CAST({value} AS VARCHAR)" for value in values)
    grouped = ", ".join(values)
    # count(*) has no name that a column could have
    query = (
        f'SELECT {texts}, count(*) FROM "{VIEW}" GROUP BY {grouped} HAVING count(*) < ? '
        f"ORDER BY count(*), {grouped} LIMIT ?"
    )
    with record_errors(opened.source):
        rows = opened.connection.execute(query, [k, most]).fetchall()
    return [ExposedClass(tuple(row[:-1]), int(row[-1])) for row in rows]


def _comparable(column: Column) -> str:
    """Return what is grouped: NaN is missing, as for the figures."""
    name = quoted(column.name)
    if column.type not in ("FLOAT", "DOUBLE"):
        return name
    return f"CASE WHEN isnan({name}) THEN NULL ELSE {name} END"
