"""Small networks to the end: an integer program that finds the fewest changes, or proves that there is no answer."""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.budget import Budget
from graphkit.errors import SolverFailed
from graphkit.networks.core.nested_neighbourhoods import nested_pairs
from graphkit.networks.variants.problem import Problem
from graphkit.solver import linear_program, new_solver

_Term = tuple[int, float]


@dataclass(frozen=True, slots=True, eq=False)
class Exact:
    """What the integer program says."""

    infeasible: bool = False
    """Proven: there is no answer."""
    added: Ints | None = None
    """Shape (a, 2), or None when nothing was found."""
    deleted: Ints | None = None
    bound: int = 0
    """Proven: every answer has at least this many changed edges."""
    nodes: int = 0
    """Nodes of the search tree that were looked at."""


def variable_count(problem: Problem) -> int:
    """Return how large the integer program would be: an upper bound on its number of binary variables."""
    movable = int(np.count_nonzero(~problem.fixed))
    pairs = movable * (movable - 1) // 2
    return pairs + movable * (int((problem.degrees + problem.capacity).max(initial=0)) + 1)


def solve_exactly(problem: Problem, budget: Budget, nodes: int) -> Exact:
    """Return the fewest changes, or the proof that there are none, or what was found within `nodes` nodes.

    Parameters
    ----------
    problem : Problem
        The graph and its constraints; small, see :func:`variable_count`.
    budget : Budget
        Its remaining time ends the search.
    nodes : int
        Limit on the nodes of the search tree: the work limit that does not depend on the machine.

    Raises
    ------
    SolverFailed
        If HiGHS does not answer.

    Notes
    -----
    A binary variable for every pair that may be added and every edge that may be deleted; y(v, d) whether movable
    vertex v of a class ends with degree d; z(c, d) whether class c uses degree d. Each z(c, d) asks for k vertices,
    fixed ones included, and degrees that fixed vertices have are used. HiGHS runs on one thread with a fixed seed.

    *Symmetry*, where nothing is limited and nothing deleted: nobody need end above one who has all its neighbours
    (:func:`~graphkit.networks.core.nested_neighbourhoods.nested_pairs`).
    """
    return _Program(problem).solve(budget, nodes)


