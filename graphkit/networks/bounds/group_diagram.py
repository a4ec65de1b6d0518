"""A lower bound from a relaxed decision diagram: all ways to group the highest positions, and what each must find.

Hubs have degrees of their own, so which of them end on which degree is known up to few choices. For each choice, which
vertices ask for partners and which offer some is known as well.
"""

from graphkit.budget import Budget
from graphkit.networks.bounds.diagram._labels import DEPTH
from graphkit.networks.bounds.diagram.search import GroupDiagram
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.effort.work import LABEL
from graphkit.networks.graphs.graph_view import GraphView

_CORE = 600
_WORK = 20_000
# a look at the top is soon done; who ends lower matters more the larger the groups are
_DEPTHS = (48, DEPTH, DEPTH, DEPTH)


def group_diagram_bound(
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
        leaves fewer labels open and makes the bound sharper.
    known : int, optional
        A bound that is known already: targets that cannot lead to a better one are not tried.
    work : int, optional
        Labels that may be looked at in all.
    budget : Budget, optional
        Is charged with the labels, and ends the search early: what was proven until then is the answer.

    Returns
    -------
    int
        At least `known`.

    Notes
    -----
    *Setting.* Positions are vertices by descending degree D. Let S be a solution, D' the degrees of G + S and
    d = D' − D. Sort the vertices by D', ties by D; the places of that order are cut into groups of k to 2k−1 of one D'
    each, a block of 2k or more into groups of exactly k and a last one. Group i takes the places ``p_i … p_{i+1} − 1``
    and has degree e_i; a position belongs to the group whose places it would take. Lower every e_i to the largest D
    that is not above it: for the numbers d so lowered all that follows holds, and what it says of them holds of S, as
    a group loses as many units of demand as it has vertices and those outside R give at most that many less.

    *Crossing.* The positions of degree above e_i, F_i of them, are at places before p_i. So at most ``m_i = p_i − F_i``
    vertices of lower positions are above border i, and as many of the positions ``F_i … p_i − 1`` are below it.

    *Statement.* Let the first j groups take s places, e' be the degree of the next one; A the vertices at these
    places, F the positions of degree above e' (all in A), o = s − \\|F\\|, f the sum of ``e_i − D`` over the first s
    positions, ``δ_v = e_i − D_v`` for v in group i. For every X ⊆ F, R = A∖X, and r ≥ \\|R\\|:

    ``2|S| ≥ f + max(T_0, b − B₂)`` and ``2|S| ≥ f + λ(b − B₁) + T_λ`` for λ in [0, 1], with

    ``b = f − Σ_X δ − 2·na(F∖X) − Σ_X min(δ_v, a_v) − P``, na the number of pairs that are not adjacent, a_v that of
    R's vertices that v is not adjacent to; ``T_λ`` the least sum of ``(1−λ)d + λ·max(d − r, 0)`` over the positions
    from s on in groups, the first raised to e'; B and P below.

    *Proof.* ``Σ_A d = f + Δ``, Δ the sum of D over the first s positions less that over A, not negative. New edges
    at R go to R, to X or outside A: ``Σ_R d ≤ 2na(R) + Σ_X min(d_v, a_v) + Σ_{∉A} min(d_v, r)``. As ``2|S| = Σ_A d +
    Σ_{∉A} d`` and sorted to sorted is cheapest for convex costs (with slope at most 1, those that Δ displaces cost at
    most Δ less), both statements follow once the demands of X are known.

    *P.* If all of X is in its group or below, ``d ≤ δ`` there. One that is above border i, there are at most m_i from
    group i, costs at most the smaller of: ``2a_v``, when counted among R instead; and the degrees that it rises, once
    for its own demand and once for what it gives R, less the part above a_v. Where all of ``F_i … p_i − 1`` are in
    X, too, for each that goes up one of these comes down, and only what it gives R counts. P is the sum of the m_i
    largest over all groups.

    *B.* The o vertices of A outside F are not known. One of them costs at most the smaller of ``2a_v + o − 1`` (in R)
    and ``d + min(d, a_v + o − 1 + Σ m_i)`` (in X, d up to the highest degree that it can reach); B₁ is the sum of the
    o largest ``cost + D_v`` less the degrees of the o positions before s, B₂ the same with the degrees twice.

    *Jointly.* A rise across border i takes one of m_i places, whichever vertex rises, so all of them cost at most
    ``Σ m_i·(e_{i−1} − e_i)``, twice or once. With that for P, B need not count what is above the last group's degree.

    *Diagram.* The labels of a border are all groups before it and the next degree that these values do not exclude,
    those with f + T_0 or a better value at the target. Too many labels are merged: f and the δ as the least, the δ
    outside R as the largest, the m_i as their sums. The bound is the least value, the best on the way counting, of
    what is left where the search ends. Relaxed decision diagrams: Bergman, Cire, van Hoeve, Hooker, Decision Diagrams
    for Optimization, 2016, chapter 4.

    Any X is good for validity; it is found by changing one vertex at a time. Blocks that reach below the core may be
    truncated to 5k there, as in :func:`~graphkit.networks.sequences.position_dp.minimum_raises`. O(c²) for each label,
    c ≤ 128 positions; two queries to the view.

    References
    ----------
    The inequality of Erdős and Gallai with the graph is Hartung, Hoffmann, Nichterlein 2014, section 3.2 ("advanced").

    Examples
    --------
    >>> from graphkit.networks.graphs.interchange import as_view
    >>> clique = [(i, j) for i in range(5) for j in range(i)]
    >>> leaves = [(0, 5), (0, 6), (1, 7), (2, 8)]
    >>> group_diagram_bound(as_view(clique + leaves), k=3, target=9)  # nothing can be joined inside the clique
    3
    """
    positions = Positions.of(view, k, _CORE)
    if positions.core.size < max(k, 2) or target <= known:
        return known
    budget = budget or Budget()
    diagram = GroupDiagram(positions, work)
    tried = target
    for depth in _DEPTHS:
        # all sums are even: the odd one below twice the target will do
        bound = min((diagram.least(2 * tried - 1, depth, budget) + 1) // 2, tried)
        known = max(known, bound)
        if bound < tried:
            target = tried - 1
        if known >= target or diagram.work <= 0 or budget.is_spent():
            break
        # fewer labels are below a smaller target, so fewer have to be merged
        tried = (known + target + 1) // 2
    budget.charge(diagram.set_up + (work - diagram.work) * LABEL)
    return known
