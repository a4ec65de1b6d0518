"""Tables to start chains from: found from the released marginals alone, so that they know nothing else."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from graphkit.budget import Budget
from graphkit.tables.branching import best_table
from graphkit.tables.frechet_witness import SparseCounts, reducible_witness
from graphkit.tables.hypergraph import Axes
from graphkit.tables.hypergraph_components import ReducibleDecomposition
from graphkit.tables.outer import outer_bounds
from graphkit.tables.program import MarginalProgram
from graphkit.tables.released import ReleasedMarginals

__all__ = ["StartTables", "whole_start"]

_MOST_COLUMNS = 20_000
_LEAST_NODES, _MOST_NODES = 20, 500
_NODES_TIMES_COLUMNS = 400_000
_WEIGHT = 1_000


class StartTables:
    """Tables with given marginals that are far from each other: corners of the polytope, in directions at random.

    Parameters
    ----------
    released : ReleasedMarginals
    """

    def __init__(self, released: ReleasedMarginals, budget: Budget) -> None:
        self._released = released
        self._program: MarginalProgram | None = None
        if math.prod(released.shape) > _MOST_COLUMNS:
            return
        bounds = outer_bounds(released, budget=budget)
        self.inconsistent = bounds.inconsistent
        columns = np.flatnonzero(bounds.upper > 0)
        if not bounds.inconsistent:
            self._program = MarginalProgram(released, columns, bounds.lower[columns], bounds.upper[columns])

    inconsistent = False
    """Whether it is proven that there is no table."""

    def draw(self, rng: np.random.Generator, budget: Budget) -> NDArray[np.int64] | None:
        """Return a table in C order, or None if none was found within the work that is worth it."""
        program = self._program
        if program is None:
            return None
        weights = rng.integers(-_WEIGHT, _WEIGHT + 1, size=program.size)
        ends = np.where(weights > 0, program.upper, program.lower)
        bound = sum(a * b for a, b in zip(weights.tolist(), ends.tolist(), strict=True))
        nodes = min(max(_LEAST_NODES, _NODES_TIMES_COLUMNS // max(program.size, 1)), _MOST_NODES)
        # any table will do: the first one that is whole ends the search
        found = best_table(program, weights, bound, budget, enough=-_WEIGHT * self._released.total, nodes=nodes)
        self.inconsistent |= found.bound is None
        if found.table is None:
            return None
        table = np.zeros(math.prod(self._released.shape), dtype=np.int64)
        table[program.columns] = found.table
        return table


def whole_start(
    released: ReleasedMarginals,
    decomposition: ReducibleDecomposition,
    tables: Mapping[Axes, NDArray[np.int64]],
    rng: np.random.Generator,
) -> SparseCounts:
    """Return a table glued from tables of the components, as unevenly as possible, in a cell at random."""
    sparse = {}
    for axes, table in tables.items():
        cells = np.flatnonzero(table).astype(np.int64)
        sparse[axes] = (cells, table[cells])
    cell = int(rng.integers(math.prod(released.shape)))
    return reducible_witness(released, sparse, cell, "lower" if rng.integers(2) else "upper")
