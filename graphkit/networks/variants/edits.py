"""Added and deleted edges in the making: what each vertex still has to gain or lose, and the moves that serve it."""

from collections.abc import Iterable
from itertools import islice

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.networks.graphs.neighbourhoods import Neighbourhoods
from graphkit.networks.variants.problem import Problem, pair_of

_TRIES = 200
"""Edges elsewhere, or pairs of neighbours, that are tried for one detour."""


class Edits:
    """Changes to a graph that never delete an edge that was added, nor add one that was deleted.

    Parameters
    ----------
    problem : Problem
        The graph and its constraints.
    demands : ndarray of int64, shape (n,)
        By how much each degree is to change. Taken over: it becomes what is left.
    rng : numpy.random.Generator
        Order in which equal candidates are tried.
    """

    def __init__(self, problem: Problem, demands: Ints, rng: Rng) -> None:
        self._problem, self.demands, self._rng = problem, demands, rng
        self._near = Neighbourhoods(problem.view)
        self._added: set[tuple[int, int]] = set()
        self._deleted: set[tuple[int, int]] = set()
        self._gain: dict[int, int] = {}
        forbidden = problem.constraints.forbidden_vertices
        self._untouchable = frozenset(() if forbidden is None else forbidden.tolist())
        self._near.fetch(np.flatnonzero(demands).tolist())

    @property
    def is_done(self) -> bool:
        """Whether every demand is met."""
        return not self.demands.any()

    def as_arrays(self) -> tuple[Ints, Ints]:
        """Return added and deleted edges, each low index first, in lexicographic order."""
        added, deleted = (
            np.array(sorted(edges), dtype=np.int64).reshape(-1, 2) for edges in (self._added, self._deleted)
        )
        return added, deleted

    def add(self, a: int, b: int) -> None:
        """Add an edge, which lowers what is left to gain at both ends."""
        self._added.add(pair_of(a, b))
        self.demands[[a, b]] -= 1

    def delete(self, a: int, b: int) -> None:
        """Delete an edge, which lowers what is left to lose at both ends."""
        self._deleted.add(pair_of(a, b))
        self.demands[[a, b]] += 1

    def switch(self) -> None:
        """Let vertices that must lose hand edges over: vu becomes uw, w one that must gain."""
        gainers = np.flatnonzero(self.demands > 0)
        for v in np.flatnonzero(self.demands < 0).tolist():
            hands = self._shuffled(self._near.of(v))
            for w in self._rng.permutation(gainers).tolist():
                wanted = int(min(-self.demands[v], self.demands[w]))
                if wanted <= 0:
                    continue
                near, kept = self._near.of(w), list[int]()
                for u in hands:
                    if wanted and u not in near and self._may_delete(v, u) and self._may_add(u, w):
                        self.delete(v, u)
                        self.add(u, w)
                        wanted -= 1
                    else:
                        kept.append(u)
                hands = kept
                if self.demands[v] == 0:
                    break

    def use_helpers(self) -> None:
        """Let vertices that need no protection be the other end of what is left."""
        helpers = self._problem.helpers
        if helpers.size == 0:
            return
        chosen = frozenset(helpers.tolist())
        for v in np.flatnonzero(self.demands).tolist():
            if self.demands[v] < 0:
                for u in self._shuffled(self._near.of(v) & chosen):
                    if self.demands[v] < 0 and self._may_delete(v, u):
                        self.delete(v, u)
                        self.demands[u] = 0
            else:
                for u in self._rng.permutation(helpers).tolist():
                    if self.demands[v] == 0:
                        break
                    if u not in self._near.of(v) and self._may_add(v, u) and self._has_room(u):
                        self._give(v, u)
            for y in self._shuffled(self._near.of(v) - chosen) if self.demands[v] < 0 else ():
                if self.demands[v] < 0 and self._may_delete(v, y) and (helper := self._helper_for(y)) is not None:
                    self.delete(v, y)
                    self._give(y, helper)

    def _helper_for(self, y: int) -> int | None:
        """Return a vertex without protection that another may be joined to, if one is found quickly."""
        helpers, near = self._problem.helpers, self._near.of(y)
        for u in helpers[self._rng.integers(helpers.size, size=_TRIES)].tolist():
            if u not in near and self._may_add(y, u) and self._has_room(u):
                return int(u)
        return None

    def _give(self, v: int, helper: int) -> None:
        """Join a vertex to one whose degree does not matter."""
        self.add(v, helper)
        self.demands[helper] = 0
        self._gain[helper] = self._gain.get(helper, 0) + 1

    def _has_room(self, helper: int) -> bool:
        return self._gain.get(helper, 0) < int(self._problem.capacity[helper])

    def detour(self) -> None:
        """Serve two that must both gain, or both lose, with the help of an edge, or of a missing one, elsewhere."""
        failed = False
        while not failed:
            losers, gainers = np.flatnonzero(self.demands < 0), np.flatnonzero(self.demands > 0)
            if losers.size + gainers.size == 0:
                return
            failed = not (self._detour_of(losers, losing=True) or self._detour_of(gainers, losing=False))

    def _detour_of(self, vertices: Ints, *, losing: bool) -> bool:
        """Serve two of these vertices, or one of them twice; return whether that was possible."""
        if vertices.size == 0 or (vertices.size == 1 and abs(self.demands[vertices[0]]) < 2):
            return False
        a = int(vertices[0])
        others = vertices[1:] if vertices.size > 1 else vertices
        for b in self._rng.permutation(others)[:8].tolist():
            for x, y in self._between(a, b) if losing else self._elsewhere(a, b):
                if losing:
                    self.delete(a, x)
                    self.delete(b, y)
                    self.add(x, y)
                else:
                    self.delete(x, y)
                    self.add(a, x)
                    self.add(b, y)
                return True
        return False

    def _between(self, a: int, b: int) -> Iterable[tuple[int, int]]:
        """Yield x, y that are tied to a and b and not to each other."""
        first = list(islice((x for x in self._shuffled(self._near.of(a) - {b}) if self._may_delete(a, x)), 20))
        second = list(islice((y for y in self._shuffled(self._near.of(b) - {a}) if self._may_delete(b, y)), _TRIES))
        self._near.fetch(first)
        for x in first:
            for y in second:
                if x != y and y not in self._near.of(x) and self._may_add(x, y):
                    yield x, y

    def _elsewhere(self, a: int, b: int) -> Iterable[tuple[int, int]]:
        """Yield edges xy where x may be joined to a, and y to b."""
        n = self._problem.n
        starts = np.unique(self._rng.integers(n, size=min(n, _TRIES)))
        near_a, near_b = self._near.of(a), self._near.of(b)
        starts = self._rng.permutation(starts).tolist()
        open_to_a = [x for x in starts if x != a and x != b and x not in near_a and self._may_add(a, x)]
        self._near.fetch(open_to_a)
        for x in open_to_a:
            for y in self._shuffled(self._near.of(x) - near_b - {a, b})[:_TRIES]:
                if self._may_delete(x, y) and self._may_add(b, y):
                    yield x, y

    def _may_add(self, a: int, b: int) -> bool:
        """Whether a pair that is no edge of the graph may be added."""
        pair = pair_of(a, b)
        blocked = pair in self._added or pair in self._problem.blocked
        return a != b and not blocked and self._untouchable.isdisjoint(pair)

    def _may_delete(self, a: int, b: int) -> bool:
        """Whether an edge of the graph may be deleted."""
        return pair_of(a, b) not in self._deleted and self._untouchable.isdisjoint((a, b))

    def _shuffled(self, vertices: frozenset[int]) -> list[int]:
        ordered = np.array(sorted(vertices), dtype=np.int64)
        shuffled: list[int] = self._rng.permutation(ordered).tolist()
        return shuffled
