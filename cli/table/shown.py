"""How commands show a stored table: names, categories and sizes, never a count."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from graphkit.numbers import count

if TYPE_CHECKING:
    from auditor.subjects.tables.repository import TableInfo
    from graphkit.hierarchies.variable import Variable

_MOST_CATEGORIES = 12


def shape_of(info: TableInfo) -> str:
    """Return the size of a table in words."""
    cells = "1 cell" if info.cells == 1 else f"{count(info.cells)} cells"
    if len(info.variables) == 1:
        return f"1 variable, {cells}"
    sizes = " × ".join(str(variable.size) for variable in info.variables)
    return f"{len(info.variables)} variables, {sizes} = {cells}"


def categories_of(variable: Variable) -> str:
    """Return the categories of a variable on one line, the first ones where there are many."""
    from auditor.formats.tables.names import quoted

    shown = ", ".join(map(quoted, variable.categories[:_MOST_CATEGORIES]))
    return shown if variable.size <= _MOST_CATEGORIES else f"{shown}, … ({variable.size})"


def minute(at: datetime) -> str:
    """Return a time to the minute."""
    return f"{at:%Y-%m-%d %H:%M}"
