"""The question what a set of given size can weigh when edges inside it count against it."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.networks.core.exchanging import exchanged

_EXCHANGES = 60
# candidates that are exchanged for those of a set, beside as many as are in it
_BESIDE = 50
# multipliers are rounded to this grid, so that the bound is computed in integers and proven whatever the solver returns
GRID = 256


def spares_of(spare: int | None, size: int) -> Ints:
    """Return the weights of as many others as a set of that size can want, none where they have no weight."""
    return np.full(0 if spare is None else size, spare or 0, dtype=np.int64)


def heaviest(weights: Ints, spares: Ints, size: int) -> Ints:
    """Return the largest weights of candidates and others, descending, as many as said."""
    return np.sort(np.concatenate((weights, spares)))[::-1][:size]


@dataclass(frozen=True, slots=True, eq=False)
class SetQuestion:
    """How large can ``Σ_{u in Y} w_u − m(Y)`` be over all sets Y of one size?"""

    weights: Ints
    """Weight w_u of every candidate, shape (n,)."""
    adjacent: Bools
    """Symmetric, no vertex adjacent to itself; m(Y) counts the adjacent pairs inside Y; shape (n, n)."""
    size: int
    """Number of vertices in Y, from 1 to n + s."""
    spares: Ints
    """Weights of others that are adjacent to nobody, shape (s,)."""

    @property
    def n(self) -> int:
        """Number of candidates."""
        return int(self.weights.size)

    @property
    def edges(self) -> int:
        """Number of adjacent pairs."""
        return int(np.count_nonzero(self.adjacent)) // 2

    def value_near(self, point: Floats | Ints) -> int:
        """Return the value of a set near a point of shape (n + s,), improved by exchanges."""
        n, adjacent = self.n, self.adjacent
        all_weights = np.concatenate((self.weights, self.spares))
        inside = np.zeros(all_weights.size, dtype=np.bool_)
        inside[np.argsort(-point, kind="stable")[: self.size]] = True
        inside = exchanged(all_weights, adjacent, inside, _EXCHANGES)
        chosen = inside[:n]
        return int(all_weights[inside].sum()) - int(adjacent[np.ix_(chosen, chosen)].sum()) // 2

    def parted(self, is_in: Bools, is_left: Bools) -> tuple[int, "SetQuestion"]:
        """Return what those who are in have, and the question who else is."""
        beside = np.count_nonzero(self.adjacent[:, is_in], axis=1)
        places = self.size - int(np.count_nonzero(is_in))
        among = self.adjacent[np.ix_(is_left, is_left)]
        rest = SetQuestion(self.weights[is_left] - beside[is_left], among, places, self.spares[:places])
        return int(self.weights[is_in].sum()) - int(beside[is_in].sum()) // 2, rest


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """A question whose pairs were not looked at yet, about some vertices of a graph."""

    vertices: Ints
    """Their numbers in the graph, shape (n,)."""
    weights: Ints
    apart: Bools | None
    """Who counts as adjacent to nobody."""
    size: int
    spares: Ints

    def only(self, some: Bools | Ints) -> "Candidates":
        """Return the question about some of the candidates."""
        apart = None if self.apart is None else self.apart[some]
        return Candidates(self.vertices[some], self.weights[some], apart, self.size, self.spares)

    def question(self, adjacent: Bools) -> SetQuestion:
        """Return the question with the pairs of a graph."""
        among = adjacent[np.ix_(self.vertices, self.vertices)]
        if self.apart is not None:
            among[self.apart] = among[:, self.apart] = False
        return SetQuestion(self.weights, among, self.size, self.spares)

    def value_near(self, adjacent: Bools, point: Ints) -> tuple[int, int]:
        """Return the value of a set near a point of shape (n + s,), and with how many vertices it was looked for."""
        n = self.vertices.size
        beside = 2 * self.size + _BESIDE
        if n <= beside:
            return self.question(adjacent).value_near(point), n
        some = np.argsort(-point[:n], kind="stable")[:beside]
        value = self.only(some).question(adjacent).value_near(np.concatenate((point[some], point[n:])))
        return value, beside


class Told(NamedTuple):
    """What multipliers of the pairs tell."""

    bound: int
    above: int
    """How much the bound is above 0, on the grid, before it is rounded."""
    terms: Ints
    """What each vertex and each spare one adds, on the grid."""
    grid: int = GRID

    def certain(self, n: int, size: int, value: int) -> tuple[Bools, Bools]:
        """Return which of n candidates are in every set of that size and more than a value, and which may be."""
        terms = self.terms[:n]
        ordered, room = np.sort(self.terms)[::-1], self.above - self.grid * (value + 1)
        is_in = terms - ordered[size] > room if size < ordered.size else np.ones(n, dtype=np.bool_)
        return is_in, ~is_in & (ordered[size - 1] - terms <= room)


def told_by(question: SetQuestion | Candidates, loads: Ints, constant: int, grid: int = GRID) -> Told:
    """Return what multipliers tell, of which the sum at each vertex is given, and what they add whoever is in Y."""
    size = question.size
    terms = np.concatenate((grid * question.weights - loads, grid * question.spares))
    above = constant + int(np.partition(terms, terms.size - size)[terms.size - size :].sum())
    return Told(above // grid, above, terms, grid)
