"""What is published of a stored table: names, categories and sizes, never a count."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from auditor.core.representation import Representation

if TYPE_CHECKING:
    from auditor.subjects.tables.repository import TableInfo
    from auditor.subjects.tables.stored.kinship import OpenKinship


class VariableOut(Representation):
    """A variable of a table."""

    name: str
    categories: list[str]


class TableOut(Representation):
    """A stored table."""

    name: str
    version: int
    population: str
    revision: int
    variables: list[VariableOut]
    cells: int
    source: str
    created_at: datetime
    released: int


def table_data(info: TableInfo) -> dict[str, Any]:
    """Return a table for `--json`."""
    return TableOut.from_record(info).model_dump()


def kinship_data(kinship: OpenKinship) -> dict[str, Any]:
    """Return another table that looks alike."""
    return {
        "table": kinship.name,
        "marginals": [{"here": [*mine], "there": [*theirs]} for mine, theirs in kinship.marginals],
        "released": kinship.is_out,
    }
