"""What a set can weigh at most, by a linear program with rows for cliques and by branching."""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import highspy
import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.kernels import compiled
from graphkit.networks.bounds._pair_program import pair_program, pairs_of
from graphkit.networks.bounds._set_question import SetQuestion, Told, heaviest, told_by

_GRID = 1 << 20
_ROUNDS, _MOST_ROWS = 24, 60
# edges of plain programs, after which it is ended
_MOST_WORK = 1_000_000
# cliques around a vertex
_LEVELS = 6
_LEAST = 0.02
# where so many of the vertices are still open the program is not made anew
_FEWER = 0.8
# steps of the simplex method times entries of the program that take as long as an edge of a plain one: rows of cliques
# have hundreds each
_STEPS = 1_000
# an edge takes so many times as long as it counts in a plain program
_PRICE = 1


class CliqueBound(NamedTuple):
    """What the program tells of sets of one size."""

    bound: int
    """An upper bound on the value of each."""
    value: int
    """The value of one of them."""
    edges: int
    """Edges that a plain linear program of the same duration has."""


class _Clique(NamedTuple):
    """Vertices that are all adjacent, and the j of their row."""

    members: Bools
    wanted: int


def clique_rows_bound(
    question: SetQuestion, value: int, enough: int, useless: int, work: int = _MOST_WORK
) -> CliqueBound:
    """Return an upper bound on ``Σ_{u in Y} w_u − m(Y)`` over all sets Y of the given size.

    Parameters
    ----------
    question : SetQuestion
        The weights, the adjacent pairs, and the size.
    value : int
        What a known set has.
    enough, useless : int
        As for :meth:`~graphkit.networks.bounds.coverage.BestSets.bound`.
    work : int, optional
        It ends early where it took so many edges.

    Notes
    -----
    The linear program of pairs, ``x_e ≥ z_u + z_v − 1``, lets every vertex of a clique be in Y by half, at no price. So
    for cliques C and whole j that its solutions violate

    ``Σ_{e in C} x_e ≥ j·Σ_C z − j(j+1)/2``

    is demanded as well. *Proof.* For t of C in Y both sides differ by ``(t−j)(t−j−1)/2``, half the product of two
    neighbouring whole numbers. As in :meth:`~graphkit.networks.bounds.coverage.BestSets.bound` the multipliers of all
    rows are rounded to a grid and summed in integers; what the sum for a pair is above 1, by rounding alone, is taken
    off its own or added.

    Cliques are grown from every vertex, each time by who makes the row most violated. Who is in every better set, or in
    none, is decided after each round, and a program for the others is made where that leaves few. Where no more rows
    are found, a vertex that is in by half is in or not: of what is open the greatest bound is looked at first. It ends
    early only where that takes long.

    References
    ----------
    Padberg, The boolean quadric polytope, 1989, for the rows of cliques.

    Examples
    --------
    >>> clique = SetQuestion(np.full(9, 5), ~np.eye(9, dtype=bool), 4, np.zeros(0, dtype=np.int64))
    >>> clique_rows_bound(clique, 0, 0, 99)[:2]  # four, and the six pairs of them
    (14, 14)
    """
    search = _Search(value, enough, useless, min(work, _MOST_WORK))
    first = search.relaxed(0, question, [])
    bound = first.bound
    # those of the greatest bound first
    left, count = [(-bound, 0, first)], 1
    while left and not search.is_enough(bound) and not search.is_over:
        *_, node = left[0]
        if node.shares.size < node.question.n:
            # its program was not solved
            break
        heapq.heappop(left)
        for following in search.divided(node):
            if following.bound > search.value:
                heapq.heappush(left, (-following.bound, count, following))
            count += 1
        bound = max(-left[0][0], search.value) if left else search.value
    return CliqueBound(max(bound, search.value), search.value, search.took)


class _Node(NamedTuple):
    """Sets that have some vertices, and others not."""

    bound: int
    inside: int
    """What those have that are in all of them."""
    question: SetQuestion
    """Who else is."""
    cliques: Sequence[_Clique]
    shares: Floats
    """How much of each is in the last solution."""


