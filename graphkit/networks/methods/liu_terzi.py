"""Liu and Terzi: cheapest degree sequence, Supergraph with local exchange, probing until it succeeds."""

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.budget import Budget
from graphkit.kernels import compiled
from graphkit.networks.effort.progress import Progress
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.graphs.ordering import adjacency_lists
from graphkit.networks.realization.fallback import complete_somehow
from graphkit.networks.realization.local_exchange import realize_supergraph
from graphkit.networks.realization.mapping import DemandMap
from graphkit.networks.sequences.position_dp import minimum_raises

_PROBES = 400


def liu_terzi(view: GraphView, k: int, rng: Rng, budget: Budget, progress: Progress) -> Ints:
    """Return edges that make the graph k-anonymous.

    The degrees are anonymized by the dynamic program and realized by Supergraph. When the answer is no (an inequality
    is violated) or unknown (some demand is left), the original degrees get a little noise and all is done again:
    the least degrees are raised by 1, one vertex after the other.

    Notes
    -----
    The paper raises a single vertex a probe. Here as many are raised as the violated inequality, or the demand that is
    left, says are missing, which is the same walk in longer steps. Local exchange, which the seed paper attributes to
    Liu and Terzi, is tried before the answer is unknown. After 400 probes
    :func:`~graphkit.networks.realization.fallback.complete_somehow` takes over; the paper goes on, at worst to the
    complete graph.

    A probe is O(P·k) for the sequence, P the number of vertices in blocks cut to 5k, plus O(n log n) for the order, and
    O(D·V) for the inequalities with V vertices of a demand, D at most.

    References
    ----------
    K. Liu, E. Terzi, Towards identity anonymization on graphs, SIGMOD 2008, sections 5 and 6.
    """
    progress("sequence", None, None)
    vertices, degrees = _by_degree(view, rng)
    noisy = degrees.copy()
    raised = 0
    for _ in range(_PROBES):
        if budget.is_spent():
            break
        demands = _anonymous(noisy, k) - degrees
        edges, missing = _construct(view, vertices, demands, rng)
        if missing == 0:
            return edges
        raised = _add_noise(noisy, raised, missing)
    return complete_somehow(view, k, rng, budget)


def _by_degree(view: GraphView, rng: Rng) -> tuple[Ints, Ints]:
    """Return all vertices by ascending degree, equal ones in random order, and the degrees."""
    occupied = np.flatnonzero(view.block_sequence())
    blocks = view.vertices_of_degrees(occupied)
    return np.concatenate([rng.permutation(block) for block in blocks]), np.repeat(occupied, [b.size for b in blocks])


def _anonymous(degrees: Ints, k: int) -> Ints:
    """Return the cheapest k-anonymous degrees above the given ones, sorted to sorted."""
    order = np.argsort(degrees, kind="stable")
    result = degrees.copy()
    raises, _ = minimum_raises(np.bincount(degrees), k)
    ends = np.searchsorted(degrees[order], raises.source, side="right")
    # rows of a source ascend by target, and the last vertices of a block get the largest
    for source in np.unique(raises.source).tolist():
        rows = np.flatnonzero(raises.source == source)
        targets = np.repeat(raises.target[rows], raises.count[rows])
        end = int(ends[rows[0]])
        result[order[end - targets.size : end]] = targets
    return result


def _construct(view: GraphView, vertices: Ints, demands: Ints, rng: Rng) -> tuple[Ints, int]:
    """Return edges that meet the demands, and 0; or how many more vertices should have one."""
    demanding = np.flatnonzero(demands)
    chosen = demanding[np.argsort(vertices[demanding])]
    if int(demands.sum()) % 2:
        return np.empty((0, 2), dtype=np.int64), 1
    asked = vertices[chosen]
    demand_map = DemandMap.of(view, asked, demands[chosen])
    excess = _largest_excess(demand_map)
    if excess > 0:
        return np.empty((0, 2), dtype=np.int64), excess
    edges, leftover = realize_supergraph(demand_map, rng)
    return edges, int(leftover.sum())


def _add_noise(noisy: Ints, raised: int, number: int) -> int:
    """Raise that many vertices by 1, going on through the ascending degrees; return how many were passed in all."""
    n = noisy.size
    for _ in range(n):
        if number == 0:
            break
        place = raised % n
        raised += 1
        if noisy[place] < n - 1:
            noisy[place] += 1
            number -= 1
    return raised


def _largest_excess(demand_map: DemandMap) -> int:
    """Return by how much the worst of the paper's necessary inequalities is violated; 0 when none is."""
    number = demand_map.vertices.size
    if number == 0:
        return 0
    order = np.argsort(-demand_map.demands, kind="stable")
    rank = np.empty(number, dtype=np.int64)
    rank[order] = np.arange(number)
    offsets, neighbours = adjacency_lists(rank[demand_map.adjacency], number)
    return int(_worst(offsets, neighbours, demand_map.demands[order]))


@compiled
def _worst(offsets: Ints, neighbours: Ints, demands: Ints) -> int:
    """Return the largest excess, or 0, over the l vertices of largest demand, l up to that demand + 1.

    ``Σ_{i≤l} a_i ≤ Σ_{i≤l} (l − 1 − d_l(i)) + Σ_{i>l} min(l − d_l(i), a_i)``, d_l(i) the neighbours of i among them.
    """
    n = demands.size
    inside = np.zeros(n, np.int64)
    left = np.int64(0)
    worst = np.int64(0)
    for size in range(1, min(n, demands[0] + 1) + 1):
        left += demands[size - 1]
        for j in range(offsets[size - 1], offsets[size]):
            inside[neighbours[j]] += 1
        right = np.int64(size * (size - 1))
        for i in range(size):
            right -= inside[i]
        for i in range(size, n):
            right += min(size - inside[i], demands[i])
        worst = max(worst, left - right)
    return int(worst)
