"""Whether those who end above a border of a sequence can find the partners that they need."""

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.bounds.coverage import BestSets, SetBound
from graphkit.networks.core.high_degree_core import high_degree_core
from graphkit.networks.graphs.graph_view import GraphView

_CORE = 600
# edges that the program of one question may have
_WORK = 100_000


class SequenceBorders:
    """The inequality of Erdős and Gallai with the graph, for the degrees that a solution ends with.

    Parameters
    ----------
    view : GraphView
        The graph; one query to it, and O(c²) space for the c highest vertices that are looked at.

    Notes
    -----
    *Statement.* Let the degrees after be t, descending, of sum T, and p a number of them with ``t_p > t_{p+1}``. With
    T_p the sum of the first p, and C the largest number of edges of G that p vertices cover that have all of a degree
    above t_{p+1} among them, ``T − 2m ≥ 2T_p − p(p−1) − 2C``.

    *Proof.* The p vertices A that end highest have all of a degree above t_{p+1} among them. They are raised by
    ``T_p − Σ_A d`` in all. Inside A are at most ``p(p−1)/2 − m(A)`` new edges; all others of A end outside, where as
    much is demanded. So ``T − 2m ≥ 2(T_p − Σ_A d) − p(p−1) + 2m(A)``, and ``Σ_A d − m(A)`` is what A covers.
    """

    def __init__(self, view: GraphView) -> None:
        self._core = high_degree_core(view, _CORE)
        # no vertex outside the core covers more edges
        self._outside = int(self._core.degrees[-1]) if self._core.size < view.vertex_count else None
        self._sets, self._before = BestSets(~self._core.joinable), self._core.joinable_before()
        self._known: dict[tuple[int, int], SetBound] = {}
        self.took = 0
        """Edges of all linear programs so far."""

    def allow(self, after: Ints, demand: int) -> bool:
        """Return whether no border forbids degrees.

        Parameters
        ----------
        after : ndarray of int64
            ``after[t]`` vertices end with degree t.
        demand : int
            What all vertices are raised by.
        """
        degrees = np.flatnonzero(after)[::-1]
        ends = np.cumsum(after[degrees])
        sums = np.cumsum(after[degrees] * degrees)
        for p, total, below in zip(ends[:-1].tolist(), sums[:-1].tolist(), degrees[1:].tolist(), strict=True):
            # so many covered edges are enough
            enough = (2 * total - p * (p - 1) - demand + 1) // 2
            if enough > self._covered(p, below, enough):
                return False
        return True

    def _covered(self, p: int, below: int, enough: int) -> int:
        """Return how many edges p vertices cover at most; any number from `enough` on says that it may be so many."""
        core = self._core
        forced = int(np.searchsorted(-core.degrees, -below))
        if forced == core.size:
            # of those outside more may have such a degree
            return enough
        joined = (forced * (forced - 1) - int(self._before[:forced, forced].sum())) // 2
        inside = int(core.degrees[:forced].sum()) - joined
        if forced == p:
            return inside
        key = p, forced
        if key not in self._known or not self._known[key].serves(enough - 1 - inside, enough - inside):
            self._known[key] = self._sets.bound(
                core.degrees[forced:] - forced + self._before[forced:, forced],
                p - forced,
                spare=self._outside,
                enough=enough - 1 - inside,
                useless=enough - inside,
                work=_WORK,
            )
            self.took += self._known[key].edges
        return inside + self._known[key].bound
