"""One run under constraints: the bound, attempts from the cheapest on, and the best answer so far."""

from collections.abc import Iterator

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.budget import Budget
from graphkit.errors import BrokenClaim, LimitReached
from graphkit.networks.bounds.relaxed_erdos_gallai import relaxed_erdos_gallai_bound
from graphkit.networks.driver import anonymize, lower_bound
from graphkit.networks.effort.progress import Progress
from graphkit.networks.graphs.ordering import canonical_edges
from graphkit.networks.result import Status
from graphkit.networks.variants.demand_moves import Moves, cheapest_moves
from graphkit.networks.variants.editing import edit
from graphkit.networks.variants.exact import solve_exactly, variable_count
from graphkit.networks.variants.insertion import insertions
from graphkit.networks.variants.plausibility import Scores, make_plausible, plausibility_of
from graphkit.networks.variants.problem import Problem
from graphkit.networks.variants.result import ConstrainedAnonymization
from graphkit.numbers import counted
from graphkit.parameters import generator_of

_EFFORT = 5.0
"""What the bound of the problem without limits may cost."""

_METHOD = "constrained"
_EXACT_ALWAYS = 400
_EXACT_WHEN_NOTHING_ELSE = 6000
_WORK = 500_000
"""Variables times nodes that the integer program may look at."""
_NOTHING = np.empty((0, 2), dtype=np.int64)

_Change = tuple[Ints, Ints]


