"""The integer program of a whole small graph, solved: branching on which levels are used, then by the solver."""

import heapq
import math
from dataclasses import dataclass, field
from typing import NamedTuple

import highspy
import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.budget import Budget
from graphkit.networks.bounds.programs.edge_looks import ROUNDS_NEAR, dive, look_near
from graphkit.networks.bounds.programs.edge_model import ROUND, price_of, work_in
from graphkit.networks.bounds.programs.edge_relaxation import (
    ROUNDING,
    UNKNOWN,
    UNUSED,
    USED,
    EdgeRelaxation,
    Relaxed,
    is_over,
)
from graphkit.networks.bounds.programs.solving import probe_few, run_rounds, use_heuristics

# so many rounds tell what one takes; where the solver does not get ahead, later ones take sixty times as much
_TRIAL = 10
# from so many columns on no more rounds follow than that: steps would not tell their time, as cuts are dense
_LAST = {3_000: 40, 1_500: 80, 0: 640}
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


class EdgeParts:
    """All sets of fewer than `target` new edges, in parts by which levels they use.

    Parameters
    ----------
    relaxation : EdgeRelaxation
        The linear program of all sets of as many edges, and maybe more.
    target : int
        The size of a known solution, or what is aimed at.
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

    def __init__(self, relaxation: EdgeRelaxation, target: int, told: list[Told]) -> None:
        self._relaxation, self.target, self._told = relaxation, target, told
        self._possible = relaxation.below(target)
        self.columns = int(self._possible.sum())
        """How many of the columns its sets can have."""
        self.is_relaxed = self.columns == 0
        """Whether its linear program is solved."""
        self._root: Relaxed | None = None
        self._parts: list[_Part] = []
        self._born = 0
        self._branch_price = self.usual_price
        self._is_stuck = False

    @property
    def usual_price(self) -> int:
        """Units of a round of cuts, about."""
        return price_of(self.columns)

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
    def is_branched(self) -> bool:
        """Whether something was said of some level."""
        return self._born > 1

    @property
    def proven(self) -> int:
        """Edges that every solution has, at most the target."""
        return self.target if self._is_over(self.value) else math.ceil(self.value - ROUNDING)

    @property
    def can_go_on(self) -> bool:
        """Whether more work may tell more."""
        return bool(self._parts) and not self._is_stuck and self._parts[0].rounds > 0

    @property
    def can_dive(self) -> bool:
        """Whether its linear program does not say which levels are used, and was not yet rounded."""
        return bool(self._parts) and self._root is not None and self._root.level is not None

    @property
    def length(self) -> int:
        """Units that it takes to go on, about."""
        part = self._parts[0]
        if self._is_to_branch(part):
            return self._branch_price
        return (part.rounds if part.is_looked_at else ROUNDS_NEAR // 2) * part.price

    def relax(self, end: int, budget: Budget) -> bool:
        """Solve the linear program; return whether so many units of work were enough."""
        before = self._relaxation.work
        levels = np.full(self._relaxation.number_of_levels, UNKNOWN)
        self._root = self._solved(levels, self._possible, end, budget)
        self._branch_price = max(ROUND, self._relaxation.work - before)
        self.is_relaxed = self._root is not None
        if self._root is not None:
            self._add(levels, self._root)
        return self.is_relaxed

    def dive(self, size: int, budget: Budget) -> Ints | None:
        """Look for a set smaller than a known one where its linear program has all levels, about; see :func:`dive`."""
        root, self._root = self._root, None
        assert root is not None
        edges = dive(self._relaxation, root, size, budget)
        self._take(edges)
        return edges

    def go_on(self, end: int, size: int, budget: Budget) -> Ints | None:
        """Branch on the part with the least value, or solve its integer program; raises :attr:`value`.

        Parameters
        ----------
        end : int
            Units of work after which linear programs are left as they are.
        size : int
            Of the smallest set that is known, at least the target.
        budget : Budget
            Its time ends it as well.

        Returns
        -------
        ndarray of int64, shape (m, 2), or None
            Fewer edges than `size` that make the graph k-anonymous, if some were found. If they are fewer than the
            target as well, their number is the target from then on.
        """
        part = heapq.heappop(self._parts)
        if not self._is_to_branch(part):
            return self._settle(part, end, size, budget)
        before = self._relaxation.work
        halves = []
        for use in (UNUSED, USED):
            levels = part.levels.copy()
            levels[part.level] = use
            halves.append((levels, self._solved(levels, part.most, end, budget)))
        self._branch_price = max(ROUND, self._relaxation.work - before)
        if any(relaxed is None for _, relaxed in halves):
            # it took too long: the next time the solver goes on from there
            heapq.heappush(self._parts, part)
            return None
        for levels, relaxed in halves:
            if relaxed is not None:
                self._add(levels, relaxed._replace(value=max(part.value, relaxed.value)))
        return None

    def _is_to_branch(self, part: _Part) -> bool:
        return part.level is not None and self._born < _PARTS

    def _is_over(self, value: float) -> bool:
        """Return whether sets of at least so many edges are no fewer than the target of these parts."""
        return is_over(value, self.target)

    def _solved(self, levels: Ints, most: Floats, end: int, budget: Budget) -> Relaxed | None:
        self._relaxation.aim_at(self.target)
        return self._relaxation.solved(levels, most, end, budget)

    def _add(self, levels: Ints, relaxed: Relaxed) -> None:
        """Keep a part, unless it has no set of fewer edges than the target."""
        self._born += 1
        said = self._relaxation.degrees_of(levels)
        value = max([relaxed.value, *(one.least for one in self._told if one.levels <= said)])
        if not self._is_over(value):
            price = price_of(int(relaxed.most.sum()))
            heapq.heappush(self._parts, _Part(value, self._born, levels, relaxed.most, relaxed.level, price=price))

    def _settle(self, part: _Part, end: int, size: int, budget: Budget) -> Ints | None:
        """Look for sets in a part that is not branched on; keep what is left of it, and return a smaller set."""
        # rows that were found in other parts may tell something of this one
        relaxed = self._solved(part.levels, part.most, end, budget)
        if relaxed is not None:
            part.value, part.most = max(part.value, relaxed.value), relaxed.most
            if self._is_over(part.value):
                self._told.append(Told(self._relaxation.degrees_of(part.levels), self.target))
                return None
        is_first, part.is_looked_at = not part.is_looked_at, True
        if is_first and relaxed is not None and relaxed.after is not None:
            edges = look_near(self._relaxation, part.most, relaxed.after, size, budget)
        else:
            edges = self._solve(part, budget)
        self._take(edges)
        if not self._is_over(part.value):
            heapq.heappush(self._parts, part)
        return edges

    def _solve(self, part: _Part, budget: Budget) -> Ints | None:
        """Solve the integer program of a part, within its rounds; return a smaller set if one is found."""
        solver, columns = self._relaxation.integer_program(), int(part.most.sum())
        probe_few(solver, columns)
        # programs inside the program find solutions, and nothing ends them: only where it is known what a round takes
        use_heuristics(solver, are_used=part.rounds > _TRIAL)
        calls = run_rounds(solver, part.rounds, budget)
        used = work_in(solver)
        self._relaxation.work += used
        # the linear program comes before all rounds
        part.price = max(ROUND, used // max(1, calls))
        last = next(rounds for least, rounds in _LAST.items() if columns >= least)
        part.rounds = 2 * part.rounds if part.rounds < last else 0
        status, bound = solver.getModelStatus(), solver.getInfo().mip_dual_bound
        if status == highspy.HighsModelStatus.kInfeasible:
            part.value = math.inf
        elif math.isfinite(bound):
            part.value = max(part.value, bound)
        self._told.append(Told(self._relaxation.degrees_of(part.levels), min(part.value, self.target)))
        edges = self._relaxation.edges_of(solver, self.target)
        # what the solver takes for the best is none: it would find the same again
        self._is_stuck |= status == highspy.HighsModelStatus.kOptimal and edges is None
        return edges

    def _take(self, edges: Ints | None) -> None:
        """Look for fewer edges than were found."""
        if edges is not None and edges.shape[0] < self.target:
            self.target = int(edges.shape[0])
            self._parts = [part for part in self._parts if not self._is_over(part.value)]
            heapq.heapify(self._parts)
