"""What counts a cell can have: tables that show it, and proofs that there are no others."""

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.budget import Budget
from graphkit.errors import BrokenClaim
from graphkit.tables.moves.basic_moves import BasicMoves, filled_rows
from graphkit.tables.moves.walks import EFFORT, TableWalk
from graphkit.tables.programs.branching import MOST_NODES, best_table, nodes_worth
from graphkit.tables.programs.program import MarginalProgram
from graphkit.tables.structure.released import ReleasedMarginals
from graphkit.tables.verify import has_marginals, keeps_marginals

# of more changes, the whole table is as soon checked
_MOST_CHANGES = 512


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
        :func:`~graphkit.tables.verify.has_marginals`; one that moves led to, by what differs from the first one
        (:func:`~graphkit.tables.verify.keeps_marginals`). Before the first one, least is above most.
    holders : list of ndarray of int64, shape (n,)
        These tables, where they are kept.
    """

    def __init__(
        self,
        released: ReleasedMarginals,
        lower: Ints,
        upper: Ints,
        rng: Rng,
        *,
        table: Ints | None = None,
        keep: bool = False,
        nodes: int = MOST_NODES,
    ) -> None:
        self._released, self._rng, self._nodes, self._keep = released, rng, nodes, keep
        self.lower, self.upper = lower.copy(), upper.copy()
        self.least = np.full(lower.size, released.total + 1, dtype=np.int64)
        self.most = np.full(lower.size, -1, dtype=np.int64)
        self.holders: list[Ints] = []
        self._start: Ints | None = None
        self._walk: TableWalk | None = None
        self._shape = np.array(released.shape, dtype=np.int64)
        self._sets = filled_rows(released.maximal)
        self._program: MarginalProgram | None = None
        self.inconsistent = False
        """Whether it is proven that there is no table."""
        if table is not None:
            self.add(table)

    def add(self, table: Ints) -> None:
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
            # nobody changes it any more: what is found later is given by what differs from it
            self._start = table.astype(np.int64)
            self._start.flags.writeable = False
        if self._keep and ((table < self.least) | (table > self.most)).any():
            self.holders.append(table)
        np.minimum(self.least, table, out=self.least)
        np.maximum(self.most, table, out=self.most)

    def _add_changes(self, cells: Ints, changes: Ints) -> None:
        """Take in a table that differs from the first one in some cells, in time that depends on these alone.

        Raises
        ------
        BrokenClaim
            As :meth:`add`.
        """
        assert self._start is not None
        if self._keep or cells.size > _MOST_CHANGES:
            table = self._start.copy()
            table[cells] += changes
            self.add(table)
            return
        if not keeps_marginals(self._shape, self._sets, self._start, cells, changes):
            raise BrokenClaim("a table does not have the released marginals")
        counts = self._start[cells] + changes
        if (counts < self.lower[cells]).any() or (counts > self.upper[cells]).any():
            raise BrokenClaim("a table is outside the bounds that were proven")
        self.least[cells] = np.minimum(self.least[cells], counts)
        self.most[cells] = np.maximum(self.most[cells], counts)

    def walk(self, cell: int, goal: int, budget: Budget | None = None, *, effort: int = EFFORT) -> None:
        """Look for a table with a count near a goal, by moves; cheap, and proves nothing where it ends."""
        if self._start is not None:
            cells, changes = self._towards(cell, goal, budget, effort)
            count = self._counted(cell, cells, changes)
            if not self.least[cell] <= count <= self.most[cell]:
                self._add_changes(cells, changes)

    def reach(self, cell: int, goal: int, budget: Budget | None = None) -> int | None:
        """Return the count of a cell in a table that moves lead to, near a goal; None without a table to begin with."""
        if self._start is None:
            return None
        cells, changes = self._towards(cell, goal, budget, EFFORT)
        self._add_changes(cells, changes)
        return self._counted(cell, cells, changes)

    def _counted(self, cell: int, cells: Ints, changes: Ints) -> int:
        """Return the count of a cell in a table that differs from the first one."""
        assert self._start is not None
        place = int(np.searchsorted(cells, cell))
        there = place < cells.size and cells[place] == cell
        return int(self._start[cell] + (changes[place] if there else 0))

    def _towards(self, cell: int, goal: int, budget: Budget | None, effort: int) -> tuple[Ints, Ints]:
        assert self._start is not None
        if self._walk is None:
            moves = BasicMoves.of(self._released.shape, self._released.maximal)
            self._walk = TableWalk(moves, self._released.maximal, self._start)
        within = min(goal, int(self.upper[cell])) if goal > self.most[cell] else max(goal, int(self.lower[cell]))
        before = self._walk.work
        found = self._walk.towards(cell, within, self._rng, effort=effort)
        if budget is not None:
            budget.charge(self._walk.work - before + found[0].size * self._sets.size)
        return found

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

    def _column(self, cell: int) -> Ints:
        """Return 1 for the column of a cell, 0 for the others; all 0 where it has none, and is zero in every table."""
        column: Ints = (self._program_now().columns == cell).astype(np.int64)
        return column

    def _program_now(self) -> MarginalProgram:
        if self._program is None:
            self._program = MarginalProgram.within(self._released, self.lower, self.upper, self._start)
        return self._program