class _Search:
    """What is known of the best set."""

    def __init__(self, value: int, enough: int, useless: int, work: int) -> None:
        self.value, self._enough, self._useless, self._work = value, enough, useless, work
        self.took = 0

    @property
    def is_over(self) -> bool:
        """Whether it took all the work."""
        return self.took >= self._work

    def is_enough(self, bound: int) -> bool:
        """Return whether a bound need not be any lower."""
        return bound <= max(self.value, self._enough) or self.value >= self._useless

    def relaxed(self, inside: int, question: SetQuestion, cliques: Sequence[_Clique]) -> _Node:
        """Return what the program of a question says, with more and more rows."""
        program = _Program(question, cliques)
        best = inside + int(heaviest(question.weights, question.spares, question.size).sum())
        for _ in range(_ROUNDS):
            told = program.solved(self._work - self.took)
            self.took += program.took
            if told is None:
                break
            best = min(best, inside + told.bound)
            self.value = max(self.value, inside + question.value_near(program.shares))
            if self.is_enough(best) or self.is_over:
                break
            is_in, is_left = told.certain(question.n, question.size, self.value - inside)
            left, places = int(np.count_nonzero(is_left)), question.size - int(np.count_nonzero(is_in))
            if not 0 < places <= left + question.spares.size:
                # one set at most is better
                if places == 0:
                    self.value = max(self.value, inside + question.parted(is_in, is_left)[0])
                best = self.value
                break
            more = program.violated()
            if left <= _FEWER * question.n:
                all_rows = (*program.tight(), *more)
                of_these, question, cliques = _parted(question, all_rows, is_in, is_left)
                inside += of_these
                program = _Program(question, cliques)
            elif more:
                program.demand(more)
            else:
                break
        return _Node(best, inside, question, program.tight(), program.shares)

    def divided(self, node: _Node) -> Iterator[_Node]:
        """Yield the sets with a vertex that is in by half, and those without it."""
        question = node.question
        chosen = int(np.abs(node.shares[: question.n] - 0.5).argmin())
        others = np.arange(question.n) != chosen
        for is_in in (~others, np.zeros(question.n, dtype=np.bool_)):
            inside, rest, cliques = _parted(question, node.cliques, is_in, others)
            if rest.size == 0:
                self.value = max(self.value, node.inside + inside)
            elif rest.size <= rest.n + rest.spares.size:
                yield self.relaxed(node.inside + inside, rest, cliques)


def _parted(
    question: SetQuestion, cliques: Iterable[_Clique], is_in: Bools, is_left: Bools
) -> tuple[int, SetQuestion, list[_Clique]]:
    """Return what those have who are in, the question who else is, and the rows of those who are left."""
    inside, rest = question.parted(is_in, is_left)
    parts = (
        _Clique(clique.members[is_left], clique.wanted - int(np.count_nonzero(clique.members & is_in)))
        for clique in cliques
    )
    return inside, rest, [one for one in parts if 0 < one.wanted < np.count_nonzero(one.members)]


