"""The linear program of a table with given marginals, and bounds of it that are proven in whole numbers."""

import math

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.budget import Budget
from graphkit.errors import InvalidInput
from graphkit.solver import linear_program, new_solver
from graphkit.tables.programs._corner_rows import corner_rows
from graphkit.tables.programs._equations import Equations
from graphkit.tables.structure.contingency import dense_counts
from graphkit.tables.structure.released import ReleasedMarginals

_WHOLE = 1e-6
_FEW = 6_000
_ADDED = 1_000
_PRICE = 1e-9
_MOST_WEIGHT = 2**20
# what the solver does, in units of work: some nanoseconds each
_WORK_A_ROW, _WORK_AN_ENTRY = 100, 5
_MOST_ITERATIONS = 2**31 - 1


class Optimum:
    """What a linear program of one objective says.

    Attributes
    ----------
    bound : int or None
        No table has a larger value; proven in whole numbers. None: no table is within the limits, proven likewise.
    table : ndarray of int64 or None
        Counts of the columns, if the solution that was found is of whole numbers; it satisfies every marginal.
    values : ndarray of float
        The solution that was found, by column.
    """

    __slots__ = ("bound", "table", "values")

    def __init__(self, bound: int | None, table: Ints | None, values: Floats) -> None:
        self.bound, self.table, self.values = bound, table, values


