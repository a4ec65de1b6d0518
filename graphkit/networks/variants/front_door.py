"""The front door of the variants: anonymize a graph under constraints, with a proven bound or a proven no."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphkit.budget import Budget
from graphkit.errors import BrokenClaim, InvalidInput, LimitReached
from graphkit.networks.constraints import Constraints
from graphkit.networks.driver import anonymize, check_k, lower_bound
from graphkit.networks.interchange import as_view
from graphkit.networks.methods.registry import Progress
from graphkit.networks.result import Status
from graphkit.networks.variants.editing import edit
from graphkit.networks.variants.exact import solve_exactly, variable_count
from graphkit.networks.variants.insertion import insertions
from graphkit.networks.variants.lifting import Moves, cheapest_moves
from graphkit.networks.variants.plausibility import make_plausible, plausibility_of
from graphkit.networks.variants.problem import Problem
from graphkit.networks.variants.result import ConstrainedAnonymization

__all__ = ["anonymize_under"]

_METHOD = "constrained"
_EXACT_ALWAYS = 400
_EXACT_WHEN_NOTHING_ELSE = 6000
_NODES = 2000
_NOTHING = np.empty((0, 2), dtype=np.int64)

_Change = tuple[NDArray[np.int64], NDArray[np.int64]]


def anonymize_under(
    graph: Any,
    k: int,
    constraints: Constraints | None = None,
    *,
    allow: Collection[str] = ("add",),
    plausible: bool = False,
    seed: int | np.random.Generator = 0,
    time_limit: float | None = None,
    clock: Callable[[], float] | None = None,
    progress: Progress | None = None,
) -> ConstrainedAnonymization:
    """Return changes after which every protected vertex shares its degree with k − 1 others, within the constraints.

    Parameters
    ----------
    graph : igraph.Graph, networkx.Graph, SimpleGraph, GraphView or array of int, shape (m, 2)
        The graph; it is not changed. Vertices are numbered by position (networkx: order of nodes).
    k : int
        Required block size, at least 2 and at most the number of protected vertices.
    constraints : Constraints, optional
        Who is protected, what must not be touched, how much a degree may grow, and what is out already.
    allow : collection of str, optional
        ``{"add"}``, or ``{"add", "delete"}``: whether edges may also be deleted, and so switched.
    plausible : bool, optional
        Whether, of equally many added edges, those are preferred that look like edges of the graph.
    seed : int or numpy.random.Generator, optional
        Same graph, k, constraints, seed and version: the same edges, as long as there is no time limit.
    time_limit : float, optional
        Seconds after which the best valid answer so far is taken; needs `clock`.
    clock : callable, optional
        Returns seconds, such as ``time.monotonic``; the engines have none.
    progress : callable, optional
        Called with phase, size of the best valid answer, and lower bound.

    Returns
    -------
    ConstrainedAnonymization
        A valid answer, `optimal` when its size equals the proven bound; or `infeasible`, which is proven, with the
        reason.

    Raises
    ------
    InvalidInput
        If `k` or a constraint cannot be used, or there is a time limit without a clock.
    LimitReached
        If no valid answer was found and none was proven not to exist.

    Notes
    -----
    *Infeasible* is said for three reasons only: a class of vertices that must be told apart by nothing but their degree
    has fewer than k vertices; no degrees within the constraints are k-anonymous
    (:func:`~graphkit.networks.variants.sequence.cheapest_levels`, a relaxation); or, for small networks, the integer
    program of :mod:`~graphkit.networks.variants.exact` has no solution.

    *The bound*: an edge that is added or deleted changes two degrees by one, so half the least total change of degrees,
    rounded up, is one. Of the edges that a vertex of a subset gains, at most as many lead to others of it as there are
    such vertices that it is not tied to: those beyond serve one only and count whole. Where nothing is deleted and
    everybody is protected, every answer is also one to the unconstrained problem, whose bound holds as well.

    References
    ----------
    Chester, Gaertner, Stege, Venkatesh 2012 (subsets); Casas-Roma, Herrera-Joancomartí, Torra 2013 (deletions);
    Medforth, Wang 2011 (versions).

    Examples
    --------
    >>> never = Constraints(forbidden_edges=np.array([[2, 3]]))
    >>> result = anonymize_under([(0, 1), (1, 2), (3, 4)], 2, never)
    >>> result.status, result.size
    ('optimal', 1)
    >>> anonymize_under([(0, 1), (1, 2)], 2, Constraints(max_increase=0)).status
    'infeasible'
    """
    budget = Budget(clock, time_limit)
    view = as_view(graph)
    check_k(view, k)
    limits = (constraints or Constraints()).checked(view.vertex_count, k)
    deletions = _deletions(allow)
    search = _Search(Problem.of(view, k, limits, deletions=deletions), seed, budget, progress or _silent, plausible)
    return search.result()


def _deletions(allow: Collection[str]) -> bool:
    if isinstance(allow, str) or set(allow) not in ({"add"}, {"add", "delete"}):
        raise InvalidInput("allow must be {'add'} or {'add', 'delete'}")
    return "delete" in allow


class _Search:
    """One run: the bound, attempts from the cheapest on, the best answer so far."""

    def __init__(
        self,
        problem: Problem,
        seed: int | np.random.Generator,
        budget: Budget,
        report: Progress,
        plausible: bool,
    ) -> None:
        self._problem, self._seed, self._budget, self._report = problem, seed, budget, report
        self._plausible = plausible
        self._rng = np.random.default_rng(seed)
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
        moves = cheapest_moves(problem, max_increase=problem.constraints.max_increase, knee=knee)
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
        if problem.deletions or limits.subset is not None:
            return
        if limits.earlier_degrees is not None:
            self._bound = max(self._bound, lower_bound(problem.view, problem.k))
            return
        limit = None if self._budget.time_limit is None else max(0.01, self._budget.remaining() / 2)
        found = anonymize(problem.view, problem.k, seed=self._seed, time_limit=limit, clock=self._budget.clock)
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
            additions = cheapest_moves(problem, max_increase=problem.constraints.max_increase)
            if additions is None:
                return
            moves = additions
        for added in insertions(problem, moves, self._rng, self._budget):
            if problem.respects(added, _NOTHING):
                self._offer((_canonical(added), _NOTHING))

    def _exactly(self) -> None:
        """Solve small networks to the end."""
        limit = _EXACT_ALWAYS if self._best is not None else _EXACT_WHEN_NOTHING_ELSE
        if self._is_settled or variable_count(self._problem) > limit:
            return
        if self._best is not None and self._budget.is_spent():
            return
        self._report("exact", None, self._bound)
        exact = solve_exactly(self._problem, self._budget, _NODES)
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
            better = make_plausible(problem, added, deleted, self._rng, self._budget)
            if not problem.respects(better, deleted):
                raise BrokenClaim("an exchange of added edges does not respect the constraints")
            measured = plausibility_of(problem, better, added, self._rng)
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
    lists = "one list of degrees" if number == 1 else f"{number} lists of degrees"
    return (
        f"{lists} over the earlier versions is shared by fewer than {k} vertices, which no change of this version mends"
    )


def _why(problem: Problem) -> str:
    """Return which constraints stand in the way, with what they count."""
    causes = []
    if problem.fixed.any():
        causes.append(f"{int(problem.fixed.sum())} vertices cannot be changed")
    if problem.constraints.max_increase is not None:
        causes.append(f"no degree may grow by more than {problem.constraints.max_increase}")
    return f": {' and '.join(causes)}" if causes else ""


def _canonical(edges: NDArray[np.int64]) -> NDArray[np.int64]:
    edges = np.sort(edges, axis=1)
    return edges[np.lexsort((edges[:, 1], edges[:, 0]))]


def _silent(phase: str, incumbent: int | None, bound: int | None) -> None:
    """Report nothing."""