class Search:
    """One run: the bound, attempts from the cheapest on, the best answer so far."""

    def __init__(self, problem: Problem, seed: int | Rng, budget: Budget, report: Progress, plausible: bool) -> None:
        self._problem, self._seed, self._budget, self._report = problem, seed, budget, report
        self._plausible = plausible
        self._rng = generator_of(seed)
        self._best: _Change | None = None
        self._bound = 0
        self._infeasible = False
        self._seconds = {"read": budget.elapsed()}

    def result(self) -> ConstrainedAnonymization:
        """Return the answer."""
        problem = self._problem
        if problem.is_anonymous(problem.degrees):
            return self._answer("optimal", (_NOTHING, _NOTHING))
        if small := problem.small_classes():
            return self._no(_too_small(small, problem.k))
        self._report("bound", None, None)
        knee = problem.most_partners_inside()
        moves = cheapest_moves(problem, max_increase=problem.largest_increase(), knee=knee)
        if moves is None:
            return self._no(f"no degrees within the constraints are {problem.k}-anonymous{_why(problem)}")
        self._bound = moves.least_changes(knee)
        self._unconstrained()
        self._lap("bound")
        self._attempts(moves)
        self._exactly()
        self._lap("solve")
        if self._infeasible:
            return self._no(
                f"no change within the constraints makes it {problem.k}-anonymous: shown by going through all"
            )
        if self._best is None:
            raise LimitReached(
                "no valid answer was found under these constraints, and it is not proven that there is none; "
                "allow more (fewer forbidden pairs or vertices, a larger increase, deletions) or choose a smaller k"
            )
        if not problem.respects(*self._best):
            raise BrokenClaim("an answer does not respect its constraints")
        return self._answer("optimal" if self._size == self._bound else "feasible", self._best)

    @property
    def _size(self) -> int:
        assert self._best is not None
        return int(self._best[0].shape[0] + self._best[1].shape[0])

    @property
    def _is_settled(self) -> bool:
        return self._best is not None and self._size <= self._bound

    def _offer(self, change: _Change) -> None:
        size = change[0].shape[0] + change[1].shape[0]
        if self._best is None or size < self._size:
            self._best = change
            self._report("realize", int(size), self._bound)

    def _unconstrained(self) -> None:
        """Take what the unconstrained problem says: its bound, and its answer where that happens to be allowed."""
        problem, limits = self._problem, self._problem.constraints
        if problem.deletions:
            return
        if limits.subset is not None:
            blocks = np.bincount(problem.degrees[limits.subset])
            self._bound = max(self._bound, relaxed_erdos_gallai_bound(blocks, problem.k))
            return
        if limits.earlier_degrees is not None:
            self._bound = max(self._bound, lower_bound(problem.view, problem.k, effort=_EFFORT))
            return
        # without limits this is the answer; with them there has to be time left to find another
        share = 0.9 if limits.is_empty else 0.5
        limit = None if self._budget.time_limit is None else max(0.01, share * self._budget.remaining())

        def report(phase: str, size: int | None, bound: int | None) -> None:
            self._report(phase, size if limits.is_empty else None, bound)

        found = anonymize(
            problem.view, problem.k, seed=self._seed, time_limit=limit, clock=self._budget.clock, progress=report
        )
        self._bound = max(self._bound, found.lower_bound)
        if problem.respects(found.edges, _NOTHING):
            self._offer((found.edges, _NOTHING))

    def _attempts(self, moves: Moves) -> None:
        if self._is_settled or (self._problem.constraints.is_empty and self._best is not None):
            return
        problem = self._problem
        if problem.deletions:
            for change in edit(problem, moves, self._rng, self._budget):
                self._offer(change)
            if self._best is not None:
                return
            # every answer that only adds edges is one here, too
            problem = Problem.of(problem.view, problem.k, problem.constraints, deletions=False)
            additions = cheapest_moves(problem, max_increase=problem.largest_increase())
            if additions is None:
                return
            moves = additions
        for way in self._ways(problem, moves):
            for added in insertions(problem, way, self._rng, self._budget):
                if problem.respects(added, _NOTHING):
                    self._offer((canonical_edges(added), _NOTHING))

    def _ways(self, problem: Problem, moves: Moves) -> Iterator[Moves]:
        """Yield moves to realize: for a subset also some with small demands, since few inside can meet large ones."""
        yield moves
        knee = problem.most_partners_inside()
        while knee is not None and knee > 1 and not (self._is_settled or self._budget.is_spent()):
            knee //= 2
            way = cheapest_moves(problem, max_increase=problem.largest_increase(), knee=knee)
            if way is not None:
                yield way

    def _exactly(self) -> None:
        """Solve small networks to the end."""
        limit = _EXACT_ALWAYS if self._best is not None else _EXACT_WHEN_NOTHING_ELSE
        variables = variable_count(self._problem)
        if self._is_settled or variables > limit:
            return
        if self._best is not None and self._budget.is_spent():
            return
        self._report("exact", None, self._bound)
        exact = solve_exactly(self._problem, self._budget, _WORK // max(1, variables))
        self._infeasible = exact.infeasible
        if exact.infeasible and self._best is not None:
            raise BrokenClaim("the integer program has no solution, and there is one")
        self._bound = max(self._bound, exact.bound)
        if exact.added is not None and exact.deleted is not None:
            self._offer((exact.added, exact.deleted))

    def _lap(self, phase: str) -> None:
        self._seconds[phase] = self._budget.elapsed() - sum(self._seconds.values())

    def _no(self, reason: str) -> ConstrainedAnonymization:
        return self._answer("infeasible", (_NOTHING, _NOTHING), reason)

    def _answer(self, status: Status, change: _Change, reason: str = "") -> ConstrainedAnonymization:
        problem, (added, deleted) = self._problem, change
        measured = None
        if self._plausible and status != "infeasible":
            self._report("plausible", int(added.shape[0] + deleted.shape[0]), self._bound)
            scores = Scores(problem, self._rng)
            better = make_plausible(problem, scores, added, deleted, self._rng, self._budget)
            if not problem.respects(better, deleted):
                raise BrokenClaim("an exchange of added edges does not respect the constraints")
            measured = plausibility_of(scores, better, added)
            added = better
            self._lap("plausible")
        return ConstrainedAnonymization(
            problem.k,
            _METHOD,
            problem.constraints,
            status,
            added,
            deleted,
            self._bound if status != "infeasible" else 0,
            problem.deletions,
            reason,
            measured,
            self._seconds,
        )


def _too_small(number: int, k: int) -> str:
    lists, are = ("one list of degrees", "is") if number == 1 else (f"{number} lists of degrees", "are each")
    return (
        f"{lists} over the earlier versions {are} shared by fewer than {k} vertices, which no change of this version "
        "repairs"
    )


def _why(problem: Problem) -> str:
    """Return which constraints stand in the way, with what they count."""
    causes, most = [], problem.constraints.max_increase
    # where nothing may grow or be deleted, all vertices are fixed for that reason
    if problem.fixed.any() and (most != 0 or problem.deletions):
        causes.append(f"{counted(int(problem.fixed.sum()), 'vertex', 'vertices')} cannot be changed")
    if most is not None:
        causes.append(f"no degree may grow by more than {most}" if most else "no degree may grow")
    return f": {' and '.join(causes)}" if causes else ""
