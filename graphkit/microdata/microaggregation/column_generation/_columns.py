"""Groups as columns: their members and what each loses."""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.microdata.microaggregation.groups import places_of


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Some groups."""

    members: Ints
    """One group a row, ascending, −1 behind the last; shape (g, 2k − 1)."""
    losses: Floats
    """SSE of each, shape (g,)."""

    @classmethod
    def of(cls, groups: Ints, distances: Floats) -> "Columns":
        """Return groups as columns, each once.

        Parameters
        ----------
        groups : ndarray of int, shape (g, w)
            Members in any order, −1 for none.
        distances : ndarray of float, shape (n, n)
            Squared.
        """
        n = distances.shape[0]
        ordered = np.unique(np.sort(np.where(groups < 0, n, groups), axis=1), axis=0)
        members = np.where(ordered == n, -1, ordered)
        return cls(members, losses_of(members, distances))

    @classmethod
    def empty(cls) -> "Columns":
        """Return no columns."""
        return cls(np.zeros((0, 0), np.int64), np.zeros(0))

    @property
    def size(self) -> int:
        """Number of groups."""
        return int(self.losses.size)

    @property
    def sizes(self) -> Ints:
        """Number of members of each."""
        counts: Ints = (self.members >= 0).sum(axis=1)
        return counts

    def marks(self) -> list[bytes]:
        """Return the members of each as bytes, to tell which are known."""
        return [row.tobytes() for row in self.members]

    def chosen(self, at: Ints) -> "Columns":
        """Return some of them."""
        return Columns(self.members[at], self.losses[at])

    def joined(self, others: "Columns") -> "Columns":
        """Return both, these first."""
        if not self.size:
            return others
        if not others.size:
            return self
        return Columns(np.concatenate((self.members, others.members)), np.concatenate((self.losses, others.losses)))

    def incidence(self) -> tuple[Ints, Ints]:
        """Return where the members of each begin, and where the last end; and the members, one after the other."""
        return np.concatenate(([0], np.cumsum(self.sizes))), self.members[self.members >= 0]

    def reduced_costs(self, records: Floats) -> Floats:
        """Return SSE less the duals of the members."""
        padded = np.append(records, 0.0)
        costs: Floats = self.losses - padded[self.members].sum(axis=1)
        return costs

    def membership(self, n: int) -> Bools:
        """Return who is in which, shape (n + 1, g); the last row is of no record."""
        inside = np.zeros((n + 1, self.size), np.bool_)
        inside[self.members, np.arange(self.size)[:, None]] = True
        return inside

    def in_cuts(self, n: int, triples: Ints) -> Bools:
        """Return which have at least two of the records of each cut, shape (cuts, g)."""
        inside = self.membership(n)
        one, two, three = (inside[triples[:, t]] for t in range(3))
        return (one & two) | (one & three) | (two & three)


def losses_of(members: Ints, distances: Floats) -> Floats:
    """Return the SSE of groups, one a row: the squared distances of all pairs, divided by the size."""
    total = np.zeros(members.shape[0])
    for i in range(members.shape[1]):
        for j in range(i):
            both = (members[:, i] >= 0) & (members[:, j] >= 0)
            total += np.where(both, distances[members[:, i], members[:, j]], 0.0)
    losses: Floats = total / np.maximum(1, (members >= 0).sum(axis=1))
    return losses


def groups_of(labels: Ints, width: int) -> Ints:
    """Return the groups of a partition, one a row, −1 behind the last member."""
    groups = np.full((int(labels.max()) + 1, width), -1, np.int64)
    groups[labels, places_of(labels)] = np.arange(labels.size)
    return groups
