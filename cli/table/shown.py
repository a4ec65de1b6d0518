"""How commands show a stored table: names, categories and sizes, never a count."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auditor.store.tables import TableInfo
    from graphkit.tables.variable import Variable

__all__ = ["as_data", "categories_of", "minute", "shape_of"]

_MOST_CATEGORIES = 12


def as_data(info: TableInfo) -> dict[str, Any]:
    """Return what `--json` tells of a table."""
    return {
        "name": info.name,
        "version": info.version,
        "population": info.population,
        "revision": info.revision,
        "variables": info.variables,
        "cells": info.cells,
        "source": info.source,
        "created_at": info.created_at,
        "released": info.released,
    }


def shape_of(info: TableInfo) -> str:
    """Return the size of a table in words."""
    sizes = " × ".join(str(variable.size) for variable in info.variables)
    variables = "1 variable" if len(info.variables) == 1 else f"{len(info.variables)} variables"
    return f"{variables}, {sizes}{f' = {info.cells}' if len(info.variables) > 1 else ''} cells"


def categories_of(variable: Variable) -> str:
    """Return the categories of a variable on one line, the first ones where there are many."""
    shown = ", ".join(variable.categories[:_MOST_CATEGORIES])
    return shown if variable.size <= _MOST_CATEGORIES else f"{shown}, … ({variable.size})"


def minute(at: datetime) -> str:
    """Return a time to the minute."""
    return f"{at:%Y-%m-%d %H:%M}"
