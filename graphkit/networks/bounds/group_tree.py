"""A lower bound from a tree of groups: for each beginning of them, a linear program over who is in which.

Hubs decide what a grouping costs, and where they know each other it matters which of them end high. That a program can
tell once the groups are fixed; so they are fixed one after another, the cheapest beginnings first.
"""

from graphkit.budget import Budget
from graphkit.effort import SECOND
from graphkit.networks.bounds.diagram._labels import DEPTH
from graphkit.networks.bounds.diagram.tree import GroupTree
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.effort.first_groups import FirstGroups
from graphkit.networks.graphs.graph_view import GraphView

_CORE = 600
_WORK = 10_000_000
# with fewer groups in what a label can describe the top set tells more
_LEAST_GROUPS = 2


def group_tree_bound(
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
        leaves fewer beginnings open.
    known : int, optional
        A bound that is known already.
    work : int, optional
        Units that may be spent.
    budget : Budget, optional
        Is charged with them, and ends the search early: what was proven until then is the answer.

    Returns
    -------
    int
        At least `known`.

    Notes
    -----
    *Setting.* Positions, places and groups as in :mod:`~graphkit.networks.bounds.group_diagram`: S is a solution, D'
    the degrees of G + S, ``d = D' − D``; the vertices by descending D' take places, cut into groups of k to 2k−1 of one
    D' each, lowered to degrees that occur. A beginning are the first groups, up to border b, with their degrees, and
    the degree e' of the group behind. H are the positions of degree above e': all of them are before b.

    *Program.* A level for every position before b, as many on each as its groups have places, no level below the
    degree; and a slack s ≥ 0, such that for every R ⊆ H

    ``Σ_R d_v ≤ 2na(R) + Σ_{H∖R} min(d_v, a_v) + Σ_{h ≤ i < b} (d_i − max(l_i − q_i, 0)) + t(b) − t_q(b) + s``,

    na the number of pairs that are not adjacent, a_v how many of R's r members v is not adjacent to, l_i the level of
    i, ``q_h ≥ q_{h+1} ≥ …`` the greatest ``D_v + a_v`` of those outside H (for whom it is not known, r is as much as
    a_v can be), ``t_q(b)`` the least ``Σ max(D'_i − q_i, 0)`` of the positions from b on in groups, the first raised
    to e', and t(b) the least sum of their demands.

    Fractional solutions let many hubs share the last places of a level, and no fixed R asks for much then. So sets with
    whoever ends high are demanded as well (:mod:`~graphkit.networks.bounds.diagram._hub_sets`). Sets are looked for by
    single changes, which miss many; where none is found, those that lately proved a slack of any beginning are tried.

    *Statement.* 2·size(S) is at least what the first groups demand, plus t(b), plus the least s, whichever of the
    inequalities are demanded; so it is for the linear program, and for one beginning that S begins with.

    *Proof.* As for :mod:`~graphkit.networks.bounds.hub_program`, whose program this is with the groups before b fixed:
    those are the groups of a level from that of H's last on. Both sums behind the border may be taken with its first
    group on e', as it is on no lower one. Who is outside H gives R at most ``min(d_v, a_v) = d_v − max(D'_v − (D_v +
    a_v), 0)``. All of them demand ``Σ_{h ≤ i < b} d_i + t(b) + s``, that is what s is; and what is subtracted is least,
    as it is convex, where the highest D' has the greatest ``D_v + a_v``: those on the places that H leaves before b
    first, in the order of the positions, then those behind. R may have the t vertices outside H that end highest as
    well: the positions that take their places have the t highest degrees of those outside H, so these demand no more.

    *Value.* For multipliers μ of the sets, of sum at most 1, and prices π of the levels, Lagrange's bound of the
    program is a sum of minima; multipliers and prices come from HiGHS, are rounded to a grid, and the sum is computed
    in integers. So it is proven, whatever the solver returns. What the labels of the diagram say of a beginning holds
    as well, and the greater of both counts.

    *Several degrees behind.* Beginnings that differ in e' alone are asked about together, and halved where that does
    not reach the target: with H above the highest of those degrees, t and t_q those of the lowest. So it holds for
    each: H need not be more than some positions that are before b for certain; and what is demanded is at least the
    first groups and t, and at least, for every R, those groups and what R misses without the rest, plus t_q; both t
    and t_q rise with e'.

    *All before the border.* Of R the program knows hubs only; :mod:`~graphkit.networks.bounds.top_set` has an
    inequality about all vertices before a border, whoever they are. Its proof takes the border, the demands before it
    (f, here those of the groups) and the degree behind it, so it holds for a beginning, with leaders X₁ alone; for
    several degrees behind with F above the highest and E at the lowest, as both B and E rise with e'. That degrees
    are lowered does no harm: F is the same, and kσ, by which the first group may be higher, is more than its leaders
    lose. It is asked first, as long as that saves work (:mod:`~graphkit.networks.bounds.diagram._top_terms`).

    *Search.* Best first: the beginning of least value is asked about by the program, then continued by every group that
    does not reach the target. Before that, a hub that the program has on several levels is to end on a high one only,
    or on a low one only, if both ways bring the value nearer to the target, or nearer than the last group did: the hub
    that tells most of a dozen that are tried (strong branching). The least value of what is open is the bound. What
    proves a beginning is tried on the next one before its own program is solved; and a hub that alone would take a
    beginning to the target by ending on a degree does not end there in those that follow (reduced costs). With groups
    of more than 64 nothing is tried.

    A solution of the linear program takes about a millisecond; those of a beginning start with the sets that
    mattered before. Two queries to the view.

    References
    ----------
    Hartung, Hoffmann, Nichterlein 2014, section 3.2, for the inequality; Land, Doig, An automatic method of solving
    discrete programming problems, 1960, for the search; Geoffrion, Lagrangean relaxation for integer programming, 1974;
    Applegate, Bixby, Chvátal, Cook, Finding cuts in the TSP, 1995, for strong branching.

    Examples
    --------
    >>> from graphkit.networks.graphs.interchange import as_view
    >>> clique = [(i, j) for i in range(5) for j in range(i)]
    >>> leaves = [(0, 5), (0, 6), (1, 7), (2, 8)]
    >>> group_tree_bound(as_view(clique + leaves), k=3, target=9)  # nothing can be joined inside the clique
    3
    """
    return max(known, GroupTrees(view, k).ask(target, known, work, budget or Budget())[0])


class GroupTrees:
    """The bound of :func:`group_tree_bound`, asked again and again: it goes on where it stopped."""

    def __init__(self, view: GraphView, k: int) -> None:
        self._view, self._k = view, k
        self._tree: GroupTree | None = None
        self._target = self._spent = 0
        self._bound = self._known = 0
        """What it has proven itself, and what anybody has."""

    @property
    def first_groups(self) -> FirstGroups | None:
        """The first groups, and who is in them, where the last question has left the bound least."""
        return None if self._tree is None else self._tree.first_groups

    def ask(self, target: int, known: int, work: int, budget: Budget) -> tuple[int, bool]:
        """Return its own bound after more work, and whether still more may prove more; parameters as for the function.

        It may be below what is known, so that one sees whether it rises towards that.
        """
        if target <= known or self._k > DEPTH // _LEAST_GROUPS:
            return known, False
        # what is worth telling apart depends on the target: where it comes much nearer, a tree that has hardly begun
        # begins anew
        is_nearer = 2 * (target - self._known) < self._target - self._known and self._spent < SECOND
        if self._tree is None or is_nearer:
            positions = Positions.of(self._view, self._k, _CORE)
            if positions.core.size < max(self._k, 2):
                return known, False
            self._tree, self._target = GroupTree(positions), target
        # all sums are even: the odd one below twice the target will do
        before = budget.work
        value, is_open = self._tree.least(2 * target - 1, work, budget)
        self._spent += budget.work - before
        self._bound = max(self._bound, (value + 1) // 2)
        self._known = max(self._known, known, self._bound)
        return min(self._bound, target), is_open and self._known < target
