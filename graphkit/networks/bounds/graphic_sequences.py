"""The least cost of a k-anonymous sequence whose demands are the degrees of a graph: one sequence after another."""

from collections.abc import Iterator

from graphkit.budget import Budget
from graphkit.networks.bounds._sequence_borders import SequenceBorders
from graphkit.networks.effort.work import COVERAGE_EDGE
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.sequences.block_dp import BlockSequences
from graphkit.networks.sequences.degree_raises import apply_raises, demand_counts
from graphkit.networks.sequences.graphic import erdos_gallai
from graphkit.networks.sequences.position_dp import minimum_raises

# entries of the table of all sequences, each a bit set of costs
_STATES, _BITS = 1 << 20, 1 << 26
# units that a sequence takes, beside one for each degree; and how many sequences are looked at
_SEQUENCE, _MOST = 60, 100_000


def graphic_sequence_bound(
    view: GraphView, k: int, *, target: int, known: int = 0, budget: Budget | None = None
) -> int:
    """Return a number of edges, at most `target`, that every k-anonymizing set of new edges reaches.

    Parameters
    ----------
    view : GraphView
        The graph.
    k : int
        Required block size, from 1 to the number of vertices.
    target : int
        The size of a solution: more need not be proven.
    known : int, optional
        What is proven already.
    budget : Budget, optional
        Is charged, and ends it early.

    Notes
    -----
    *Statement.* Where G + S is k-anonymous, the degrees of G + S less those of G, both sorted, are the degrees of a
    simple graph.

    *Proof.* What each vertex is raised by is its degree in (V, S). Let d_u > d_v before and t_u < t_v after. Exchanged,
    the degrees after raise u by ``t_v − d_u`` and v by ``t_u − d_v``: the same sum, and both between ``t_u − d_u`` and
    ``t_v − d_v``. Enough such exchanges sort them, and each makes the demands more even. Whole numbers of an even sum
    that are more even than (majorized by) the degrees of a simple graph are those of another one (Ruch, Gutman 1979).

    All sequences of one cost are looked at, then those of the next one, until one is graphic, and no border of it has
    more demands above than :class:`~graphkit.networks.bounds._sequence_borders.SequenceBorders` allows. Where nearly
    all vertices can stay as they are that is soon done. In a tree whose inner vertices have one degree, but for the
    root, the root is in need, and others can be its partners only if a whole group of them is.

    References
    ----------
    Hartung, Hoffmann, Nichterlein 2014, section 3.1, for the sequences of one cost; Ruch, Gutman, The branching extent
    of graphs, 1979.

    Examples
    --------
    >>> import networkx as nx
    >>> from graphkit.networks.graphs.interchange import as_view
    >>> tree = as_view(nx.full_rary_tree(3, 40))  # the root has a neighbour less than the others, but for 27 leaves
    >>> graphic_sequence_bound(tree, k=4, target=9)  # its new neighbour is a leaf, and four others need one as well
    3
    """
    return GraphicSequences(view, k).ask(target, known, 1 << 40, budget or Budget())[0]


class GraphicSequences:
    """The bound of :func:`graphic_sequence_bound`, asked again and again: it goes on where it stopped."""

    def __init__(self, view: GraphView, k: int) -> None:
        self._view, self._blocks, self._k = view, view.block_sequence(), k
        self._costs: Iterator[int] | None = None

    def ask(self, target: int, known: int, work: int, budget: Budget) -> tuple[int, bool]:
        """Return the bound after more work, and whether still more may prove more."""
        if self._costs is None:
            self._costs = self._reached(target, known, budget)
        price, proven = _SEQUENCE + self._blocks.size, known
        end = budget.work + work
        for cost in self._costs:
            proven = max(proven, min(cost // 2, target))
            budget.charge(price)
            if proven == target:
                break
            if budget.work >= end or budget.is_spent():
                return proven, True
        return proven, False

    def _reached(self, target: int, known: int, budget: Budget) -> Iterator[int]:
        """Yield, after each sequence that is not graphic, an even cost that all solutions reach."""
        n, highest = int(self._blocks.sum()), self._blocks.size - 1
        least = int(minimum_raises(self._blocks, self._k)[1])
        excess = 2 * target - 2 - least
        # whoever ends above the highest degree does so with a group
        above = max(0, min(n - 1 - highest, 2 * target // self._k))
        states = (highest + above + 1) * min(n, 2 * self._k + excess)
        if states > _STATES or states * excess > _BITS:
            return
        if excess < 0:
            yield 2 * target
            return
        sequences, looked = BlockSequences(self._blocks, self._k, excess, above), 0
        borders = SequenceBorders(self._view)
        for cost in range(max(2 * known, least + least % 2), 2 * target, 2):
            yield cost
            for raises in sequences.of_cost(cost):
                looked += 1
                if looked > _MOST:
                    return
                if erdos_gallai(demand_counts(raises)).deficit <= 0:
                    before = borders.took
                    is_allowed = borders.allow(apply_raises(self._blocks, raises), cost)
                    budget.charge(round((borders.took - before) * COVERAGE_EDGE))
                    if is_allowed:
                        return
                yield cost
        yield 2 * target
