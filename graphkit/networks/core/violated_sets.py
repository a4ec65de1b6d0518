"""Sets of vertices whose demands ask for more partners than there are."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.networks.core.high_degree_core import HighDegreeCore
from graphkit.networks.core.set_search import among, searched


@dataclass(frozen=True, slots=True, eq=False)
class ViolatedSet:
    """A set R of core positions; demands d are met only if

    ``Σ_{v in R} d_v ≤ 2·pairs + Σ_{v not in R} min(d_v, partners_v)``.
    """

    members: Bools
    """Whether a core position is in R, shape (c,)."""
    partners: Ints
    """Vertices of R that a core position could be joined to, shape (c,)."""
    size: int
    """Number of vertices in R: what a vertex outside the core may be joined to at most."""
    pairs: int
    """Pairs inside R that are not adjacent."""
    excess: int
    """By how much the demands violate the inequality; not positive when they meet it."""

    @property
    def last(self) -> int:
        """The last core position in R, which is not empty."""
        return int(np.flatnonzero(self.members)[-1])

    def caps(self, number: int) -> Ints:
        """Return what each of the first positions gives R at most, −1 for a member.

        Parameters
        ----------
        number : int
            How many positions, at least c.

        Returns
        -------
        ndarray of int64, shape (number,)
            A demand d outside R counts as ``min(d, cap)`` in the inequality.

        Examples
        --------
        >>> ViolatedSet(np.array([True, False]), np.array([0, 1]), size=1, pairs=0, excess=0).caps(3).tolist()
        [-1, 1, 1]
        """
        caps = np.full(number, self.size, dtype=np.int64)
        caps[: self.members.size] = np.where(self.members, -1, self.partners)
        return caps

    def excess_with(self, demands: Ints) -> int:
        """Return by how much other demands violate the inequality, shape (p,); negative where some are to spare.

        Examples
        --------
        >>> one = ViolatedSet(np.array([True, False]), np.array([0, 1]), size=1, pairs=0, excess=0)
        >>> one.excess_with(np.array([3, 1, 5])), one.excess_with(np.array([1, 1, 5]))
        (1, -1)
        """
        caps = self.caps(demands.size)
        return int(np.where(caps < 0, demands, -np.minimum(demands, caps)).sum()) - 2 * self.pairs


def most_violated(core: HighDegreeCore, demands: Ints, known: Sequence[Bools] = ()) -> ViolatedSet | None:
    """Return a set that demands violate by much, or None where the search finds none.

    Parameters
    ----------
    core : HighDegreeCore
        The highest vertices; only they can be in the set.
    demands : ndarray of int64, shape (p,)
        Demands of all positions, those of the core first.
    known : sequence of ndarray of bool, optional
        Sets that were in the way of similar demands; the search begins at them, too.

    Notes
    -----
    Prefixes by descending demand, and by ascending partners for a unit of demand, then single changes while they help:
    a heuristic for the set, but what it returns is violated. O(c²) for each change.

    Examples
    --------
    >>> import graphkit.networks.core.high_degree_core as hubs
    >>> from graphkit.networks.graphs.interchange import as_view
    >>> core = hubs.high_degree_core(as_view([(0, 1), (1, 2), (0, 2), (2, 3)]), limit=4)
    >>> most_violated(core, np.array([0, 2, 2, 0])).excess
    4
    """
    c = core.size
    asking = np.flatnonzero(demands[:c])
    if asking.size == 0:
        return None
    # nothing is asked of the others, and they have nothing to give
    joinable, near = among(core.joinable, asking)
    asked, tail_sums = demands[asking], _tail_sums(demands[c:], c)
    starts = np.array([members[asking] for members in known], dtype=np.bool_).reshape(-1, asking.size)
    sets, excesses = searched(joinable, near, near, asked, asked, tail_sums, starts, 1, 0)
    best = int(np.argmax(excesses))
    if excesses[best] <= 0:
        return None
    members = np.zeros(c, dtype=np.bool_)
    members[asking[sets[best]]] = True
    return violated_set_of(core, members, int(excesses[best]))


def _tail_sums(tail: Ints, most: int) -> Ints:
    """Return Σ min(d, r) over the tail for r from 0 to `most`."""
    exceeding = np.bincount(np.minimum(tail, most))[::-1].cumsum()[::-1]
    steps = np.zeros(most + 1, dtype=np.int64)
    steps[1 : exceeding.size] = exceeding[1:]
    return np.cumsum(steps)


def is_among(asking: ViolatedSet, sets: Iterable[ViolatedSet]) -> bool:
    """Return whether one of the sets has the same members."""
    return any(np.array_equal(asking.members, one.members) for one in sets)


def violated_set_of(core: HighDegreeCore, members: Bools, excess: int = 0) -> ViolatedSet:
    """Return the violated set of a set of core positions, with the excess that it was found with."""
    partners = core.joinable[:, members].sum(axis=1)
    return ViolatedSet(members, partners, int(members.sum()), int(partners[members].sum()) // 2, excess)
