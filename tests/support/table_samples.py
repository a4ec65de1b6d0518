"""Tables for the tests of the store."""

from __future__ import annotations

import numpy as np

from auditor.formats.tables import LoadedTable
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable

__all__ = ["loaded_table", "same_table"]


def loaded_table(seed: int, shape: tuple[int, ...] = (2, 3, 2), *, prefix: str = "v") -> LoadedTable:
    """Return a random table with zeros among its counts and names that need quoting."""
    generator = np.random.default_rng(seed)
    counts = generator.integers(0, 9, shape) * (generator.random(shape) < 0.7)
    counts.flat[0] = 5 + seed
    variables = [
        Variable(f'{prefix} "{axis}", é', tuple(f"'{axis}' {code}" for code in range(size)))
        for axis, size in enumerate(shape)
    ]
    return LoadedTable(ContingencyTable.from_dense(counts, variables))


def same_table(a: ContingencyTable, b: ContingencyTable) -> bool:
    """Whether two tables are equal, the order of categories included."""
    return (
        a.variables == b.variables and a.cells.tolist() == b.cells.tolist() and a.counts.tolist() == b.counts.tolist()
    )
