"""Small networks to the end: an integer program that finds the fewest changes, or proves that there is no answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from graphkit.arrays import Ints
from graphkit.budget import Budget
from graphkit.errors import SolverFailed
from graphkit.networks.variants.problem import Problem
from graphkit.solver import linear_program, new_solver


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

    *Symmetry*, where nothing is limited and nothing deleted: if the neighbours of u, v aside, are neighbours of v as
    well, u need not end above v. For if it ends δ > 0 higher, at least δ vertices other than v are adjacent to u and
    not to v afterwards; they were no neighbours of u before, so δ of these new edges can go to v instead, which
    exchanges the two degrees and leaves all others. With ties broken by index these pairs are a partial order, and
    each exchange brings the degrees nearer to it.
    """
    program = _Program(problem)
    return program.solve(budget, nodes)


@dataclass(slots=True)
class _Program:
    problem: Problem
    _cost: list[float] = field(default_factory=list)
    _upper: list[float] = field(default_factory=list)
    _lower: list[float] = field(default_factory=list)
    _rows: list[tuple[float, float, list[int], list[float]]] = field(default_factory=list)
    _pairs: list[tuple[int, int, int]] = field(default_factory=list)

    def solve(self, budget: Budget, nodes: int) -> Exact:
        self._build()
        import highspy

        solver = new_solver(mip_max_nodes=nodes, mip_rel_gap=0.0, mip_abs_gap=0.5)
        if budget.time_limit is not None:
            solver.setOptionValue("time_limit", max(0.1, budget.remaining()))
        failed = highspy.HighsStatus.kError
        if solver.passModel(self._model()) is failed or solver.run() is failed:
            raise SolverFailed("HiGHS did not solve the program of a small network; try --method or another k")
        return self._answer(solver, highspy)

    def _variable(self, cost: float, lower: float = 0.0, upper: float = 1.0) -> int:
        self._cost.append(cost)
        self._lower.append(lower)
        self._upper.append(upper)
        return len(self._cost) - 1

    def _build(self) -> None:
        problem = self.problem
        movable = np.flatnonzero(~problem.fixed)
        present = {(a, b) for a, b in problem.view.edges_among(movable).tolist()}
        gain: dict[int, list[tuple[int, float]]] = {v: [] for v in movable.tolist()}
        for a, b in combinations(movable.tolist(), 2):
            deleting = (a, b) in present
            if not problem.deletions if deleting else (a, b) in problem.blocked:
                continue
            pair = self._variable(1.0)
            self._pairs.append((pair, a, b))
            for v in (a, b):
                gain[v].append((pair, -1.0 if deleting else 1.0))
        used: dict[tuple[int, int], int] = {}
        held: dict[tuple[int, int], list[int]] = {}
        fixed = problem.fixed & (problem.classes >= 0)
        count: dict[tuple[int, int], int] = {}
        ends: dict[int, list[tuple[int, float]]] = {}
        for v in np.flatnonzero(fixed).tolist():
            key = (int(problem.classes[v]), int(problem.degrees[v]))
            count[key] = count.get(key, 0) + 1
        for key in count:
            used[key], held[key] = self._variable(0.0, lower=1.0), []
        for v in movable.tolist():
            degree, group = int(problem.degrees[v]), int(problem.classes[v])
            low = degree - sum(sign < 0 for _, sign in gain[v])
            high = degree + min(int(problem.capacity[v]), sum(sign > 0 for _, sign in gain[v]))
            self._row(low - degree, high - degree, gain[v])
            if group < 0:
                continue
            choice = []
            for d in range(low, high + 1):
                key = (group, d)
                if key not in used:
                    used[key], held[key] = self._variable(0.0), []
                chosen = self._variable(0.0)
                held[key].append(chosen)
                choice.append((chosen, float(d)))
                self._row(-np.inf, 0.0, [(chosen, 1.0), (used[key], -1.0)])
            ends[v] = choice
            self._row(1.0, 1.0, [(chosen, 1.0) for chosen, _ in choice])
            self._row(degree, degree, choice + [(pair, -sign) for pair, sign in gain[v]])
        for key, chosen_ones in held.items():
            ones = [(chosen, 1.0) for chosen in chosen_ones]
            self._row(-float(count.get(key, 0)), np.inf, [*ones, (used[key], -float(problem.k))])
        if problem.constraints.is_empty and not problem.deletions:
            for u, v in _nested(problem):
                if u in ends and v in ends:
                    self._row(-np.inf, 0.0, ends[u] + [(chosen, -d) for chosen, d in ends[v]])

    def _row(self, lower: float, upper: float, terms: list[tuple[int, float]]) -> None:
        self._rows.append((float(lower), float(upper), [i for i, _ in terms], [value for _, value in terms]))

    def _model(self) -> Any:
        starts = np.cumsum([0, *(len(row[2]) for row in self._rows)])
        entries = [i for row in self._rows for i in row[2]], [value for row in self._rows for value in row[3]]
        limits = [row[0] for row in self._rows], [row[1] for row in self._rows]
        return linear_program(
            self._cost, (self._lower, self._upper), limits, (starts.tolist(), *entries), by_rows=True, integral=True
        )

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
        among = self.problem.view.edges_among(np.unique(chosen))
        present = {(a, b) for a, b in among.tolist()}
        deleting = np.array([(a, b) in present for a, b in chosen.tolist()], dtype=bool)
        return Exact(added=chosen[~deleting], deleted=chosen[deleting], bound=bound, nodes=nodes)


def _nested(problem: Problem) -> list[tuple[int, int]]:
    """Return pairs (u, v), each neighbour of u but v a neighbour of v, without those that follow from others."""
    n = problem.n
    adjacent = np.zeros((n, n), dtype=bool)
    edges = problem.view.edges_among(np.arange(n))
    adjacent[edges[:, 0], edges[:, 1]] = adjacent[edges[:, 1], edges[:, 0]] = True
    only = adjacent.astype(np.int64) @ ~adjacent  # v itself counts as one of those that are not adjacent to v
    within = only - adjacent == 0
    above = within & (~within.T | np.triu(np.ones((n, n), dtype=bool), 1))
    np.fill_diagonal(above, False)
    return [(u, v) for u, v in np.argwhere(above & ~(above @ above)).tolist()]
