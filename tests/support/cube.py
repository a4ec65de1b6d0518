"""A table whose pairs of variables are safe two by two, and not all three."""

from __future__ import annotations

import numpy as np

from auditor.formats.tables import LoadedTable
from auditor.store.opening import Store
from auditor.subjects.tables.repository import Tables
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable

__all__ = ["add_unrelated", "cube"]


def cube(more: int = 0, *, least: int = 1) -> LoadedTable:
    """Return the 2×2×2 table; `more` people in one of its cells, `least` in the smallest ones."""
    counts = np.array([least, 6, 7, 8, 9, 10 + more, 5, least]).reshape(2, 2, 2)
    return LoadedTable(ContingencyTable.from_dense(counts, [Variable(name, ("no", "yes")) for name in "ABC"]))


def add_unrelated(store: Store, name: str, loaded: LoadedTable) -> None:
    """Add a table, and declare that it has no people in common with any that looks alike."""
    Tables(store).add(name, loaded, source="f", actor="ada")
    for kinship in Tables(store).kinships(name):
        Tables(store).declare_kinship(name, kinship.table, linked=False, actor="ada")
