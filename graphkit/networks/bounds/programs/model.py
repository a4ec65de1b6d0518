"""The integer program over groups and hubs, as HiGHS solves it; see :mod:`graphkit.networks.bounds.hub_program`."""

import math

import highspy
import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.budget import Budget
from graphkit.networks.bounds.programs.gifts import Gifts
from graphkit.networks.bounds.programs.rounds import falls_short, has_stalled
from graphkit.networks.bounds.programs.rows import TOLERANCE, Rows
from graphkit.networks.bounds.programs.solving import make_integral, run
from graphkit.networks.bounds.programs.whole_rows import Groups, LevelRows, Places, Row
from graphkit.networks.core.fractional_sets import violated_sets
from graphkit.networks.core.high_degree_core import HighDegreeCore, Positions
from graphkit.networks.core.violated_sets import violated_set_of
from graphkit.networks.sequences.group_costs import least_from
from graphkit.solver import linear_program, new_solver

SPARE = 0.01
"""All numbers are integers: an inequality that holds, holds with so much to spare, whatever the solver rounds."""
_NEVER = 1 << 40
# a step takes about the root of columns times rows by this
_PARTS = 20
_STEPS_OF_A_NODE = 200
_NODES = 500
# presolving and the cuts before it branches take about as long as columns times entries by this
_ENTRIES = 5
ROOT = 450
"""The first node of a program of c columns, with all its cuts, takes about c³ steps times columns by this."""
_NODES_TIMES_COLUMNS = 2_200_000
FAST = 3
"""Steps of the simplex method in a linear program that take as long as one while it is branched on."""


def edges_of(demands: float) -> int:
    """Return the number of edges of a sum of demands that is at least this value."""
    if not math.isfinite(demands):
        return 1 << 40 if demands > 0 else 0
    return math.ceil(math.ceil(demands - 0.05) / 2)


def number_of_columns(positions: Positions, hubs: int, upper: Ints, possible: Bools) -> int:
    """Return the :attr:`HubProgram.size` of the program of these, which need not be made for it."""
    borders = _borders_behind(upper, hubs, least_from(positions.degrees, positions.k, 1, 0, 0))
    places = np.count_nonzero(possible[:, np.unique(upper[:, 2])])
    return int(upper.shape[0] + borders.size + places + 1)


def _borders_behind(upper: Ints, hubs: int, rest: Ints) -> Ints:
    """Return where groups may end behind all hubs, so that the rest can be in groups."""
    borders = np.unique(upper[:, 1])
    behind: Ints = borders[(borders >= hubs) & (rest[borders] < _NEVER)]
    return behind


