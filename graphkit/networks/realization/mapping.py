"""Which vertices are raised: a degree–vertex mapping with random choice inside blocks."""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Floats, Ints, Rng
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.sequences.degree_raises import DegreeRaises


@dataclass(frozen=True, slots=True, eq=False)
class DemandMap:
    """Vertices with their demands, and the edges of the graph among them."""

    vertices: Ints
    """Ascending."""
    demands: Ints
    """Positive, same shape."""
    adjacency: Ints
    """Edges of the graph among `vertices` as positions in `vertices`, shape (e, 2)."""

    @classmethod
    def of(cls, view: GraphView, vertices: Ints, demands: Ints) -> "DemandMap":
        """Return the map of these demands of a graph's vertices, ascending. One query to the view."""
        return cls(vertices, demands, np.searchsorted(vertices, view.edges_among(vertices)))


def map_demands(view: GraphView, raises: DegreeRaises, rng: Rng, given: tuple[Ints, Ints] | None = None) -> DemandMap:
    """Return a choice of vertices for the degree raises that avoids conflicts with demanding vertices.

    A vertex of a block that is raised as a whole has no alternative. In every other block a random pool is drawn
    and from it the vertices that are adjacent to the least demand without alternative, ties at random;
    the largest demands of a block go to the vertices with the fewest conflicts.

    Parameters
    ----------
    view : GraphView
        The graph.
    raises : DegreeRaises
        How many vertices of which degree are raised by how much.
    rng : numpy.random.Generator
        Source of all randomness; consumed in the canonical order of blocks.
    given : pair of ndarray of int64, optional
        Vertices, and the demands that they get whatever the degree raises say; the degree raises are of other vertices.

    Notes
    -----
    Two queries to the view, whatever the number of blocks. Memory grows with the number of raised vertices
    and the sizes of their blocks, not with the graph.

    References
    ----------
    Hartung, Hoffmann, Nichterlein 2014, section 3.3 and appendix A, phase 2.1.
    """
    sources = np.unique(raises.source)
    blocks = view.vertices_of_degrees(sources)
    taken = np.empty(0, dtype=np.int64) if given is None else np.sort(given[0])
    fixed_vertices: list[Ints] = []
    fixed_demands: list[Ints] = []
    if given is not None:
        fixed_vertices, fixed_demands = [given[0][given[1] > 0]], [given[1][given[1] > 0]]
    open_blocks: list[tuple[Ints, Ints, Floats]] = []
    for degree, block in zip(sources.tolist(), blocks, strict=True):
        if taken.size:
            block = np.setdiff1d(block, taken, assume_unique=True)
        rows = raises.source == degree
        demands = np.repeat(raises.target[rows] - degree, raises.count[rows])[::-1]
        if demands.size == block.size:
            fixed_vertices.append(block)
            fixed_demands.append(demands[rng.permutation(demands.size)])
        else:
            size = min(block.size, 2 * demands.size + 64)
            pool = np.sort(rng.choice(block, size, replace=False, shuffle=False))
            open_blocks.append((pool, demands, rng.random(size)))
    fixed = np.concatenate(fixed_vertices) if fixed_vertices else np.empty(0, dtype=np.int64)
    pools = [pool for pool, _, _ in open_blocks]
    asked = np.sort(np.concatenate([fixed, *pools]))
    edges = np.searchsorted(asked, view.edges_among(asked))
    weight = np.zeros(asked.size, dtype=np.int64)
    if fixed.size:
        weight[np.searchsorted(asked, fixed)] = np.concatenate(fixed_demands)
    conflict = np.zeros(asked.size, dtype=np.int64)
    np.add.at(conflict, edges[:, 0], weight[edges[:, 1]])
    np.add.at(conflict, edges[:, 1], weight[edges[:, 0]])
    demand = weight
    for pool, demands, ticket in open_blocks:
        place = np.searchsorted(asked, pool)
        best = np.lexsort((ticket, conflict[place]))[: demands.size]
        demand[place[best]] = demands
    chosen = demand > 0
    position = np.cumsum(chosen) - 1
    kept = chosen[edges[:, 0]] & chosen[edges[:, 1]]
    return DemandMap(asked[chosen], demand[chosen], position[edges[kept]])
