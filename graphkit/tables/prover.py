"""What counts a cell can have: tables that show it, and proofs that there are no others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphkit.budget import Budget
from graphkit.errors import BrokenClaim
from graphkit.tables.branching import MOST_NODES, best_table, nodes_worth
from graphkit.tables.moves import BasicMoves
from graphkit.tables.program import MarginalProgram
from graphkit.tables.released import ReleasedMarginals
from graphkit.tables.verify import has_marginals

__all__ = ["CellProver"]


class CellProver:
    """Proven bounds of the cells of a table on one side, counts that tables really have on the other.

    Parameters
    ----------
    released : ReleasedMarginals
        The marginals.
    lower, upper : ndarray of int64, shape (n,)
        Proven bounds of all cells, in C order.
    rng : numpy.random.Generator
        Chooses the order in which moves are tried.
    table : ndarray of int64, shape (n,), optional
        A table with these marginals.
    nodes : int, optional
        Linear programs for one side of one cell, at most.

    Attributes
    ----------
    lower, upper : ndarray of int64, shape (n,)
        Proven: every table with the marginals is within.
    least, most : ndarray of int64, shape (n,)
        The least and the largest count of every cell in the tables that were found. Every one of them was checked by
        :func:`~graphkit.tables.verify.has_marginals`. Before the first one, least is above most.
    holders : list of ndarray of int64, shape (n,)
        These tables, where they are kept.
    """

    def __init__(
        self,
        released: ReleasedMarginals,
        lower: NDArray[np.int64],
        upper: NDArray[np.int64],
        rng: np.random.Generator,
        *,
        table: NDArray[np.int64] | None = None,
        keep: bool = False,
        nodes: int = MOST_NODES,
    ) -> None:
        self._released, self._rng, self._nodes, self._keep = released, rng, nodes, keep
        self.lower, self.upper = lower.copy(), upper.copy()
        self.least = np.full(lower.size, released.total + 1, dtype=np.int64)
        self.most = np.full(lower.size, -1, dtype=np.int64)
        self.holders: list[NDArray[np.int64]] = []
        self._moves = BasicMoves.of(released.shape, released.maximal)
        self._start: NDArray[np.int64] | None = None
        self._program: MarginalProgram | None = None
        self.inconsistent = False
        """Whether it is proven that there is no table."""
        if table is not None:
            self.add(table)

    def add(self, table: NDArray[np.int64]) -> None:
        """Take in a table with the marginals.

        Raises
        ------
        BrokenClaim
            If it does not have them, or is outside the proven bounds.
        """
        if not has_marginals(self._released.shape, self._released.marginals, self._released.total, table):
            raise BrokenClaim("a table does not have the released marginals")
        if (table < self.lower).any() or (table > self.upper).any():
            raise BrokenClaim("a table is outside the bounds that were proven")
        if self._start is None:
            self._start = table
        if self._keep and ((table < self.least) | (table > self.most)).any():
            self.holders.append(table)
        np.minimum(self.least, table, out=self.least)
        np.maximum(self.most, table, out=self.most)

    def walk(self, cell: int, goal: int) -> None:
        """Look for a table with a count near a goal, by moves; cheap, and proves nothing where it ends."""
        found = self._near(cell, goal)
        if found is not None and not self.least[cell] <= found[cell] <= self.most[cell]:
            self.add(found)

    def reach(self, cell: int, goal: int) -> int | None:
        """Return the count of a cell in a table that moves lead to, near a goal; None without a table to begin with."""
        found = self._near(cell, goal)
        if found is None:
            return None
        self.add(found)
        return int(found[cell])

    def _near(self, cell: int, goal: int) -> NDArray[np.int64] | None:
        if self._start is None:
            return None
        within = min(goal, int(self.upper[cell])) if goal > self.most[cell] else max(goal, int(self.lower[cell]))
        return self._moves.climb(self._start, cell, within, self._rng)

    def find(self, cell: int, low: int, high: int, budget: Budget) -> tuple[int | None, bool]:
        """Look for a table in which the count of a cell is in a range, by programs.

        Returns
        -------
        count : int or None
            Of the cell, in the table that was found.
        is_empty : bool
            Whether it is proven that no table has a count in the range.
        """
        program = self._program_now()
        objective = self._column(cell)
        lower = np.where(objective, np.maximum(program.lower, low), program.lower)
        upper = np.where(objective, np.minimum(program.upper, high), program.upper)
        if low > 0 and not objective.any():
            return None, True
        # any table will do
        found = best_table(
            program, np.zeros_like(objective), 0, budget, nodes=nodes_worth(program, self._nodes), limits=(lower, upper)
        )
        if found.table is None:
            return None, found.bound is None
        table = program.expanded(found.table)
        self.add(table)
        return int(table[cell]), False

    def raise_most(self, cell: int, budget: Budget, *, enough: int | None = None) -> bool:
        """Find the largest count of a cell, or one that is enough, or prove that there is none; False if given up."""
        return self._extreme(cell, 1, budget, enough)

    def cut_least(self, cell: int, budget: Budget, *, enough: int | None = None) -> bool:
        """Find the least count of a cell, or one that is small enough, or prove that there is none."""
        return self._extreme(cell, -1, budget, enough)

    def _extreme(self, cell: int, sign: int, budget: Budget, enough: int | None) -> bool:
        bound = int(self.upper[cell] if sign > 0 else -self.lower[cell])
        known = None if self._start is None else int(self.most[cell] if sign > 0 else -self.least[cell])
        wanted = bound if enough is None else min(bound, sign * enough)
        if self.inconsistent or (known is not None and known >= wanted):
            return True
        program = self._program_now()
        # a cell that is zero in every table has no column; any table shows its count
        found = best_table(
            program,
            sign * self._column(cell),
            bound,
            budget,
            known=known,
            enough=None if enough is None else sign * enough,
            nodes=nodes_worth(program, self._nodes),
        )
        if found.bound is None:
            self.inconsistent = True
            return True
        if found.table is not None:
            self.add(program.expanded(found.table))
        if sign > 0:
            self.upper[cell] = min(self.upper[cell], found.bound)
        else:
            self.lower[cell] = max(self.lower[cell], -found.bound)
        return not found.stopped

    def _column(self, cell: int) -> NDArray[np.int64]:
        """Return 1 for the column of a cell, 0 for the others; all 0 where it has none, and is zero in every table."""
        column: NDArray[np.int64] = (self._program_now().columns == cell).astype(np.int64)
        return column

    def _program_now(self) -> MarginalProgram:
        if self._program is None:
            self._program = MarginalProgram.within(self._released, self.lower, self.upper, self._start)
        return self._program
