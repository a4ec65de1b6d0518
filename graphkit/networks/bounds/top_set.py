"""A lower bound from the vertices that end highest: what they demand, they must find among each other or below.

The vertices that end in the highest blocks are known up to few: all of large degree are among them. However the
others are chosen, new edges among them are limited by the edges that they cover already.
"""

from graphkit.budget import Budget
from graphkit.networks.bounds.top_sets.search import TopSetSearch
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.effort.work import COVERAGE_EDGE
from graphkit.networks.graphs.graph_view import GraphView

_CORE = 1500
_WORK = 2_500_000


def top_set_bound(
    view: GraphView, k: int, *, target: int, known: int = 0, work: int = _WORK, budget: Budget | None = None
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
    work : int, optional
        Edges that the linear programs may have in all; more never give a weaker bound.
    budget : Budget, optional
        Is charged with those edges, and ends the search early: what was proven until then is the answer.

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
    them are in A). The last chunk before s begins at p < w and has degree ``e = D_p + ρ``; m₁ = p less the positions of
    degree above e (all of those are before p). Let X₁ be any x ≤ k positions of F, X₂ the m₁ + y positions
    from p − m₁ on (all of a degree of at most e), or empty if y = 0, and if p = 0; X₁ and X₂ disjoint, X = X₁ ∪ X₂.

    *Statement.* With ``f`` the least sum of demands of the first p positions in chunks raised at least to their first
    degree, plus that of the positions p..s−1 raised to e; ``t(s, e')`` the same for the positions from s, the first
    chunk raised to e'; ``δ_i = D_1 − D_i`` on X₁ and ``e − D_i`` on X₂; and a_i the number of vertices of A that i is
    not adjacent to, taken as large as it can be; and ``λ_i = δ_i + min(δ_i, a_i)``,

    ``2|S| ≥ f + max( t(s, e'), f − P − B(s, e') + max(E(s, e'), W(s, e')) )``,
    ``B = max over Y of [2·na((F ∪ Y)∖X) + 2·Σ_Y D + Σ_{i in (F ∪ Y) ∩ X} λ_i] − 2·Σ_{positions |F|..s−1} D``,

    Y over all sets of s − |F| vertices outside F, na the number of non-adjacent pairs, P the sum of the m₁ largest
    ``2·a_i`` of X₂; and E what those behind s demand at least beyond what they could give: over groups as for t, the
    least ``Σ max(D' − q, 0)``, q from the highest down the greatest ``D_i + κ_i`` of vertices outside F,
    ``κ_i = na(i, F∖X) + s − x − |F∖X|``.

    And if all vertices are known one by one, W is the same with what they leave unused, for the best λ ≥ 0: over groups
    of degrees ``D' ≥ e'`` at first, the least ``Σ [max(D' − q, 0) + λ·max(q' − D', 0)] − λU``, with ``q'_i`` the
    (s − |F| + i)-th highest ``D + na(·, F∖X)`` of vertices outside F, and ``U = s(n − 1) − f − Σ_{i < s} D_i``.

    *Proof.* ``Σ_A d + Σ_{∉A} d = 2|S|``, and sorted to sorted both sums are smallest: the first is at least
    ``f + Δ``, ``Δ = Σ_{positions |F|..s−1} D − Σ_Y D ≥ 0`` with Y = A∖F, and the whole at least f + t. That is the
    first term. For the second, let Z be those of X₂ that come before the border p; besides the positions of degree
    above e there are m₁ places there, so |Z| ≤ m₁. The others of X₂ in A are in the chunk of degree e, where d = δ.
    R = A∖X ∪ Z: new edges from R go to pairs inside R, to A∩X∖Z or outside A. R has all of F∖X and s − x members at
    most, so i outside A gives it κ_i at most, and ``max(d_i − κ_i, 0)`` to others; these sum to E at least, as that is
    convex in D' − D − κ, so least sorted to sorted. R ends with ``Σ_R (n − 1 − D')`` pairs that are not adjacent, and
    as ``Σ_A D' ≥ f + Σ_{i < s} D_i`` that is U at most; so those outside A give to others W at least, too
    (:class:`~graphkit.networks.bounds.top_sets.unused.Unused`): one outside is not adjacent to na(i, F∖X) of R or more,
    and without the s − |F| of Y the i-th greatest of those sums is the (s − |F| + i)-th of all at least. Hence, E being
    the greater one,
    ``Σ_R d ≤ 2na(R) + Σ_{A∩X∖Z} min(d, a) + Σ_{∉A} d − E``, so
    ``2|S| ≥ 2Σ_A d − Σ_{A∩X∖Z} (d + min(d, a)) − 2na(R) + E``, and ``2na(R) ≤ 2na(A∖X) + Σ_Z 2a``. If the first
    chunk is raised to D_1 + σ, then ``d_i ≤ δ_i + σ`` on X₁, as nothing is higher, and ``Σ_A d ≥ f + Δ + kσ``; since
    x ≤ k, σ only helps. ∎

    *B.* Where t of the y' leaders outside F are in Y, R has m − t members outside F, m = s − |F|, and pairs among them
    number at most ``(m−t)(m−t−1)/2``: convex in t, so at most ``m(m−1)/2 − t(2m − y' − 1)/2`` for 0 ≤ t ≤ y'. Then B is
    a best set of weighted vertices with the edges inside R counted against it:
    :class:`~graphkit.networks.bounds.coverage.BestSets`.

    *Use.* The bound is the least over p, ρ, s and e' in a window; one w is as good as another for validity, the best
    counts, and so do the best X₁ and y. For X₁ those are tried who ask for least beside what they could be joined to.
    As e' rises, t and E rise and F shrinks, so what holds of B at one e' holds at every smaller one: from the e' at
    which the first term is enough they are looked at downwards, and each F tells of all lower e' at which E is still
    enough. With y = 0 both terms rise with ρ, which ends its range.

    Blocks that reach below the core may be truncated to 5k there, as in
    :func:`~graphkit.networks.sequences.position_dp.minimum_raises`. O(w·k³) steps at worst and linear programs with
    `work` edges in all; two queries to the view.

    References
    ----------
    The inequality of Erdős and Gallai with the graph is Hartung, Hoffmann, Nichterlein 2014, section 3.2 ("advanced");
    that it may be applied to the set of highest vertices, whichever they are, is argued above.

    Examples
    --------
    >>> from graphkit.networks.graphs.interchange import as_view
    >>> clique = [(i, j) for i in range(5) for j in range(i)]
    >>> leaves = [(0, 5), (0, 6), (1, 7), (2, 8)]
    >>> top_set_bound(as_view(clique + leaves), k=3, target=9)  # nothing can be joined inside the clique
    3
    """
    return TopSets(view, k).ask(target, known, work, budget or Budget())[0]


class TopSets:
    """The bound of :func:`top_set_bound`, asked again and again: it goes on where it stopped."""

    def __init__(self, view: GraphView, k: int) -> None:
        positions = Positions.of(view, k, _CORE)
        self._search = TopSetSearch(positions) if positions.core.size >= max(k, 2) else None

    def ask(self, target: int, known: int, work: int, budget: Budget) -> tuple[int, bool]:
        """Return the bound after more work, and whether still more may prove more; parameters as for the function."""
        if self._search is None or target <= known:
            return known, False
        value, left = self._search.best(2 * target, 2 * known, work, budget)
        bound = max(known, (value + 1) // 2)
        budget.charge(round((work - left) * COVERAGE_EDGE))
        return bound, bound < target and left <= 0
