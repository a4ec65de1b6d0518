"""The sample of a network before and after: what it shows is so, it is small, and always the same."""

from __future__ import annotations

import numpy as np
import pytest

from graphkit.errors import InvalidInput
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.utility.change_sample import sample_change


def changed(seed: int, n: int, m: int) -> tuple[SimpleGraph, SimpleGraph]:
    """A random network, and one that lacks some of its edges and has others."""
    rng = np.random.default_rng(seed)
    before = SimpleGraph.from_edges(rng.integers(0, n, (m, 2)), n)
    kept = before.edges[rng.random(before.m) < 0.98]
    return before, SimpleGraph.from_edges(np.concatenate([kept, rng.integers(0, n, (m // 20, 2))]), n)


def pairs(edges: object) -> set[tuple[int, ...]]:
    return {tuple(sorted(edge)) for edge in np.asarray(edges).reshape(-1, 2).tolist()}


@pytest.mark.parametrize(("n", "m"), [(5, 6), (60, 90), (500, 900), (400, 20_000)])
def test_it_is_the_induced_subgraph_of_both(n: int, m: int) -> None:
    before, after = changed(n, n, m)
    sample = sample_change(before, after)
    chosen = set(sample.vertices.tolist())
    first, second = ({edge for edge in pairs(graph.edges) if set(edge) <= chosen} for graph in (before, after))
    drawn = [pairs(sample.vertices[edges]) for edges in (sample.kept, sample.added, sample.removed)]
    assert drawn == [first & second, second - first, first - second]
    different = {vertex for edge in pairs(before.edges) ^ pairs(after.edges) for vertex in edge}
    assert {*sample.vertices[sample.touched].tolist()} == chosen & different
    assert len(chosen) <= 120
    assert sum(map(len, drawn[:2])) <= 400 or len(chosen) <= 12
    assert sample.added.size or n < 10
    assert chosen - different
    assert ((sample.places >= 0) & (sample.places <= 1)).all()


def test_looking_twice_shows_the_same() -> None:
    before, after = changed(3, 800, 2_000)
    first, second = sample_change(before, after), sample_change(before, after)
    assert first.vertices.tolist() == second.vertices.tolist()
    assert first.places.tolist() == second.places.tolist()


def test_nothing_changed_and_no_vertex_can_be_drawn() -> None:
    empty = SimpleGraph.from_edges(np.zeros((0, 2), dtype=np.int64), 0)
    assert sample_change(empty, empty).vertices.size == 0
    before = changed(1, 30, 40)[0]
    assert not sample_change(before, before).touched.any()
    with pytest.raises(InvalidInput, match="same vertices"):
        sample_change(before, empty)
