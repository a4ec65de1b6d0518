"""What all but the hubs give to a set of these, in the integer programs over groups."""

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.networks.bounds._excess import exceeding, keys_beside
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.sequences.group_costs import least_from
from graphkit.words import packed


class Gifts:
    """What vertices other than the hubs give at most, wherever they end.

    Parameters
    ----------
    positions : Positions
        The highest vertices, and the degrees of all.
    hubs : int
        Number of hubs: the first vertices.
    vertex, demand : ndarray of int64, shape (c,)
        Who may be on a level, and what it demands there.
    borders : ndarray of int64, shape (b,)
        Behind which others may be in groups of their own.
    """

    def __init__(self, positions: Positions, hubs: int, vertex: Ints, demand: Ints, borders: Ints) -> None:
        core, degrees, k = positions.core, positions.degrees, positions.k
        self._hubs, self._borders, self._k = hubs, borders, k
        self._joinable, self._below = packed(core.joinable[hubs:, :hubs]), core.degrees[hubs:]
        self._outside = positions.outside
        self.columns = np.flatnonzero(vertex >= hubs)
        """Of the c, those of others than hubs."""
        self._others, self._demands = vertex[self.columns] - hubs, demand[self.columns]
        self._ends = self._demands + degrees[vertex[self.columns]]
        self._rest = least_from(degrees, k, 1, 0, 0)[borders]
        self.behind = np.array([self._rest - least_from(degrees, k, 0, 1, size)[borders] for size in range(hubs + 1)])
        """What those behind a border give to a set of each size, whoever is in it, shape (h+1, b)."""

    def to(self, members: Bools) -> tuple[Ints, Ints]:
        """Return what others give to a set of hubs, shape (h,), in each of their columns, and behind each border.

        No vertex gives more than the number of those whom it does not know: by the keys of
        :mod:`~graphkit.networks.bounds._excess`, the positions in order.
        """
        size = int(members.sum())
        keys = keys_beside(self._joinable, self._below, self._outside, members, 0)
        beyond = np.maximum(self._ends - keys[self._others], 0)
        given = np.minimum(self._demands, np.minimum(size, self._demands - beyond))
        least = exceeding(self._below, keys, self._k, self._outside >= 0)
        at = self._borders - self._hubs
        exceeded = np.where(at < least.size, least[np.minimum(at, least.size - 1)], 0)
        return given, np.minimum(self.behind[size], self._rest - exceeded)
