"""What the hubs of a beginning of groups must find elsewhere, whoever of them is in which group."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import highspy
import numpy as np

from graphkit.arrays import Floats, Ints, Words
from graphkit.networks.bounds.diagram._hub_sets import (
    LEAST_EXCESS,
    Columns,
    HubSet,
    SetKey,
    excess_of,
    inequality_of,
    violated_hub_sets,
)
from graphkit.networks.bounds.diagram._rounding import fit, rounded_places
from graphkit.networks.bounds.diagram._unused_rows import Others
from graphkit.networks.core.high_degree_core import HighDegreeCore, Positions
from graphkit.solver import linear_program
from graphkit.words import BITS

# multipliers are rounded to this grid, so that the bound is summed in integers: proven whatever the solver returns
_GRID = 1 << 20
_DEAR = 1 << 60
_ROUNDS = 12
# what a program and a solution take at least, and the steps of the simplex method times rows and columns that count one
# unit; what a search for sets takes, and a hub in it
_LOOK, _SOLUTION = 300, 400
_STEPS = 45
_SETS, _HUB = 150, 6
_NONE = 1e-6
# what it takes to try a set that served elsewhere; and where it is looked at what others leave unused, the hubs and the
# positions times degrees behind the border that count one unit
_TRIAL, _ROWS, _CELLS = 20, 4, 1_000


Limit = tuple[int, int, int]
"""A hub, and the least and the highest degree that it may end on."""

Split = tuple[int, int]
"""A hub, and a degree that it ends on in some part of a solution, and below in another."""


Barred = Ints
"""Hubs, and degrees that they do not end on, shape (b, 2)."""

NOTHING_BARRED: Barred = np.zeros((0, 2), dtype=np.int64)


class Reasons(NamedTuple):
    """What proves how much slack a beginning needs."""

    sets: Sequence[HubSet]
    weights: Ints
    """Their multipliers, on the grid, shape (sets,)."""
    prices: Mapping[int, int]
    """Of levels, by their degree, on the grid."""


NO_REASONS = Reasons((), np.zeros(0, dtype=np.int64), {})


class Beginning(NamedTuple):
    """The groups before a border, and what is known of those behind it."""

    border: int
    levels: Ints
    """The distinct degrees of the groups, shape (j,)."""
    places: Ints
    """How many places they have, shape (j,)."""
    hubs: int
    """How many positions have a higher degree than the group behind the border: all of them are before it."""
    goal: int
    """The degree of the group behind the border, at least."""
    joinable: Words
    """Whom each of the core can be joined to, as bits, shape (c, w)."""
    rest: Ints
    """Least sums behind the border, in quarters: of demands, and of what exceeds r partners, shape (5, most+1)."""


class PrefixProgram:
    """The linear program over who is on which level, with sets of hubs that cannot get what they ask.

    Notes
    -----
    See :mod:`graphkit.networks.bounds.group_tree` for the program and what it proves. The groups are fixed, so all that
    is to be minimized is the slack: how much more than the groups demand is demanded behind the border.
    """

    def __init__(
        self,
        positions: Positions,
        beginning: Beginning,
        limits: Sequence[Limit],
        barred: Barred,
        solver: Any,
        served: Iterable[HubSet] = (),
    ) -> None:
        border, hubs, levels = beginning.border, beginning.hubs, beginning.levels
        rises = levels[None, :] - positions.degrees[:border, None]
        possible = rises >= 0
        for hub, least, most in limits:
            possible[hub] &= (levels >= least) & (levels <= most)
        level_of = {level: index for index, level in enumerate(levels.tolist())}
        for hub, degree in barred.tolist():
            possible[hub, level_of[degree]] = False
        self._is_possible = not (limits or barred.size) or fit(possible, beginning.places)
        vertex, level = np.nonzero(possible)
        exceeding = np.zeros(border + 1, dtype=np.int64)
        known = min(border + 1, beginning.rest.shape[1])
        exceeding[:known] = beginning.rest[-1, :known]
        core, parts = positions.core, beginning.rest.shape[0] - 1
        others = Others(
            beginning.joinable[hubs:, : (hubs + BITS - 1) // BITS],
            core.degrees[hubs:],
            positions.outside,
            positions.degrees[border : core.size],
            beginning.goal,
            int(beginning.rest[0, 0]) // parts,
            positions.k,
        )
        self._columns = Columns(
            vertex,
            level,
            rises[vertex, level],
            levels,
            _most(levels, positions.degrees, core.size),
            beginning.places,
            border,
            hubs,
            # no other vertex is ever in a set
            HighDegreeCore(
                core.vertices[:hubs], core.degrees[:hubs], np.ascontiguousarray(core.joinable[:hubs, :hubs])
            ),
            # if they cost least
            (beginning.rest[0, 0] - exceeding) // parts,
            others,
        )
        cells = others.behind.size * (int(np.ptp(others.behind)) + 1) if others.behind.size else 0
        self._unused = _TRIAL + hubs // _ROWS + cells // _CELLS
        self._solver, self._served = solver, served
        self._rows: list[Ints] = []
        self._right: list[int] = []
        self._sets: dict[SetKey, HubSet] = {}
        self._total = 0
        self._excess: Ints | None = None
        """The best of Lagrange's bounds, and by how much it rises with each column in use, on the grid."""
        self._passed: int | None = None
        """How many of the sets the solver knows, if it knows the program."""
        self.slack = 0.0
        """How much slack the linear program needs, as far as it was proven."""
        self.is_done = True
        """Whether the last solution violates no set that was found."""
        self.work = 0
        """Units so far."""

    def look(self, reasons: Reasons) -> int:
        """Return how much slack is proven by reasons of a shorter beginning, or of one with fewer limits.

        Nothing is solved; sets with others than hubs are left out. A slack without end says that there is no solution.
        """
        if not self._is_possible:
            return _DEAR
        weights = [
            weight
            for asking, weight in zip(reasons.sets, reasons.weights.tolist(), strict=True)
            if (own := asking.among(self._columns.hubs)) is not None and self._add(own)
        ]
        self.work += _LOOK
        return self._proven(np.array(weights, dtype=np.int64), reasons.prices) if weights else 0

    def too_dear(self, enough: int) -> Barred:
        """Return hubs and degrees on which each makes a slack of `enough` needed.

        By Lagrange's bound of a solution in which that hub is on that level, all else being free.
        """
        if self._excess is None:
            return NOTHING_BARRED
        columns = self._columns
        of_hubs = int(np.searchsorted(columns.vertex, columns.hubs))
        dear = np.flatnonzero(self._total + self._excess[:of_hubs] > (enough - 1) * _GRID)
        return np.column_stack((columns.vertex[dear], columns.levels[columns.level[dear]]))

    def value(self, known: int, enough: int) -> tuple[int, Reasons]:
        """Return how much slack is needed at least, at most `enough`, and what says so or may say more.

        Parameters
        ----------
        known : int
            How much :meth:`look` has proven.
        enough : int
            A slack that need not be exceeded.
        """
        best, serving = known, NO_REASONS
        if best >= enough:
            return enough, NO_REASONS
        for _ in range(_ROUNDS):
            if not self._solve():
                break
            weights, prices = self._duals()
            value, sets = self._proven(weights, prices), list(self._sets.values())
            if value >= best:
                best, used = value, np.flatnonzero(weights)
                serving = Reasons([sets[i] for i in used], weights[used], prices)
            self.is_done = best >= enough or not self._separate()
            if self.is_done:
                break
            new = list(self._sets.values())[len(sets) :]
        if not self.is_done:
            nothing = np.zeros(len(new), dtype=np.int64)
            serving = Reasons([*serving.sets, *new], np.concatenate((serving.weights, nothing)), serving.prices)
        return min(best, enough), serving

    def splits(self, most: int) -> list[Split]:
        """Return hubs that are on several levels, and where to divide them: those that demand differs most for first.

        Parameters
        ----------
        most : int
            No more of them.
        """
        columns, values = self._columns, self._values()
        if values is None:
            return []
        found: list[tuple[float, Split]] = []
        of_hubs = int(np.searchsorted(columns.vertex, columns.hubs))
        for vertex in np.unique(columns.vertex[:of_hubs][(values[:of_hubs] > 1e-6) & (values[:of_hubs] < 1 - 1e-6)]):
            own = slice(*np.searchsorted(columns.vertex, (vertex, vertex + 1)))
            # levels are by descending degree
            shares, demands = values[own], columns.demand[own]
            mean = shares @ demands
            spread = float(shares @ np.abs(demands - mean))
            if spread > 1e-3:
                high = np.flatnonzero((demands >= mean) & (shares > 1e-6))
                found.append((spread, (int(vertex), int(columns.levels[columns.level[own][high[-1]]]))))
        found.sort(key=lambda one: -one[0])
        return [split for _, split in found[:most]]

    def ends(self) -> Ints | None:
        """Return the degree that each position ends on, about as in the last solution; None where it has none."""
        columns, values = self._columns, self._values()
        if values is None:
            return None
        found = rounded_places(columns.vertex, columns.level, columns.places, values)
        return None if found is None else columns.levels[found]

    def _values(self) -> Floats | None:
        values: Floats = np.array(self._solver.getSolution().col_value)[:-1]
        return values if values.size == self._columns.vertex.size else None

    def _add(self, asking: HubSet) -> bool:
        """Demand the inequality of a set; return whether it is new."""
        key = asking.key
        if key in self._sets or not (asking.high or asking.members.any()):
            return False
        self._sets[key] = asking
        self.work += self._unused if asking.unused else 0
        row, right = inequality_of(self._columns, asking)
        self._rows.append(row)
        self._right.append(right)
        return True

    def _solve(self) -> bool:
        """Solve the program; return whether that went well."""
        if self._passed is None:
            self._pass()
        else:
            # the solution that violates the new rows is where the solver goes on
            slack = self._columns.vertex.size
            for row, right in zip(self._rows[self._passed :], self._right[self._passed :], strict=True):
                columns = np.append(np.flatnonzero(row), slack).astype(np.int32)
                entries = np.append(row[columns[:-1]], -1).astype(np.float64)
                self._solver.addRow(-highspy.kHighsInf, float(right), columns.size, columns, entries)
        self._passed = len(self._rows)
        self._solver.run()
        steps = max(self._solver.getInfo().simplex_iteration_count, 0)
        rows = self._first_set + 4 * self._passed
        self.work += _SOLUTION + steps * (self._columns.vertex.size + rows) // _STEPS
        return bool(self._solver.getModelStatus() == highspy.HighsModelStatus.kOptimal)

    def _pass(self) -> None:
        """Pass rows and columns to the solver."""
        columns, cuts = self._columns.vertex.size, len(self._rows)
        border, first = self._columns.border, self._first_set
        fixed = np.concatenate((np.ones(border), self._columns.places))
        sets = np.array(self._rows, dtype=np.int64).reshape(cuts, columns)
        cut, column = np.nonzero(sets)
        # rows by column: a vertex, a level, the sets; last the slack
        of_levels = border + self._columns.level
        row = np.concatenate((self._columns.vertex, of_levels, first + cut, first + np.arange(cuts)))
        place = np.concatenate((np.arange(columns), np.arange(columns), column, np.full(cuts, columns)))
        entry = np.concatenate((np.ones(2 * columns), sets[cut, column], np.full(cuts, -1.0)))
        order = np.argsort(place, kind="stable")
        starts = np.concatenate(([0], np.cumsum(np.bincount(place, minlength=columns + 1))))
        infinite = np.full(cuts, highspy.kHighsInf)
        model = linear_program(
            np.concatenate((np.zeros(columns), [1.0])),
            (np.zeros(columns + 1), np.full(columns + 1, highspy.kHighsInf)),
            (np.concatenate((fixed, -infinite)), np.concatenate((fixed, np.array(self._right, dtype=np.float64)))),
            (starts, row[order], entry[order]),
        )
        self._solver.passModel(model)

    def _duals(self) -> tuple[Ints, Mapping[int, int]]:
        """Return the multipliers of the sets in the solution, and the prices of the levels, on the grid."""
        duals = np.array(self._solver.getSolution().row_dual)
        first = self._first_set
        weights = np.floor(np.clip(-duals[first:], 0, 1) * _GRID).astype(np.int64)
        if weights.sum() > _GRID:
            # by rounding errors of the solver alone
            weights = weights * _GRID // weights.sum()
        prices = np.rint(duals[self._columns.border : first] * _GRID).astype(np.int64)
        return weights, dict(zip(self._columns.levels.tolist(), prices.tolist(), strict=True))

    def _proven(self, weights: Ints, prices: Mapping[int, int]) -> int:
        """Return the slack that multipliers of the sets, and prices of levels, prove.

        For any ``μ ≥ 0`` of sum at most 1 and any π the slack is at least ``Σ_v min_j (Σ_R μ_R a_R(v, j) − π_j) +
        Σ_j π_j n_j − Σ_R μ_R b_R``: Lagrange's bound of the program, summed in integers. A level without a price, the
        last one, gets its best.
        """
        if not self._rows:
            return 0
        vertex, level, _, levels, _, places, border, *_ = self._columns
        own = np.array([prices.get(degree, 0) for degree in levels.tolist()], dtype=np.int64)
        costs = weights @ np.array(self._rows) - own[level]
        begins = np.searchsorted(vertex, np.arange(border))
        last = levels.size - 1
        if int(levels[last]) not in prices:
            on_last = level == last
            others = np.minimum.reduceat(np.where(on_last, _DEAR, costs), begins)
            # where as many would rather be there as there are places
            gains = np.sort(costs[on_last] - others[vertex[on_last]])
            own[last] = gains[places[last] - 1]
            costs[on_last] -= own[last]
        least = np.minimum.reduceat(costs, begins)
        total = int(least.sum() + own @ places - weights @ np.array(self._right))
        if self._excess is None or total > self._total:
            self._total, self._excess = total, costs - least[vertex]
            self.slack = max(self.slack, total / _GRID)
        return -(-total // _GRID)

    def _separate(self) -> bool:
        """Add sets that the solution violates; return whether there are any."""
        solution = self._solver.getSolution()
        values, duals = np.array(solution.col_value), np.array(solution.row_dual)[self._first_set :]
        serving = [asking for asking, dual in zip(self._sets.values(), duals, strict=True) if dual < -_NONE]
        found, looks = violated_hub_sets(self._columns, values[:-1], values[-1], serving)
        self.work += _SETS + _HUB * self._columns.hubs + looks * self._unused
        if sum([self._add(asking) for asking in found]) > 0:
            return True
        return self._add_served(values[:-1], values[-1])

    def _add_served(self, values: Floats, slack: float) -> bool:
        """Add sets that served elsewhere and that the solution violates; return whether there are any."""
        is_new, tried = False, 0
        for asking in self._served:
            own = asking.among(self._columns.hubs)
            if own is None or own.key in self._sets:
                continue
            tried += 1
            if excess_of(self._columns, own, values, slack) > LEAST_EXCESS:
                is_new |= self._add(own)
        self.work += tried * _TRIAL
        return is_new

    @property
    def _first_set(self) -> int:
        """Number of the first row that is about a set: behind those of vertices and levels."""
        return self._columns.border + self._columns.places.size


def _most(levels: Ints, degrees: Ints, number: int) -> Ints:
    """Return the highest degree that is lowered to each level: one less than the next that occurs."""
    occurring = np.append(np.unique(degrees), number)
    most: Ints = occurring[np.searchsorted(occurring, levels, side="right").clip(max=occurring.size - 1)] - 1
    return np.maximum(most, levels)
