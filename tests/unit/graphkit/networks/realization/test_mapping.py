"""Which vertices are chosen for the demands."""

import numpy as np

from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.realization.mapping import map_demands
from graphkit.networks.sequences import merge_raises


def raises(*rows: tuple[int, int, int]) -> object:
    table = np.array(rows, dtype=np.int64)
    return merge_raises(table[:, 0], table[:, 1], table[:, 2])


def test_vertices_that_are_adjacent_to_a_demanding_hub_are_avoided() -> None:
    # a hub of degree 40 that needs 5 partners, 40 vertices of degree 1 at it and 20 of degree 1 among themselves
    edges = [(0, i) for i in range(1, 41)] + [(i, i + 1) for i in range(41, 61, 2)]
    view = IgraphView.of(SimpleGraph.from_edges(edges))
    chosen = map_demands(view, raises((40, 45, 1), (1, 2, 5)), np.random.default_rng(0))
    assert chosen.vertices[0] == 0
    assert chosen.demands.tolist() == [5, 1, 1, 1, 1, 1]
    assert chosen.vertices[1:].min() > 40
    assert chosen.adjacency[:, 0].tolist().count(0) == 0


def test_every_demand_is_given_to_a_vertex_of_the_right_degree() -> None:
    rng = np.random.default_rng(5)
    graph = SimpleGraph.from_edges(rng.integers(0, 200, (500, 2)), 200)
    view = IgraphView.of(graph)
    blocks = view.block_sequence()
    wanted = raises(*[(d, d + 2, int(size) // 2 + 1) for d, size in enumerate(blocks.tolist()) if size > 1])
    chosen = map_demands(view, wanted, rng)
    assert np.all(np.diff(chosen.vertices) > 0)
    counted = np.bincount(view.degrees(chosen.vertices), minlength=blocks.size)
    assert counted[wanted.source].tolist() == wanted.count.tolist()
    assert np.all(chosen.demands == 2)
    inside = chosen.vertices[chosen.adjacency]
    assert inside.tolist() == view.edges_among(chosen.vertices).tolist()


def test_the_choice_depends_on_the_generator_alone() -> None:
    graph = SimpleGraph.from_edges([(i, i + 1) for i in range(0, 200, 2)])
    view = IgraphView.of(graph)
    first, second, third = (
        map_demands(view, raises((1, 2, 10)), np.random.default_rng(seed)).vertices.tolist() for seed in (1, 1, 2)
    )
    assert first == second != third
