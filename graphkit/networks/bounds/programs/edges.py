"""The integer program of a whole small graph, solved: branching on which levels are used, then by the solver."""

import heapq
import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import highspy
import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.budget import Budget
from graphkit.networks.bounds.programs.edge_model import ROUND, price_of, steps_of
from graphkit.networks.bounds.programs.edge_relaxation import ROUNDING, UNKNOWN, UNUSED, USED, EdgeRelaxation, Relaxed
from graphkit.networks.bounds.programs.solving import probe_few, run_rounds, use_heuristics
from graphkit.networks.core.high_degree_core import Positions
from graphkit.solver import limit_columns

# units of a step of the simplex method in the integer program, of which a column adds one part in so many
_STEP, _PART = 50, 25
# units of a column that is read
_READ = 1
# so many rounds tell what one takes; where the solver does not get ahead, later ones take sixty times as much
_TRIAL = 10
# from so many columns on no more rounds follow than that: steps would not tell their time, as cuts are dense
_LAST = {3_000: 40, 1_500: 80, 0: 640}
# so many degrees from where the linear program has it everybody may end, and for so many rounds that is looked at
_MOVES, _ROUNDS_NEAR = (0, 1, 2, 3, 4, 6, 8), 40
# where so many parts are not enough, branching on levels does not get ahead
_PARTS = 200


class Told(NamedTuple):
    """What was proven of a part, whatever program it was a part of."""

    levels: frozenset[tuple[int, bool]]
    """Degrees, and whether somebody ends there."""
    least: float
    """Edges that each of its sets has at least."""


@dataclass(order=True, slots=True)
class _Part:
    """The sets of edges that use some levels, and not some others."""

    value: float
    """Edges that each has at least."""
    born: int
    """How many came before it: of equal ones the first is next."""
    levels: Ints = field(compare=False)
    """What is said of each level."""
    most: Floats = field(compare=False)
    """The largest value of each column."""
    level: int | None = field(compare=False)
    """The one to branch on."""
    rounds: int = field(default=_TRIAL, compare=False)
    """Of cuts that its integer program has next; none where it has had all."""
    price: int = field(default=0, compare=False)
    """Units of a round, about."""
    is_looked_at: bool = field(default=False, compare=False)
    """Whether it was looked for sets near its linear program's solution."""


