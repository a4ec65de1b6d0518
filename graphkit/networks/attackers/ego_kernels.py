"""What is inside the neighbourhood of a vertex: compiled loops over the adjacency."""

from typing import Any, NamedTuple

import numpy as np

from graphkit.arrays import Ints, Words
from graphkit.kernels import kernel
from graphkit.networks.attackers.adjacency import Adjacency

_ROUNDS = 3
_ONE, _TWO, _THREE = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31 = np.uint64(30), np.uint64(27), np.uint64(31)


class LocalGraphs(NamedTuple):
    """The graphs among the neighbours of some vertices; neighbours that are tied to no other neighbour are left out.

    Their vertices are numbered by colour refinement: by the hash of the colour, in the order of the input among equals.
    """

    hashes: Words
    """An invariant of each graph: equal for isomorphic ones."""
    vertices: Ints
    """Number of vertices of each."""
    edge_starts: Ints
    """Where the edges of each begin, and the end."""
    edges: Ints
    """Each edge (a, b), a < b, of a graph on s vertices as a·s + b, ascending within a graph."""
    colour_starts: Ints
    colours: Ints
    """Rank of the colour of each vertex, not descending within a graph."""

    def edges_of(self, place: int) -> Ints:
        """Return the edges of one graph."""
        return self.edges[self.edge_starts[place] : self.edge_starts[place + 1]]

    def colours_of(self, place: int) -> Ints:
        """Return the colours of one graph."""
        start = int(self.colour_starts[place])
        return self.colours[start : start + int(self.vertices[place])]


def arc_supports(adjacency: Adjacency) -> Ints:
    """Return how many common neighbours the ends of each arc have, shape (2m,).

    Notes
    -----
    O(Σ over edges of the smaller degree) ≤ O(m^1.5) time, O(n + m) space.
    """
    # arcs are sorted by their beginnings; sorted by their ends they are the reversed arcs in the same order
    reverse = np.argsort(adjacency.targets, kind="stable")
    supports: Ints = _supports(adjacency.offsets, adjacency.targets, reverse)
    return supports


def local_graphs(adjacency: Adjacency, supports: Ints, chosen: Ints, edge_counts: Ints) -> LocalGraphs:
    """Return the graphs among the neighbours of the chosen vertices.

    Parameters
    ----------
    adjacency : Adjacency
        The network.
    supports : ndarray of int64, shape (2m,)
        As :func:`arc_supports` returns them.
    chosen : ndarray of int64
        Vertices.
    edge_counts : ndarray of int64
        Number of edges among the neighbours of each.

    Notes
    -----
    O(Σ over the neighbours of the chosen of their degrees) time, linear space in the result.
    """
    degrees = adjacency.degrees()[chosen]
    edge_starts = np.concatenate(([0], np.cumsum(edge_counts)))
    colour_starts = np.concatenate(([0], np.cumsum(degrees)))
    found = LocalGraphs(
        hashes=np.zeros(chosen.size, dtype=np.uint64),
        vertices=np.zeros(chosen.size, dtype=np.int64),
        edge_starts=edge_starts,
        edges=np.zeros(int(edge_starts[-1]), dtype=np.int64),
        colour_starts=colour_starts,
        colours=np.zeros(int(colour_starts[-1]), dtype=np.int64),
    )
    _fill(found, adjacency.offsets, adjacency.targets, supports, chosen)
    return found


@kernel
def _supports(offsets: Any, targets: Any, reverse: Any) -> Any:
    supports = np.zeros(targets.size, dtype=np.int64)
    stamp = np.full(offsets.size - 1, -1, dtype=np.int64)
    for v in range(offsets.size - 1):
        degree = offsets[v + 1] - offsets[v]
        for i in range(offsets[v], offsets[v + 1]):
            stamp[targets[i]] = v
        for i in range(offsets[v], offsets[v + 1]):
            u = targets[i]
            other = offsets[u + 1] - offsets[u]
            # each edge is counted from its larger end, so that the smaller neighbourhood is walked
            if other < degree or (other == degree and u < v):
                common = 0
                for j in range(offsets[u], offsets[u + 1]):
                    if stamp[targets[j]] == v:
                        common += 1
                supports[i] = common
                supports[reverse[i]] = common
    return supports


@kernel
def _mixed(x: Any) -> Any:
    """Return the next number of the generator SplitMix64: every bit depends on every bit."""
    x = x + _ONE
    x = (x ^ (x >> _S30)) * _TWO
    x = (x ^ (x >> _S27)) * _THREE
    return x ^ (x >> _S31)


@kernel
def _fill(found: LocalGraphs, offsets: Ints, targets: Ints, supports: Ints, chosen: Ints) -> None:
    """Write the graphs among the neighbours of the chosen vertices; there is room for their edges and colours."""
    place = np.full(offsets.size - 1, -1, dtype=np.int64)
    for c in range(chosen.size):
        begin, end = offsets[chosen[c]], offsets[chosen[c] + 1]
        count = 0
        for i in range(begin, end):
            if supports[i] > 0:
                place[targets[i]] = count
                count += 1
        ends = np.empty((found.edge_starts[c + 1] - found.edge_starts[c], 2), dtype=np.int64)
        colour = np.empty(count, dtype=np.uint64)
        nearest = np.arange(count)
        m = 0
        for i in range(begin, end):
            if supports[i] == 0:
                continue
            a = place[targets[i]]
            colour[a] = np.uint64(supports[i])
            for j in range(offsets[targets[i]], offsets[targets[i] + 1]):
                b = place[targets[j]]
                if b > a:
                    ends[m, 0], ends[m, 1] = a, b
                    m += 1
                elif b >= 0 and b < nearest[a]:
                    nearest[a] = b
        for i in range(begin, end):
            place[targets[i]] = -1
        for _ in range(_ROUNDS):
            refined = np.empty(count, dtype=np.uint64)
            for a in range(count):
                colour[a] = _mixed(colour[a])
                refined[a] = _mixed(colour[a] ^ _THREE)
            for e in range(m):
                refined[ends[e, 0]] += colour[ends[e, 1]]
                refined[ends[e, 1]] += colour[ends[e, 0]]
            colour = refined
        # equal colours: those with the same first neighbour stay together, so that cliques look alike wherever they are
        order = np.argsort(nearest, kind="mergesort")
        order = order[np.argsort(colour[order], kind="mergesort")]
        rank = np.empty(count, dtype=np.int64)
        whole = np.uint64(count)
        run = 0
        for i in range(count):
            rank[order[i]] = i
            whole += _mixed(colour[order[i]])
            if i > 0 and colour[order[i]] != colour[order[i - 1]]:
                run += 1
            found.colours[found.colour_starts[c] + i] = run
        codes = np.empty(m, dtype=np.int64)
        for e in range(m):
            a, b = rank[ends[e, 0]], rank[ends[e, 1]]
            codes[e] = min(a, b) * count + max(a, b)
        codes.sort()
        start = found.edge_starts[c]
        found.edges[start : start + m] = codes
        found.hashes[c], found.vertices[c] = whole, count