class MarginalProgram:
    """All tables with given marginals, without the demand that counts are whole.

    Parameters
    ----------
    released : ReleasedMarginals
        The marginals.
    columns : ndarray of int64, shape (c,)
        Numbers of the cells that may be positive, ascending.
    lower, upper : ndarray of int64, shape (c,)
        Bounds of these cells; every table with the marginals must respect them.
    start : ndarray of int64, shape (c,), optional
        Counts of a table with the marginals. In a large program the solver is given its cells first, and others as
        their prices ask for them.

    Notes
    -----
    *Rows.* One for every set of variables within a released marginal and every combination of categories but one fixed
    category of each variable: they are independent, and all others follow from them.

    *Proof.* HiGHS computes in floating point, so its optimum proves nothing. Its multipliers do, and the rays of the
    dual, rounded and summed in whole numbers (:class:`~graphkit.tables.programs._equations.Equations`).
    """

    def __init__(
        self, released: ReleasedMarginals, columns: Ints, lower: Ints, upper: Ints, start: Ints | None = None
    ) -> None:
        self.columns, self.lower, self.upper = columns, lower.astype(np.int64), upper.astype(np.int64)
        self._table_size = math.prod(released.shape)
        self._equations = Equations(*corner_rows(released, columns))
        rows, entries = self._equations.matrix.height, self._equations.matrix.entries
        self._work_an_iteration = _WORK_A_ROW * rows
        self._work_a_run = _WORK_AN_ENTRY * entries
        self._solver = new_solver()
        # the columns that the solver knows; in large programs few of them are ever used
        self._active = np.arange(columns.size)
        if start is not None and columns.size > _FEW:
            # the solver takes no program without columns for solved
            self._active = np.flatnonzero((start > 0) | (self.lower > 0) | (np.arange(columns.size) == 0))
        self._is_active = np.isin(np.arange(columns.size), self._active)
        self._pass()

    @classmethod
    def within(
        cls, released: ReleasedMarginals, lower: Ints, upper: Ints, start: Ints | None = None
    ) -> "MarginalProgram":
        """Return the program with a column for every cell that may be positive.

        Parameters
        ----------
        released : ReleasedMarginals
            The marginals.
        lower, upper : ndarray of int64, shape (n,)
            Proven bounds of all cells, in C order.
        start : ndarray of int64, shape (n,), optional
            A table with the marginals.
        """
        columns = np.flatnonzero(upper > 0)
        return cls(released, columns, lower[columns], upper[columns], None if start is None else start[columns])

    def expanded(self, counts: Ints) -> Ints:
        """Return the counts of all cells, in C order, given those of the columns."""
        return dense_counts(self.columns, counts, self._table_size)

    @property
    def size(self) -> int:
        """Number of columns."""
        return int(self.columns.size)

    def _pass(self) -> None:
        matrix, right = self._equations.matrix.chosen(self._active), self._equations.right.astype(float)
        limits = self.lower[self._active].astype(float), self.upper[self._active].astype(float)
        entries = matrix.starts, matrix.rows, np.ones(matrix.entries)
        self._solver.passModel(
            linear_program(np.zeros(self._active.size), limits, (right, right), entries, maximize=True)
        )

    def _add(self, new: Ints, objective: Ints, low: Ints, high: Ints) -> None:
        """Let the solver know more columns."""
        matrix = self._equations.matrix.chosen(new)
        self._solver.addCols(
            new.size,
            objective[new].astype(float),
            low[new].astype(float),
            high[new].astype(float),
            matrix.entries,
            matrix.starts[:-1].astype(np.int32),
            matrix.rows.astype(np.int32),
            np.ones(matrix.entries),
        )
        self._active = np.concatenate((self._active, new))
        self._is_active[new] = True

    def maximum(
        self, objective: Ints, budget: Budget, lower: Ints | None = None, upper: Ints | None = None
    ) -> Optimum | None:
        """Return the largest value of an objective over the tables, as far as linear programming tells.

        Parameters
        ----------
        objective : ndarray of int64, shape (c,)
            Weight of every column, of less than 2^20.
        budget : Budget
            Ends the solver early.
        lower, upper : ndarray of int64, shape (c,), optional
            Narrower bounds, for this time.

        Returns
        -------
        Optimum or None
            None if the time ran out or the solver did not answer: nothing is known then.

        Raises
        ------
        InvalidInput
            If a weight is too large.
        """
        import highspy

        if np.abs(objective).max(initial=0) >= _MOST_WEIGHT:
            raise InvalidInput("weights of an objective must be below 2^20")
        low, high = self.lower if lower is None else lower, self.upper if upper is None else upper
        if (low > high).any():
            return Optimum(None, None, np.empty(0))
        if self.size == 0:
            nobody = np.empty(0, dtype=np.int64)
            return Optimum(None, None, np.empty(0)) if self._equations.right.any() else Optimum(0, nobody, np.empty(0))
        every = np.arange(self._active.size, dtype=np.int32)
        active = self._active
        self._solver.changeColsBounds(every.size, every, low[active].astype(float), high[active].astype(float))
        self._solver.changeColsCost(every.size, every, objective[active].astype(float))
        needed = np.flatnonzero(~self._is_active & ((objective != 0) | (low > 0)))
        if needed.size:
            self._add(needed, objective, low, high)
        while True:
            if budget.time_limit is not None:
                self._solver.setOptionValue("time_limit", self._solver.getRunTime() + max(0.01, budget.remaining()))
            if budget.work_limit is not None:
                iterations = min(budget.work_left() // self._work_an_iteration + 1, _MOST_ITERATIONS)
                self._solver.setOptionValue("simplex_iteration_limit", int(iterations))
            self._solver.run()
            budget.charge(self._work_a_run + self._solver.getInfo().simplex_iteration_count * self._work_an_iteration)
            status = self._solver.getModelStatus()
            if status == highspy.HighsModelStatus.kOptimal:
                solution = self._solver.getSolution()
                multipliers = np.array(solution.row_dual)
                prices = objective - self._equations.weights(multipliers)
            elif status == highspy.HighsModelStatus.kInfeasible:
                ray = self._ray(low, high)
                if ray is None:
                    return None
                if self._equations.contradict(ray, low, high):
                    return Optimum(None, None, np.empty(0))
                prices = -self._equations.weights(ray)
            else:
                return None
            wanted = np.flatnonzero((prices > _PRICE) & ~self._is_active & (high > 0))
            if wanted.size == 0:
                break
            self._add(np.sort(wanted[np.argsort(-prices[wanted], kind="stable")[:_ADDED]]), objective, low, high)
        if status != highspy.HighsModelStatus.kOptimal:
            return None
        values = np.zeros(self.size)
        values[self._active] = np.array(solution.col_value)
        bound = self._equations.bound(objective, multipliers, low, high)
        return Optimum(bound, self._whole(values, low, high), values)

    def _ray(self, low: Ints, high: Ints) -> Floats | None:
        """Return multipliers that show, up to rounding, that the columns known to the solver allow no table."""
        _, has_ray, values = self._solver.getDualRay()
        ray = np.asarray(values, dtype=float)
        largest = np.abs(ray).max(initial=0.0)
        if not has_ray or not np.isfinite(largest) or largest == 0:
            return None
        # HiGHS leaves its sign open
        return self._equations.directed(ray / largest, self._active, low, high)

    def _whole(self, values: Floats, lower: Ints, upper: Ints) -> Ints | None:
        """Return the values as whole numbers, if they are and satisfy every row exactly."""
        rounded = np.rint(values)
        if np.abs(values - rounded).max(initial=0.0) > _WHOLE * max(1.0, float(np.abs(values).max(initial=0.0))):
            return None
        table = rounded.astype(np.int64)
        if (table < lower).any() or (table > upper).any() or not self._equations.hold(table):
            return None
        return table
