"""A lower bound from the vertices that end highest: what they demand, they must find among each other or below.

The vertices that end in the highest blocks are known up to few: all of large degree are among them. However the
others are chosen, new edges among them are limited by the edges that they cover already.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np
from numba import njit
from numpy.typing import NDArray

from graphkit.budget import Budget
from graphkit.networks.bounds.coverage import best_set_bound
from graphkit.networks.graph_view import GraphView
from graphkit.networks.hub_core import HubCore, hub_core, truncated_positions

__all__ = ["top_set_bound"]

_CORE = 1500
_WINDOWS = 120
_LEADERS = 8
_PROGRAMS = 200
_MOST_EDGES = 30_000
_INFINITE = np.int64(1) << 50


def top_set_bound(
    view: GraphView,
    k: int,
    *,
    target: int,
    known: int = 0,
    programs: int = _PROGRAMS,
    budget: Budget | None = None,
) -> int:
    """Return a number of edges that every k-anonymizing set of new edges reaches, at most `target`.

    Parameters
    ----------
    view : GraphView
        The graph.
    k : int
        Required block size, from 1 to the number of vertices.
    target : int
        Number of edges above which a bound is of no use, such as the size of a known solution. A smaller target
        leaves fewer vertices open and makes the bound sharper.
    known : int, optional
        A bound that is known already: what cannot lead to a better one is not looked at.
    programs : int, optional
        Linear programs that may be solved.
    budget : Budget, optional
        Ends the search early; what was proven until then is the answer.

    Returns
    -------
    int
        At least `known`.

    Notes
    -----
    *Setting.* Positions are vertices by descending degree D. Let S be a solution, D' the degrees of G + S and
    d = D' − D. Sort the vertices by D', ties by D, and cut the order into chunks of k to 2k−1 vertices of one D' each
    (every block of G + S has at least k). For any w ≥ 1 the first chunk border s ≥ w lies in [w, w+2k−2].
    Let A be the s vertices before it, e' the degree of the chunk behind it, F the positions of degree above e' (all of
    them are in A), and X the first x ≤ k positions, X ⊆ F.

    *Statement.* With ``f(s)`` the least sum of demands of the first s positions in chunks raised at least to their
    first degree, the last chunk beginning before w; ``t(s, e')`` the same for the positions from s, the first chunk
    raised to e'; and ``δ_i = D_1 − D_i``,

    ``2|S| ≥ f(s) + max( t(s, e'), f(s) − Σ_{i in X} (δ_i + min(δ_i, a_i)) − B(s, e') )``,
    ``B(s, e') = max over Y of [2·na(F∖X ∪ Y) + 2·Σ_Y D] − 2·Σ_{positions |F|..s−1} D``,

    Y over all sets of s − |F| vertices outside F, na the number of non-adjacent pairs, a_i the number of vertices of
    A∖X that i is not adjacent to, taken as large as it can be.

    *Proof.* ``Σ_A d + Σ_{∉A} d = 2|S|``, and sorted to sorted both sums are smallest: the first is at least
    ``f(s) + Δ``, ``Δ = Σ_{positions |F|..s−1} D − Σ_Y D ≥ 0`` with Y = A∖F, and the whole at least f + t. That is the
    first term. For the second, R = A∖X: new edges from R go to pairs inside R, at most na(R) of them, to X or outside
    A: ``Σ_R d ≤ 2na(R) + Σ_X min(d, a) + Σ_{∉A} d``. So ``2|S| ≥ 2Σ_A d − Σ_X (d + min(d, a)) − 2na(R)``. If the first
    chunk is raised to D_1 + σ, then ``d_i ≤ δ_i + σ`` on X and ``Σ_A d ≥ f(s) + Δ + kσ``; since x ≤ k, σ only helps. ∎

    *Use.* The bound is the least over s and e' in a window; one w is as good as another for validity, the best counts.
    As e' rises, t rises and F shrinks, so what holds of B at one e' holds at every smaller one: where the two terms
    cross is found by bisection. B is a best set with edges counted against it:
    :func:`~graphkit.networks.bounds.coverage.best_set_bound`.

    Blocks that reach below the core may be truncated to 5k there, as in
    :func:`~graphkit.networks.sequences.position_dp.minimum_lifts`. O(w·k²) steps and at most `programs` small linear
    programs; two queries to the view.

    References
    ----------
    The inequality of Erdős and Gallai with the graph is Hartung, Hoffmann, Nichterlein 2014, section 3.2 ("advanced");
    that it may be applied to the set of highest vertices, whichever they are, is argued above.

    Examples
    --------
    >>> from graphkit.networks.interchange import as_view
    >>> clique = [(i, j) for i in range(5) for j in range(i)]
    >>> leaves = [(0, 5), (0, 6), (1, 7), (2, 8)]
    >>> top_set_bound(as_view(clique + leaves), k=3, target=9)  # nothing can be joined inside the clique
    3
    """
    blocks = view.block_sequence()
    core = hub_core(view, _CORE)
    if core.size < k or core.size < 2 or target <= known:
        return known
    search = _Search(core, truncated_positions(blocks, core, k), k, 2 * target, programs)
    return max(known, (search.best(2 * known, budget or Budget()) + 1) // 2)


@dataclass(order=True, slots=True)
class _Border:
    """A chunk border with the value proven for it so far."""

    value: int
    refined: bool
    position: int
    above: int
    slack: int


class _Search:
    """The least value over the borders of a window, for many windows."""

    def __init__(self, core: HubCore, degrees: NDArray[np.int64], k: int, target: int, programs: int) -> None:
        self._core, self._degrees, self._k, self._target = core, degrees, k, target
        self._programs = programs
        self._before, self._after, self._prefix = _costs(degrees, k)
        counts = np.cumsum(core.joinable, axis=1, dtype=np.int32)
        self._joinable_before = np.concatenate((np.zeros((core.size, 1), dtype=np.int32), counts), axis=1)
        self._sets: dict[tuple[int, int, int, bool], int] = {}

    def best(self, best: int, budget: Budget) -> int:
        """Return the best value of a window, at most the target, or `best` where none is better."""
        for window in range(1, min(_WINDOWS + self._k, self._core.size - 2 * self._k)):
            best = max(best, self._window(window, best))
            if best >= self._target or self._programs <= 0 or budget.is_spent():
                break
        return best

    def _window(self, window: int, enough: int) -> int:
        """Return the least value over the borders of a window, or something not above `enough`."""
        borders = self._borders(window)
        heapify(borders)
        while borders:
            border = heappop(borders)
            if border.refined or border.value >= self._target:
                return min(border.value, self._target)
            border.value = max(border.value, self._refined(border, enough))
            if border.value <= enough:
                return border.value
            border.refined = True
            heappush(borders, border)
        return self._target

    def _borders(self, window: int) -> list[_Border]:
        """Return the borders of a window whose first term is below the target for some slack."""
        borders = []
        for position in range(window, min(window + 2 * self._k - 1, self._core.size)):
            above = _above(self._degrees, self._prefix, self._before, self._k, position, window)
            if above >= _INFINITE or above + self._below(position, 0) >= self._target:
                continue
            low, high = 0, 1
            while above + self._below(position, high) < self._target:
                low, high = high, 2 * high
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if above + self._below(position, middle) < self._target else (low, middle)
            borders.append(_Border(above + self._below(position, 0), False, position, above, low))
        return borders

    def _below(self, position: int, slack: int) -> int:
        return int(_below(self._degrees, self._prefix, self._after, self._k, position, slack))

    def _refined(self, border: _Border, enough: int) -> int:
        """Return a lower bound on the larger term over all slacks, at most the target.

        What the second term is at a slack, it is at least at every smaller one; the first one rises with the slack.
        """
        falling, low = self._target, -1
        rising, high = self._target, border.slack + 1
        # without slack the least is at most the larger term: a border that is too weak is found out at once
        at_most = max(border.above + self._below(border.position, 0), self._second_term(border, 0))
        if at_most <= enough:
            return at_most
        middle = border.slack
        while high - low > 1:
            first = border.above + self._below(border.position, middle)
            second = self._second_term(border, middle)
            if second > first:
                falling, low = second, middle
            else:
                rising, high = first, middle
            if min(falling, rising) <= enough:
                break
            middle = (low + high) // 2
        return min(falling, rising)

    def _second_term(self, border: _Border, slack: int) -> int:
        """Return the best second term over the numbers of leaders X, sharply where that can make a difference."""
        degrees, position = self._degrees, border.position
        if position >= degrees.size:
            return 0
        forced = int(np.searchsorted(-degrees[:position], -int(degrees[position]) - slack))
        best = 0
        for leaders in range(min(self._k, _LEADERS, forced) + 1):
            rise = degrees[0] - degrees[:leaders]
            partners = self._joinable_before[:leaders, forced] - self._joinable_before[:leaders, leaders]
            twice = 2 * border.above - int((rise + np.minimum(rise, partners + position - forced)).sum())
            value = twice - self._set(forced, position, leaders, False)
            if value < self._target and forced < position:
                value = twice - self._set(forced, position, leaders, True)
            best = max(best, value)
            if best >= self._target:
                break
        return best

    def _set(self, forced: int, position: int, leaders: int, sharply: bool) -> int:
        """Return B: an upper bound on what the open places of the top set can make of it."""
        key = (forced, position, leaders, sharply)
        if key not in self._sets:
            self._sets[key] = self._set_bound(forced, position, leaders, sharply)
        return self._sets[key]

    def _set_bound(self, forced: int, position: int, leaders: int, sharply: bool) -> int:
        near, degrees, open_places = self._joinable_before, self._degrees, position - forced
        inside = int((near[leaders:forced, forced] - near[leaders:forced, leaders]).sum())
        if open_places == 0:
            return inside
        weights = near[forced:, forced].astype(np.int64) - near[forced:, leaders] + self._core.degrees[forced:]
        outside = forced - leaders + int(degrees[self._core.size]) if degrees.size > self._core.size else -1
        heaviest = np.sort(weights)[::-1]
        if weights.size < open_places or outside >= heaviest[open_places - 1] - (open_places - 1):
            padded = np.sort(np.concatenate((weights, np.full(open_places, outside))))[::-1]
            value = int(padded[:open_places].sum())
        elif sharply and self._programs > 0:
            self._programs -= 1
            adjacent = ~self._core.joinable[forced:, forced:]
            value = best_set_bound(weights, adjacent, open_places, most_edges=_MOST_EDGES)
        else:
            value = int(heaviest[:open_places].sum())
        pairs = open_places * (open_places - 1)
        return inside + 2 * value + pairs - 2 * int(degrees[forced:position].sum())


@njit(cache=True)
def _costs(degrees: NDArray[np.int64], k: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the least cost of all positions before, and from, every border, and the prefix sums of the degrees."""
    size = degrees.size
    infinite = np.int64(1) << 50
    prefix = np.zeros(size + 1, np.int64)
    for i in range(size):
        prefix[i + 1] = prefix[i] + degrees[i]
    before = np.full(size + 1, infinite, np.int64)
    after = np.full(size + 1, infinite, np.int64)
    before[0] = after[size] = 0
    for q in range(k, size + 1):
        for p in range(max(0, q - 2 * k + 1), q - k + 1):
            before[q] = min(before[q], before[p] + (q - p) * degrees[p] - (prefix[q] - prefix[p]))
    for p in range(size - k, -1, -1):
        for q in range(p + k, min(size, p + 2 * k - 1) + 1):
            after[p] = min(after[p], after[q] + (q - p) * degrees[p] - (prefix[q] - prefix[p]))
    return before, after, prefix


@njit(cache=True)
def _above(
    degrees: NDArray[np.int64],
    prefix: NDArray[np.int64],
    before: NDArray[np.int64],
    k: int,
    position: int,
    window: int,
) -> int:
    """Return the least cost of the positions before a border whose last chunk begins before the window."""
    best = np.int64(1) << 50
    for p in range(max(0, position - 2 * k + 1), min(window - 1, position - k) + 1):
        best = min(best, before[p] + (position - p) * degrees[p] - (prefix[position] - prefix[p]))
    return int(best)


@njit(cache=True)
def _below(
    degrees: NDArray[np.int64], prefix: NDArray[np.int64], after: NDArray[np.int64], k: int, position: int, slack: int
) -> int:
    """Return the least cost of the positions from a border on, the first chunk raised by `slack` more than it must."""
    size = degrees.size
    if position == size:
        return 0
    best = np.int64(1) << 50
    goal = degrees[position] + slack
    for q in range(position + k, min(size, position + 2 * k - 1) + 1):
        best = min(best, after[q] + (q - position) * goal - (prefix[q] - prefix[position]))
    return int(best)