class HubProgram:
    """Chooses the groups that hubs can be in, the border behind them, and the level of every vertex before it.

    Parameters
    ----------
    positions : Positions
        The highest vertices, and the degrees of all.
    hubs : int
        Number of vertices h whose inequalities count.
    levels : ndarray of int64, shape (l,)
        The distinct degrees, descending.
    upper : ndarray of int64, shape (u, 3)
        Begin, end and index of the level of every group that may hold hubs.
    possible : ndarray of bool, shape (v, l')
        On which of the first levels each of the first v positions can be, v the last end of a group.
    """

    def __init__(self, positions: Positions, hubs: int, levels: Ints, upper: Ints, possible: Bools) -> None:
        core, degrees, k = positions.core, positions.degrees, positions.k
        self.hubs, self._last, self._degrees = hubs, possible.shape[0], degrees
        # no other vertex is ever in a set
        self._core = HighDegreeCore(
            core.vertices[:hubs], core.degrees[:hubs], np.ascontiguousarray(core.joinable[:hubs, :hubs])
        )
        used, index = np.unique(upper[:, 2], return_inverse=True)
        index = index.reshape(-1)
        self._vertex, level = np.nonzero(possible[:, used])
        self._demand = levels[used[level]] - degrees[self._vertex]
        rest = least_from(degrees, k, 1, 0, 0)
        self._borders = _borders_behind(upper, hubs, rest)
        # columns: groups, borders, vertices on levels, slack
        self._first_place = upper.shape[0] + self._borders.size
        self._slack = self._first_place + self._vertex.size
        self._behind = slice(upper.shape[0], self._first_place)
        self._gifts = Gifts(positions, hubs, self._vertex, self._demand, self._borders)
        self.work = 0
        """Steps of the simplex method so far, times the columns."""
        self.linear = 0
        """Units, about, that linear programs took so far."""
        self._middle: Floats | None = None
        """Half of the last solution of the linear program, a quarter of the one before, …"""
        self.has_settled = False
        """Whether what the linear program violates tells little any more."""
        self._solver = new_solver(mip_rel_gap=0.0)
        self._rows = Rows(self._solver)
        prefix = np.concatenate(([0], np.cumsum(degrees)))
        costs = (upper[:, 1] - upper[:, 0]) * levels[upper[:, 2]] - (prefix[upper[:, 1]] - prefix[upper[:, 0]])
        self.open = self._slack + 1
        """Columns that are not left out."""
        self.cost = np.concatenate((costs, rest[self._borders], np.zeros(self._vertex.size), [1.0]))
        self._build(upper, index, used.size, level)
        self._order_twins(core.joinable[:hubs])
        self._groups = Groups(upper[:, 0], upper[:, 1], index, used.size, k)
        self._places = Places(self._vertex, self._demand, level, self._first_place)
        self._levels = LevelRows(self._groups, self._places)

    @property
    def size(self) -> int:
        """Number of variables."""
        return int(self.cost.size)

    @property
    def sets(self) -> list[Bools]:
        """The sets whose inequalities are demanded, shape (h,) each."""
        return [np.frombuffer(key, dtype=np.bool_) for key in self._rows.named]

    def _build(self, upper: Ints, index: Ints, number: int, level: Ints) -> None:
        """Pass columns, borders, levels and vertices to the solver."""
        last = self._last
        groups = np.arange(upper.shape[0])
        behind = upper.shape[0] + np.arange(self._borders.size)
        places = self._first_place + np.arange(self._vertex.size)
        first_vertex = last + 1 + number
        # row, column and value of the entries
        entries: list[tuple[Ints, Ints | int, Ints | int]] = [
            # where a group ends another begins, or the rest does
            (upper[:, 0], groups, 1),
            (upper[:, 1], groups, -1),
            (self._borders, behind, 1),
            # a level has as many vertices as places
            (last + 1 + index, groups, upper[:, 0] - upper[:, 1]),
            (last + 1 + level, places, 1),
            # a vertex is on one level, or in the rest
            (first_vertex + self._vertex, places, 1),
            *(
                (np.arange(first_vertex + border, first_vertex + last), column, 1)
                for column, border in zip(behind, self._borders, strict=True)
            ),
        ]
        right = np.zeros(first_vertex + last)
        right[0] = 1
        right[first_vertex:] = 1
        row, column, value = (
            np.concatenate([np.broadcast_to(entry[part], entry[0].shape) for entry in entries]) for part in range(3)
        )
        order = np.argsort(column, kind="stable")
        starts = np.concatenate(([0], np.cumsum(np.bincount(column, minlength=self.size))))
        limits = (np.zeros(self.size), np.concatenate((np.ones(self.size - 1), [highspy.kHighsInf])))
        model = linear_program(self.cost, limits, (right, right), (starts, row[order], value[order].astype(np.float64)))
        self._solver.passModel(model)

    def _order_twins(self, joinable: Bools) -> None:
        """Demand that of two vertices that are exchangeable the first ends on no lower level; the rest is lowest.

        Hubs of one degree with the same neighbours are, as far as those are known, and so are all others of one degree.
        """
        hubs, last = self.hubs, self._last
        for rows in (joinable, joinable | np.eye(*joinable.shape, dtype=np.bool_)):
            latest: dict[bytes, int] = {}
            for v in range(hubs):
                key = rows[v].tobytes() + int(self._degrees[v]).to_bytes(8)
                if key in latest:
                    self._order(latest[key], v)
                latest[key] = v
        for v in range(hubs + 1, last):
            if self._degrees[v] == self._degrees[v - 1]:
                self._order(v - 1, v)

    def _order(self, first: int, second: int) -> None:
        row = np.zeros(self.size)
        ends = (self._demand + self._degrees[self._vertex] + 1).astype(float)
        for v, sign in ((first, 1.0), (second, -1.0)):
            places = np.flatnonzero(self._vertex == v)
            row[self._first_place + places] = sign * ends[places]
        self._rows.demand(-SPARE, highspy.kHighsInf, row)

    def cut(self, members: Bools) -> bool:
        """Demand the inequality of a set of hubs, shape (h,); return whether it is new."""
        return self._rows.demand_named(members.tobytes(), lambda: self._inequality(members))

    def _inequality(self, members: Bools) -> Row:
        violated_set = violated_set_of(self._core, members)
        row = self._given_to(members)
        of_hubs = np.flatnonzero(self._vertex < self.hubs)
        caps, demands = violated_set.caps(self.hubs)[self._vertex[of_hubs]], self._demand[of_hubs]
        row[self._first_place + of_hubs] = np.where(caps < 0, demands, -np.minimum(demands, caps))
        columns = np.flatnonzero(row)
        return Row(columns, row[columns], 2 * violated_set.pairs + SPARE)

    def _given_to(self, members: Bools) -> Floats:
        """Return the row of what all but the hubs give to a set of these, and of the slack, shape (:attr:`size`,)."""
        row, (given, behind) = np.zeros(self.size), self._gifts.to(members)
        row[self._first_place + self._gifts.columns] = -given
        row[self._behind] = -behind
        row[self._slack] = -1.0
        return row

    def set_aside(self) -> None:
        """Demand sets no more that the present solution of the linear program does not reach, until one violates them.

        Each is a dense row; with hundreds of them the solver takes seconds before it branches.
        """
        self._rows.set_aside()

    def within(self, least: int, most: int) -> None:
        """Demand that the sum of all demands is in a range."""
        self._rows.demand(least - SPARE, most + SPARE, self.cost)

    def relaxed(
        self, most: int, rounds: int, work: int, budget: Budget, units: int | None = None, least: float = 0.0
    ) -> float:
        """Solve the linear program, with what it violates added, until that tells little; return its value.

        Infinite where it has no solution; what was proven so far where the work or the time runs out. What the reduced
        costs exclude from sums of at most `most` is left out from then on. It ends as well where it falls short of
        what is wanted at least; and where linear programs took so many units in all, when it can be gone on with.
        """
        value = 0.0
        values: list[float] = []
        dear = np.zeros(self.size, dtype=np.bool_)
        for _ in range(rounds):
            self._solver.setOptionValue(
                "simplex_iteration_limit", min(FAST * max(work - self.work, 0) // self.size, 2**31 - 1)
            )
            solved = self._run(budget)
            steps = self._solver.getInfo().simplex_iteration_count
            self.work += steps * self.size // FAST
            self.linear += steps * math.isqrt(self._solver.getNumCol() * self._solver.getNumRow()) // _PARTS
            if not solved:
                # what takes so long is no program to branch on
                self.work = max(self.work, work)
                value = math.inf if self._is_infeasible() else value
                break
            value = self._solver.getInfo().objective_function_value
            self._rows.remove_idle()
            dear |= value + np.array(self._solver.getSolution().col_dual)[: self.size] > most + SPARE
            values.append(value)
            is_enough = value > most + 0.5 or has_stalled(values) or falls_short(values, least)
            self.has_settled = is_enough or not self._cut_off()
            if self.has_settled or (units is not None and self.linear >= units):
                break
        dear[self._slack] = False
        columns = np.flatnonzero(dear).astype(np.int32)
        self.open = self.size - columns.size
        self._solver.changeColsBounds(columns.size, columns, np.zeros(columns.size), np.zeros(columns.size))
        return value

    def can_branch(self, work: int) -> bool:
        """Return whether the work that is left allows for the first node, which cannot be ended before."""
        return bool(work - self.work >= self.open**3 // ROOT)

    def integral(self, work: int, budget: Budget) -> tuple[float, bool, bool]:
        """Solve the integer program once; return a lower bound on its value, and whether new sets were found.

        The bound is infinite where the program has no solution. Out of work or time, nothing is new; last comes whether
        more work would have allowed for more nodes.
        """
        make_integral(self._solver, self.size)
        # what a node takes is known afterwards; about that, a node of a large program takes more
        most = max(1, min(_NODES, _NODES_TIMES_COLUMNS // self.open))
        nodes = max(1, min(most, (work - self.work) // (_STEPS_OF_A_NODE * self.open)))
        self._solver.setOptionValue("mip_max_nodes", nodes)
        solved = self._run(budget)
        info = self._solver.getInfo()
        self.work += self.open * max(info.simplex_iteration_count, self._solver.getNumNz() // _ENTRIES)
        if self._is_infeasible():
            return math.inf, False, False
        return info.mip_dual_bound, solved and self.separate(), not solved and nodes < most

    def _run(self, budget: Budget) -> bool:
        """Run the solver; return whether it found an optimum."""
        run(self._solver, budget)
        return bool(self._solver.getModelStatus() == highspy.HighsModelStatus.kOptimal)

    def _is_infeasible(self) -> bool:
        return bool(self._solver.getModelStatus() == highspy.HighsModelStatus.kInfeasible)

    def _cut_off(self) -> bool:
        """Add what a point between this solution and those before violates, or it alone; return whether there is any.

        Where many solutions are equal, each round goes to another corner of theirs; halfway most is violated that many
        of them violate. Any rows are good for validity.
        """
        values = self._values()
        self._middle = values if self._middle is None else (self._middle + values) / 2
        return self._separate(self._middle) or self._separate(values)

    def separate(self) -> bool:
        """Add sets that the present solution violates; return whether there are any."""
        return self._separate(self._values())

    def _separate(self, values: Floats) -> bool:
        """Add sets that values of all columns violate; return whether there are any."""
        is_new = self._rows.add(self._levels.violated(values)) | self._rows.take_back(values)
        asked, given, others = self._demanded(values)
        found = violated_sets(self._core.joinable, asked, given, self._to_largest(asked, others, values))
        return sum(self.cut(members) for members in found) > 0 or is_new

    def _to_largest(self, asked: Floats, others: Floats, values: Floats) -> Floats:
        """Return what all others give to those who ask most, of each number: less, by those whom they know already.

        Sets that are violated hold most of these; what others give to each is not looked at, only once it is demanded.
        """
        given, members = others.copy(), np.zeros(self.hubs, dtype=np.bool_)
        for size, v in enumerate(np.argsort(-asked, kind="stable")[: np.count_nonzero(asked)].tolist(), 1):
            members[v] = True
            given[size] = -(self._given_to(members) @ values)
        return given

    def _values(self) -> Floats:
        """Return the values of all columns in the present solution."""
        values: Floats = np.array(self._solver.getSolution().col_value)
        return values

    def _demanded(self, values: Floats) -> tuple[Floats, Floats, Floats]:
        """Return what a solution demands of every hub, what each gives, and what all others do.

        Shapes (h,), (h, h+1) and (h+1,), the last two by the number of those that it is given to.
        """
        values = np.where(values < TOLERANCE, 0.0, values)
        hubs = self.hubs
        sizes = np.arange(hubs + 1)
        asked, given = np.zeros(hubs), np.zeros((hubs, hubs + 1))
        others = np.full(hubs + 1, values[self._slack])
        shares = values[self._first_place : self._slack]
        for i in np.flatnonzero((shares > 0) & (self._demand > 0)):
            v = self._vertex[i]
            gift = shares[i] * np.minimum(self._demand[i], sizes)
            if v < hubs:
                asked[v] += shares[i] * self._demand[i]
                given[v] += gift
            else:
                others += gift
        for i in np.flatnonzero(values[self._behind] > 0):
            others += values[self._behind][i] * self._gifts.behind[:, i]
        return asked, given, others
