"""The least cost of a k-anonymous sequence whose demands are the degrees of a graph: one sequence after another."""

from collections.abc import Iterator

import numpy as np

from graphkit.arrays import Ints
from graphkit.budget import Budget
from graphkit.networks.sequences.block_dp import BlockSequences
from graphkit.networks.sequences.degree_raises import demand_counts
from graphkit.networks.sequences.graphic import erdos_gallai
from graphkit.networks.sequences.position_dp import minimum_raises

# entries of the table of all sequences, each a bit set of costs
_STATES, _BITS = 1 << 20, 1 << 26
# units that a sequence takes, and each of its degrees; and how many sequences are looked at
_SEQUENCE, _DEGREE = 60, 1
_MOST = 100_000


def graphic_sequence_bound(
    block_sequence: Ints, k: int, *, target: int, known: int = 0, budget: Budget | None = None
) -> int:
    """Return a number of edges, at most `target`, that every k-anonymizing set of new edges reaches.

    Parameters
    ----------
    block_sequence : ndarray of int64, shape (Δ+1,)
        ``block_sequence[d]`` vertices have degree d.
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
    ``t_v − d_v``. Enough such exchanges sort them, and each makes the demands more even. The degrees of a simple graph
    that are made more even are those of another one: in the inequality of Erdős and Gallai for r,
    ``top_r(d) − Σ min(r, d)`` plus what the r largest have in that sum, the left side is convex and symmetric.

    All sequences of one cost are looked at, then those of the next one, until one is graphic: no lower cost is reached.
    Where nearly all vertices can stay as they are that is soon done. In a tree whose inner vertices have one degree,
    but for the root, the root is in need, and others can be its partners only if a whole group of them is.

    References
    ----------
    Hartung, Hoffmann, Nichterlein 2014, section 3.1, for the sequences of one cost; Ruch, Gutman 1979, The branching
    extent of graphs, for sequences that are more even.

    Examples
    --------
    >>> tree = np.array([0, 27, 0, 1, 12])  # 27 leaves, and a root with a neighbour less than the others have
    >>> graphic_sequence_bound(tree, k=4, target=9)  # its new neighbour is a leaf, and four others need one as well
    3
    """
    return GraphicSequences(block_sequence, k).ask(target, known, 1 << 40, budget or Budget())[0]


class GraphicSequences:
    """The bound of :func:`graphic_sequence_bound`, asked again and again: it goes on where it stopped."""

    def __init__(self, block_sequence: Ints, k: int) -> None:
        self._blocks, self._k = np.asarray(block_sequence, dtype=np.int64), k
        self._least = int(minimum_raises(self._blocks, k)[1])
        self._costs: Iterator[int] | None = None

    def ask(self, target: int, known: int, work: int, budget: Budget) -> tuple[int, bool]:
        """Return the bound after more work, and whether still more may prove more."""
        if self._costs is None:
            self._costs = self._reached(target, known)
        price, proven = _SEQUENCE + _DEGREE * self._blocks.size, known
        end = budget.work + work
        for cost in self._costs:
            proven = max(proven, min(cost // 2, target))
            budget.charge(price)
            if proven == target:
                break
            if budget.work >= end or budget.is_spent():
                return proven, True
        return proven, False

    def _reached(self, target: int, known: int) -> Iterator[int]:
        """Yield, after each sequence that is not graphic, an even cost that all solutions reach."""
        n, highest = int(self._blocks.sum()), self._blocks.size - 1
        excess = 2 * target - 2 - self._least
        # whoever ends above the highest degree does so with a group
        above = max(0, min(n - 1 - highest, 2 * target // self._k))
        states = (highest + above + 1) * min(n, 2 * self._k + excess)
        if states > _STATES or states * excess > _BITS:
            return
        if excess < 0:
            yield 2 * target
            return
        sequences, looked = BlockSequences(self._blocks, self._k, excess, above), 0
        for cost in range(max(2 * known, self._least + self._least % 2), 2 * target, 2):
            yield cost
            for raises in sequences.of_cost(cost):
                looked += 1
                if looked > _MOST or erdos_gallai(demand_counts(raises)).deficit <= 0:
                    return
                yield cost
        yield 2 * target