class EdgeProgram(EdgeRelaxation):
    """All sets of fewer than `target` new edges, in parts by which levels they use.

    Parameters
    ----------
    positions : Positions
        All vertices of the graph, each in the core.
    target : int
        The size of a known solution.
    told : list of Told
        What is known of parts; more is added.

    Notes
    -----
    Each set of edges uses a level or does not: it is in one of the parts, and what the least of them has all have. A
    part is branched on as long as its linear program uses a share of a group of some level, then HiGHS solves its
    integer program, within rounds of cuts that double each time. The part with the least value is next.

    Which levels are used decides most of what a set costs, and nothing in the program says it: HiGHS branches on who is
    on which level, and comes to that after minutes. Of 400 vertices of which 97 % of all pairs are adjacent, k = 40,
    16 such questions leave three choices of levels.
    """

    def __init__(self, positions: Positions, target: int, told: list[Told]) -> None:
        super().__init__(positions, target)
        self._told = told
        self.is_relaxed = self.columns == 0
        """Whether its linear program is solved."""
        self._parts: list[_Part] = []
        self._born = 0
        self._branch_price = self.usual_price
        self._is_stuck = False

    @property
    def value(self) -> float:
        """What was proven: infinite where there is no such set."""
        if not self.is_relaxed:
            return 0.0
        return self._parts[0].value if self._parts else math.inf

    @property
    def reached(self) -> float:
        """The least value of a part whose integer program was cut short; infinite where there is none."""
        return min((part.value for part in self._parts if part.rounds != _TRIAL), default=math.inf)

    @property
    def proven(self) -> int:
        """Edges that every solution has, at most the target."""
        return self.target if self.is_over(self.value) else math.ceil(self.value - ROUNDING)

    @property
    def can_go_on(self) -> bool:
        """Whether more work may tell more."""
        return bool(self._parts) and not self._is_stuck and self._parts[0].rounds > 0

    @property
    def length(self) -> int:
        """Units that it takes to go on, about."""
        part = self._parts[0]
        if self._is_branched(part):
            return self._branch_price
        return (part.rounds if part.is_looked_at else _ROUNDS_NEAR // 2) * part.price

    def relax(self, end: int, budget: Budget) -> bool:
        """Solve the linear program; return whether so many units of work were enough."""
        before = self.work
        levels = np.full(self.number_of_levels, UNKNOWN)
        relaxed = self.solved(levels, np.ones(self.columns), end, budget)
        self._branch_price = max(ROUND, self.work - before)
        self.is_relaxed = relaxed is not None
        if relaxed is not None:
            self._add(levels, relaxed)
        return self.is_relaxed

    def go_on(self, end: int, budget: Budget) -> Ints | None:
        """Branch on the part with the least value, or solve its integer program; raises :attr:`value`.

        Parameters
        ----------
        end : int
            Units of work after which linear programs are left as they are.
        budget : Budget
            Its time ends it as well.

        Returns
        -------
        ndarray of int64, shape (m, 2), or None
            Fewer edges than the target that make the graph k-anonymous, if some were found; then they are the target.
        """
        part = heapq.heappop(self._parts)
        if not self._is_branched(part):
            return self._settle(part, end, budget)
        before = self.work
        for use in (UNUSED, USED):
            levels = part.levels.copy()
            levels[part.level] = use
            # what takes too long is as it was, and is not branched on
            relaxed = self.solved(levels, part.most, end, budget) or Relaxed(part.value, part.most, None)
            self._add(levels, relaxed._replace(value=max(part.value, relaxed.value)))
        self._branch_price = max(ROUND, self.work - before)
        return None

    def _is_branched(self, part: _Part) -> bool:
        return part.level is not None and self._born < _PARTS

    def _add(self, levels: Ints, relaxed: Relaxed) -> None:
        """Keep a part, unless it has no set of fewer edges than the target."""
        self._born += 1
        said = self.degrees_of(levels)
        value = max([relaxed.value, *(one.least for one in self._told if one.levels <= said)])
        if not self.is_over(value):
            price = price_of(int(relaxed.most.sum()))
            heapq.heappush(self._parts, _Part(value, self._born, levels, relaxed.most, relaxed.level, price=price))

    def _settle(self, part: _Part, end: int, budget: Budget) -> Ints | None:
        """Look for sets in a part that is not branched on; keep what is left of it, and return a smaller set."""
        # rows that were found in other parts may tell something of this one
        relaxed = self.solved(part.levels, part.most, end, budget)
        if relaxed is not None:
            part.value, part.most = max(part.value, relaxed.value), relaxed.most
            if self.is_over(part.value):
                self._told.append(Told(self.degrees_of(part.levels), self.target))
                return None
        solver = self.integral(self._solver.getLp())
        is_first, part.is_looked_at = not part.is_looked_at, True
        if is_first and relaxed is not None and relaxed.after is not None:
            edges = self._look(solver, part, relaxed.after, budget)
        else:
            edges = self._solve(solver, part, budget)
        if edges is not None:
            self._take(int(edges.shape[0]))
        if not self.is_over(part.value):
            heapq.heappush(self._parts, part)
        return edges

    def _look(self, solver: Any, part: _Part, after: Ints, budget: Budget) -> Ints | None:
        """Return a smaller set near the solution of a part's linear program, as near as there may be one."""
        use_heuristics(solver, are_used=True)
        for moves in _MOVES:
            most = part.most * self.near(after, moves)
            limit_columns(solver, most)
            probe_few(solver, int(most.sum()))
            run_rounds(solver, _ROUNDS_NEAR, budget)
            self.work += self.columns * _READ + steps_of(solver) * self._step(int(most.sum()))
            if solver.getModelStatus() != highspy.HighsModelStatus.kInfeasible:
                return self.edges_of(solver)
        return None

    def _solve(self, solver: Any, part: _Part, budget: Budget) -> Ints | None:
        """Solve the integer program of a part, within its rounds; return a smaller set if one is found."""
        columns = int(part.most.sum())
        probe_few(solver, columns)
        # programs inside the program find solutions, and nothing ends them: only where it is known what a round takes
        use_heuristics(solver, are_used=part.rounds > _TRIAL)
        calls = run_rounds(solver, part.rounds, budget)
        used = steps_of(solver) * self._step(columns)
        self.work += used
        # the linear program comes before all rounds
        part.price = max(ROUND, used // max(1, calls))
        last = next(rounds for least, rounds in _LAST.items() if columns >= least)
        part.rounds = 2 * part.rounds if part.rounds < last else 0
        status, bound = solver.getModelStatus(), solver.getInfo().mip_dual_bound
        if status == highspy.HighsModelStatus.kInfeasible:
            part.value = math.inf
        elif math.isfinite(bound):
            part.value = max(part.value, bound)
        self._told.append(Told(self.degrees_of(part.levels), min(part.value, self.target)))
        edges = self.edges_of(solver)
        # what the solver takes for the best is none: it would find the same again
        self._is_stuck |= status == highspy.HighsModelStatus.kOptimal and edges is None
        return edges

    def _step(self, columns: int) -> int:
        """Return the units of a step of the simplex method in an integer program."""
        return _STEP + columns // _PART

    def _take(self, target: int) -> None:
        """Look for fewer edges than were found."""
        self.aim_at(target)
        self._parts = [part for part in self._parts if not self.is_over(part.value)]
        heapq.heapify(self._parts)
