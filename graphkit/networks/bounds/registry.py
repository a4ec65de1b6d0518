"""The lower bounds by name. A new bound is one file and one line here; the tests run it against brute force."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from graphkit.networks.bounds.graphic_sequences import graphic_sequence_bound
from graphkit.networks.bounds.group_diagram import group_diagram_bound
from graphkit.networks.bounds.group_tree import group_tree_bound
from graphkit.networks.bounds.hub_pairs import hub_pairs_bound
from graphkit.networks.bounds.hub_program import hub_program_bound
from graphkit.networks.bounds.integer_program import integer_program_bound
from graphkit.networks.bounds.relaxed_erdos_gallai import relaxed_erdos_gallai_bound
from graphkit.networks.bounds.sequence import sequence_bound
from graphkit.networks.bounds.top_set import top_set_bound
from graphkit.networks.graphs.graph_view import GraphView


@dataclass(frozen=True, slots=True)
class Bound:
    """A way to prove how many new edges are needed at least.

    Examples
    --------
    >>> print(*sorted(BOUNDS)[:6])
    graphic-sequences group-diagram group-tree hub-pairs hub-program integer-program
    >>> BOUNDS["sequence"].precondition
    'none'
    """

    name: str
    function: Callable[[GraphView, int], int]
    """``function(view, k)``: every set of new edges that makes the graph k-anonymous has at least that many."""
    summary: str
    """What it takes into account, in a few words."""
    reference: str
    precondition: str = "none"
    """What must hold for the statement to be worth anything; `none` where it holds for every graph with n ≥ k."""


def _without_solution(bound: Callable[..., int], view: GraphView, k: int) -> int:
    """Return a bound that is sharper with the size of a solution, without one: with targets raised while reached."""
    known = relaxed_erdos_gallai_bound(view.block_sequence(), k)
    target = known + known // 4 + k
    while (found := bound(view, k, target=target)) == target:
        target *= 2
    return found


BOUNDS: Mapping[str, Bound] = MappingProxyType(
    {
        bound.name: bound
        for bound in (
            Bound(
                "sequence",
                lambda view, k: sequence_bound(view.block_sequence(), k),
                "the degrees alone",
                "Liu, Terzi 2008, section 5",
            ),
            Bound(
                "relaxed-erdos-gallai",
                lambda view, k: relaxed_erdos_gallai_bound(view.block_sequence(), k),
                "the degrees, and that demands are the degrees of a graph",
                "Erdős, Gallai 1960; Lagrangian relaxation of Hartung, Hoffmann, Nichterlein 2014, Lemma 2",
            ),
            Bound(
                "graphic-sequences",
                partial(_without_solution, graphic_sequence_bound),
                "all sequences of least cost, one after another, where they are few",
                "Hartung, Hoffmann, Nichterlein 2014, section 3.1",
            ),
            Bound(
                "top-set",
                partial(_without_solution, top_set_bound),
                "the degrees, and how few pairs of hubs can be joined",
                "the advanced test of Hartung, Hoffmann, Nichterlein 2014, for whichever vertices end highest",
            ),
            Bound(
                "group-diagram",
                partial(_without_solution, group_diagram_bound),
                "all ways to group the highest vertices, and what each group can give and must find",
                "relaxed decision diagram (Bergman, Cire, van Hoeve, Hooker 2016) with the same test for every prefix",
            ),
            Bound(
                "group-tree",
                partial(_without_solution, group_tree_bound),
                "which groups the highest vertices are in, one after another, and who of them can be where",
                "branch and bound (Land, Doig 1960) over the groups, Lagrange's bound for who is in which",
            ),
            Bound(
                "hub-program",
                partial(_without_solution, hub_program_bound),
                "who of the highest vertices is in which group, by an integer program; not computed in integers",
                "the same test for sets of hubs, added one after another (Dantzig, Fulkerson, Johnson 1954)",
            ),
            Bound(
                "hub-pairs",
                partial(_without_solution, hub_pairs_bound),
                "who of the hubs is joined to whom, by such a program",
                "the same test for sets of hubs, with a variable for every pair that is left",
                "hubs nearly all know each other",
            ),
            Bound(
                "integer-program",
                partial(_without_solution, integer_program_bound),
                "the whole graph, by such a program",
                "a variable for every pair that is left, and for who is in which group",
                "the graph is small, or lacks few pairs",
            ),
        )
    }
)