class _Program:
    """The columns and rows of the program, in the order in which they are made.

    ::

        x(a, b)   pairs that may change      gain of v = Σ x(v, ·) added − Σ x(v, ·) deleted, within its room
        y(v, d)   v ends with degree d       one d for each v; Σ d·y(v, d) = degree of v + gain of v;  y(v, d) ≤ z(c, d)
        z(c, d)   class c uses degree d      Σ y(·, d) + fixed vertices of c with degree d ≥ k·z(c, d)

    A term is a column and its coefficient.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._cost: list[float] = []
        self._lower: list[float] = []
        self._rows: list[tuple[float, float, list[_Term]]] = []
        self._pairs: list[tuple[int, int, int]] = []
        self._used: dict[tuple[int, int], int] = {}
        self._enders: dict[tuple[int, int], list[_Term]] = {}

    def solve(self, budget: Budget, nodes: int) -> Exact:
        """Build the program and solve it."""
        import highspy

        self._build()
        solver = new_solver(mip_max_nodes=nodes, mip_rel_gap=0.0, mip_abs_gap=0.5)
        if budget.time_limit is not None:
            solver.setOptionValue("time_limit", max(0.1, budget.remaining()))
        failed = highspy.HighsStatus.kError
        if solver.passModel(self._model()) is failed or solver.run() is failed:
            raise SolverFailed("HiGHS did not solve the program of a small network; try --method or another k")
        return self._answer(solver, highspy)

    def _build(self) -> None:
        problem = self._problem
        movable = np.flatnonzero(~problem.fixed)
        gains = self._add_pairs(movable)
        fixed = problem.fixed & (problem.classes >= 0)
        held = Counter(zip(problem.classes[fixed].tolist(), problem.degrees[fixed].tolist(), strict=True))
        for key in held:
            self._use(key, lower=1.0)
        ends = {v: self._add_ends(v, gain) for v, gain in gains.items()}
        for key, enders in self._enders.items():
            self._row(-held[key], np.inf, [*enders, (self._used[key], -float(problem.k))])
        if problem.constraints.is_empty and not problem.deletions:
            for u, v in nested_pairs(_adjacency(problem)).tolist():
                if ends.get(u) and ends.get(v):
                    self._row(-np.inf, 0.0, ends[u] + [(column, -d) for column, d in ends[v]])

    def _add_pairs(self, movable: Ints) -> dict[int, list[_Term]]:
        """Make a column for every pair that may be added or deleted; return the gain of each vertex, as terms."""
        problem = self._problem
        present = {(a, b) for a, b in problem.view.edges_among(movable).tolist()}
        gains: dict[int, list[_Term]] = {v: [] for v in movable.tolist()}
        for a, b in combinations(movable.tolist(), 2):
            deleting = (a, b) in present
            if not problem.deletions if deleting else (a, b) in problem.blocked:
                continue
            pair = self._column(1.0)
            self._pairs.append((pair, a, b))
            for v in (a, b):
                gains[v].append((pair, -1.0 if deleting else 1.0))
        return gains

    def _add_ends(self, v: int, gain: list[_Term]) -> list[_Term]:
        """Let a vertex end with one degree, if it is protected; return that degree, as terms."""
        problem = self._problem
        degree, group = int(problem.degrees[v]), int(problem.classes[v])
        low = degree - sum(sign < 0 for _, sign in gain)
        high = degree + min(int(problem.capacity[v]), sum(sign > 0 for _, sign in gain))
        self._row(low - degree, high - degree, gain)
        if group < 0:
            return []
        ends: list[_Term] = []
        for d in range(low, high + 1):
            used = self._use((group, d))
            chosen = self._column(0.0)
            self._enders[group, d].append((chosen, 1.0))
            ends.append((chosen, float(d)))
            self._row(-np.inf, 0.0, [(chosen, 1.0), (used, -1.0)])
        self._row(1.0, 1.0, [(chosen, 1.0) for chosen, _ in ends])
        self._row(degree, degree, ends + [(pair, -sign) for pair, sign in gain])
        return ends

    def _use(self, key: tuple[int, int], lower: float = 0.0) -> int:
        """Return the column that tells whether a class uses a degree."""
        if key not in self._used:
            self._used[key], self._enders[key] = self._column(0.0, lower), []
        return self._used[key]

    def _column(self, cost: float, lower: float = 0.0) -> int:
        """Make a binary variable."""
        self._cost.append(cost)
        self._lower.append(lower)
        return len(self._cost) - 1

    def _row(self, lower: float, upper: float, terms: list[_Term]) -> None:
        self._rows.append((float(lower), float(upper), terms))

    def _model(self) -> Any:
        starts = np.cumsum([0, *(len(terms) for _, _, terms in self._rows)])
        columns = [column for _, _, terms in self._rows for column, _ in terms]
        values = [value for _, _, terms in self._rows for _, value in terms]
        limits = [row[0] for row in self._rows], [row[1] for row in self._rows]
        bounds = self._lower, [1.0] * len(self._cost)
        matrix = starts.tolist(), columns, values
        return linear_program(self._cost, bounds, limits, matrix, by_rows=True, integral=True)

    def _answer(self, solver: Any, highspy: Any) -> Exact:
        status = solver.getModelStatus()
        if status == highspy.HighsModelStatus.kInfeasible:
            return Exact(infeasible=True)
        info = solver.getInfo()
        nodes = max(int(info.mip_node_count), 1)
        proven = info.mip_dual_bound
        bound = max(0, int(np.ceil(proven - 1e-6))) if np.isfinite(proven) and abs(proven) < 1e20 else 0
        if info.primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
            return Exact(bound=bound, nodes=nodes)
        values = solver.getSolution().col_value
        chosen = np.array([(a, b) for pair, a, b in self._pairs if values[pair] > 0.5], dtype=np.int64).reshape(-1, 2)
        among = self._problem.view.edges_among(np.unique(chosen))
        present = {(a, b) for a, b in among.tolist()}
        deleting = np.array([(a, b) in present for a, b in chosen.tolist()], dtype=bool)
        return Exact(added=chosen[~deleting], deleted=chosen[deleting], bound=bound, nodes=nodes)


def _adjacency(problem: Problem) -> Bools:
    adjacent = np.zeros((problem.n, problem.n), dtype=np.bool_)
    edges = problem.view.edges_among(np.arange(problem.n))
    adjacent[edges[:, 0], edges[:, 1]] = adjacent[edges[:, 1], edges[:, 0]] = True
    return adjacent
