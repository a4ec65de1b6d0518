"""The values that single records out: protected, for the owner of the data on purpose."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from auditor.formats.records.columns import Column
from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import VIEW, OpenRecords


@dataclass(frozen=True, slots=True)
class ExposedClass:
    """A small class: what its records have in common. Protected."""

    values: tuple[Any, ...]
    """Of the quasi-identifiers, in their order, as text; None where one is missing."""
    records: int


def exposed_classes(opened: OpenRecords, quasi_identifiers: Sequence[str], k: int, most: int) -> list[ExposedClass]:
    """Return the classes of fewer than `k` records, the smallest first and then by their values, `most` at most."""
    names = [opened.named(name).name for name in quasi_identifiers]
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    values = [_comparable(opened.named(name), held) for name, held in zip(names, quoted, strict=True)]
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


def _comparable(column: Column, quoted: str) -> str:
    """Return what is grouped: NaN is missing, as for the figures."""
    if column.type not in ("FLOAT", "DOUBLE"):
        return quoted
    return f"CASE WHEN isnan({quoted}) THEN NULL ELSE {quoted} END"