class _Program:
    """The linear program of one question."""

    def __init__(self, question: SetQuestion, cliques: Iterable[_Clique]) -> None:
        self._question = question
        self._pairs = pairs_of(question)
        n, pairs = question.n, self._pairs.shape[0]
        self._numbers = np.full((n, n), -1)
        self._numbers[self._pairs[:, 0], self._pairs[:, 1]] = np.arange(pairs)
        self._numbers = np.maximum(self._numbers, self._numbers.T)
        self._first_pair = n + (question.spares.size > 0)
        self._solver = pair_program(question, self._pairs)
        self.cliques: list[_Clique] = []
        self.took = 0
        """Edges of the last solution."""
        self.shares: Floats = np.zeros(0)
        """How much of each vertex and each spare one is in Y by that."""
        self._multipliers: Floats = np.zeros(0)
        self._joined: Floats = np.zeros(0)
        self.demand(cliques)

    def demand(self, cliques: Iterable[_Clique]) -> None:
        """Add rows."""
        cliques = list(cliques)
        for clique in cliques:
            members = np.flatnonzero(clique.members)
            among = self._among(members)
            columns = np.concatenate((members, self._first_pair + among)).astype(np.int32)
            entries = np.concatenate((np.full(members.size, -float(clique.wanted)), np.ones(among.size)))
            self._solver.addRow(-_constant(clique), highspy.kHighsInf, columns.size, columns, entries)
        self.cliques.extend(cliques)

    def _among(self, members: Ints) -> Ints:
        """Return the numbers of the pairs among vertices of a clique."""
        first, second = np.triu_indices(members.size, 1)
        found: Ints = self._numbers[members[first], members[second]]
        return found

    def solved(self, work: int) -> Told | None:
        """Solve the program, in about so many edges; return what its multipliers tell, None where that went wrong."""
        pairs, n = self._pairs.shape[0], self._question.n
        entries = self._solver.getNumNz()
        self._solver.setOptionValue("simplex_iteration_limit", max(1, work * _STEPS // entries))
        self._solver.run()
        solution = self._solver.getSolution()
        duals = np.abs(np.array(solution.row_dual))
        steps = max(self._solver.getInfo().simplex_iteration_count, 0)
        self.took = _PRICE * pairs + steps * entries // _STEPS
        if duals.size != pairs + 1 + len(self.cliques) or not np.isfinite(duals).all():
            return None
        self._multipliers = duals[pairs + 1 :]
        values = np.array(solution.col_value)
        self._joined = values[self._first_pair :]
        self.shares = values[:n]
        if spares := self._question.spares.size:
            self.shares = np.append(self.shares, np.full(spares, values[n] / spares))
        return self.told(duals)

    def tight(self) -> list[_Clique]:
        """Return the cliques whose rows hold the last solution; without one all."""
        if not self._multipliers.size:
            return self.cliques
        return [one for one, multiplier in zip(self.cliques, self._multipliers, strict=False) if multiplier > 0]

    def told(self, multipliers: Floats) -> Told:
        """Return what multipliers of all rows tell, whatever they are."""
        pairs, n = self._pairs.shape[0], self._question.n
        weights = np.rint(_GRID * np.clip(multipliers, 0, 1)).astype(np.int64)
        own, of_cliques = weights[:pairs], weights[pairs + 1 :]
        sums, loads, constant = own.copy(), np.zeros(n, dtype=np.int64), 0
        for clique, weight in zip(self.cliques, of_cliques.tolist(), strict=True):
            if weight:
                members = np.flatnonzero(clique.members)
                sums[self._among(members)] += weight
                loads[members] += weight * clique.wanted
                constant += weight * _constant(clique)
        over = np.maximum(sums - _GRID, 0)
        taken = np.minimum(own, over)
        own -= taken
        for ends in self._pairs.T:
            loads += np.bincount(ends, weights=own, minlength=n).astype(np.int64)
        return told_by(self._question, loads, constant + int(own.sum() + (over - taken).sum()), _GRID)

    def violated(self) -> list[_Clique]:
        """Return the cliques whose rows the last solution violates most."""
        n = self._question.n
        joined = np.zeros((n, n))
        for first, second in (self._pairs.T, self._pairs.T[::-1]):
            joined[first, second] = self._joined
        members, wanted, excesses = _grown(self._question.adjacent, self.shares[:n], joined, _LEAST)
        found: dict[tuple[int, bytes], _Clique] = {}
        for i in np.argsort(-excesses, kind="stable"):
            if excesses[i] <= 0 or len(found) == _MOST_ROWS:
                break
            _fill(self._question.adjacent, members[i])
            found[int(wanted[i]), members[i].tobytes()] = _Clique(members[i], int(wanted[i]))
        return list(found.values())


def _constant(clique: _Clique) -> int:
    return clique.wanted * (clique.wanted + 1) // 2


@compiled
def _fill(adjacent: Bools, members: Bools) -> None:
    """Add to a clique whom it can have, first ones first: without a share they change nothing in what is violated."""
    able = np.ones(members.size, np.bool_)
    for u in np.flatnonzero(members):
        able &= adjacent[u]
    for v in range(members.size):
        if able[v]:
            members[v] = True
            able &= adjacent[v]


@compiled
def _grown(adjacent: Bools, shares: Floats, joined: Floats, least: float) -> tuple[Bools, Ints, Floats]:
    """Return cliques around each vertex with a share, the j of their rows, and by how much these are violated.

    For each j up to some the most violated one; by 0 where there is none. O(n²) for each vertex, at most.
    """
    n = shares.size
    members = np.zeros((n * _LEVELS, n), np.bool_)
    wanted, excesses = np.zeros(n * _LEVELS, np.int64), np.zeros(n * _LEVELS)
    order = np.empty(n, np.int64)
    for seed in range(n):
        if shares[seed] < least:
            continue
        able = adjacent[seed] & (shares > least)
        beside = joined[seed].copy()
        order[0], size, share, inside = seed, 1, shares[seed], 0.0
        while True:
            # the product above is least at the whole number below the share
            level = max(1, int(share + least))
            row = seed * _LEVELS + min(level, _LEVELS) - 1
            excess = level * share - inside - level * (level + 1) / 2
            if size > level and excess > max(least, excesses[row]):
                excesses[row], wanted[row] = excess, level
                members[row] = False
                members[row][order[:size]] = True
            chosen, most = -1, 0.0
            for v in range(n):
                if able[v] and (chosen < 0 or level * shares[v] - beside[v] > most):
                    chosen, most = v, level * shares[v] - beside[v]
            if chosen < 0:
                break
            order[size] = chosen
            size += 1
            share += shares[chosen]
            inside += beside[chosen]
            for v in range(n):
                beside[v] += joined[chosen, v]
                able[v] = able[v] and adjacent[chosen, v]
    return members, wanted, excesses
