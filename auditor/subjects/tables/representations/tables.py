"""What is told of a stored table: names, categories and sizes, never a count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auditor.subjects.tables.repository import TableInfo
    from auditor.subjects.tables.stored.kinship import OpenKinship


def table_data(info: TableInfo) -> dict[str, Any]:
    """Return what is told of a table."""
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


def kinship_data(kinship: OpenKinship) -> dict[str, Any]:
    """Return what is told of another table that looks alike."""
    return {
        "table": kinship.name,
        "marginals": [{"here": [*mine], "there": [*theirs]} for mine, theirs in kinship.marginals],
        "released": kinship.is_out,
    }
