"""The question what a set of given size can weigh when edges inside it count against it."""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Bools, Floats, Ints

_EXCHANGES = 60


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

    def without_edges(self) -> int:
        """Return what the heaviest weigh, whoever is adjacent."""
        return int(heaviest(self.weights, self.spares, self.size).sum())

    def value_near(self, point: Floats | Ints) -> int:
        """Return the value of a set near a point of shape (n + s,), improved by exchanges."""
        n, adjacent = self.n, self.adjacent
        all_weights = np.concatenate((self.weights, self.spares))
        inside = np.zeros(all_weights.size, dtype=np.bool_)
        inside[np.argsort(-point, kind="stable")[: self.size]] = True
        beside = np.zeros(all_weights.size, dtype=np.int64)
        for _ in range(_EXCHANGES):
            beside[:n] = adjacent[:, inside[:n]].sum(axis=1)
            gains = all_weights - beside
            members, others = np.flatnonzero(inside), np.flatnonzero(~inside)
            if not others.size:
                break
            out = members[gains[members].argmin()]
            # the one that leaves is beside nobody any more
            better = gains[others]
            if out < n:
                better[others < n] += adjacent[others[others < n], out]
            if better.max() <= gains[out]:
                break
            inside[[out, others[better.argmax()]]] = False, True
        chosen = inside[:n]
        return int(all_weights[inside].sum()) - int(adjacent[np.ix_(chosen, chosen)].sum()) // 2
