"""Path lengths against networkx, exact and sampled."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from graphkit.errors import InvalidInput
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.utility import Measure, utility
from graphkit.networks.utility import path_lengths as module
from graphkit.networks.utility.all_distances import all_distances
from tests.support.strategies import graphs


def path_lengths(graph: SimpleGraph, *, seed: int = 0, sample: int = 64) -> tuple[Measure, Measure]:
    """Mean and effective diameter."""
    mean, diameter = utility(graph, aspects=["paths"], seed=seed, sample=sample).measures
    return mean, diameter


def distances(graph: SimpleGraph) -> list[int]:
    """Of all ordered pairs that are connected."""
    other = nx.Graph(graph.edges.tolist())
    return sorted(d for _, row in nx.all_pairs_shortest_path_length(other) for d in row.values() if d)


@given(graph=graphs(max_n=14))
@settings(max_examples=150, deadline=None)
def test_exact_lengths_agree_with_networkx(graph: SimpleGraph) -> None:
    (mean, diameter), all_pairs = path_lengths(graph), distances(graph)
    if not all_pairs:
        assert mean.value is diameter.value is None
        assert mean.note == diameter.note == "no two vertices are connected"
        return
    assert mean.value == pytest.approx(sum(all_pairs) / len(all_pairs))
    assert mean.error is diameter.error is None
    assert mean.note == diameter.note == ""
    # the interpolated 90 % point lies in the unit below the first distance that covers 90 % of the pairs
    covering = next(d for d in all_pairs if sum(x <= d for x in all_pairs) >= 0.9 * len(all_pairs) - 1e-9)
    assert covering - 1 < diameter.value <= covering + 1e-9


def test_the_effective_diameter_is_interpolated() -> None:
    # a path of 4: six ordered pairs at distance 1, four at 2, two at 3; 90 % are 10.8 of 12
    assert path_lengths(SimpleGraph.from_edges([(0, 1), (1, 2), (2, 3)]))[1].value == pytest.approx(2.4)


@pytest.fixture
def sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_EXACT_WORK", 0)


GRAPH = SimpleGraph.from_edges(np.array(nx.barabasi_albert_graph(800, 3, seed=1).edges), 803)


def test_sampled_lengths_are_near_the_exact_ones_and_state_their_error(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = path_lengths(GRAPH)
    monkeypatch.setattr(module, "_EXACT_WORK", 0)
    found = path_lengths(GRAPH, seed=3)
    assert all(measure.note == "estimated from 64 random sources" for measure in found)
    assert found[0].error is not None
    assert 0 < found[0].error < 0.2
    for measure, whole in zip(found, exact, strict=True):
        assert measure.error is not None
        assert measure.value == pytest.approx(whole.value, abs=5 * measure.error)


@pytest.mark.usefixtures("sampled")
def test_the_seed_alone_decides() -> None:
    assert path_lengths(GRAPH, seed=5) == path_lengths(GRAPH, seed=5) != path_lengths(GRAPH, seed=6)


@pytest.mark.usefixtures("sampled")
def test_stated_errors_are_about_as_large_as_the_spread_of_the_estimates() -> None:
    found = [path_lengths(GRAPH, seed=seed, sample=20) for seed in range(60)]
    spread = np.std([mean.value for mean, _ in found])
    assert 0.6 < np.mean([mean.error for mean, _ in found]) / spread < 1.6


@pytest.mark.usefixtures("sampled")
def test_sources_without_neighbours_give_no_length() -> None:
    lonely = SimpleGraph.from_edges([(9_998, 9_999)], 10_000)
    wanted = "no two vertices of the sample are connected"
    assert [(found.value, found.note) for found in path_lengths(lonely, seed=1, sample=2)] == [(None, wanted)] * 2


@pytest.mark.usefixtures("sampled")
def test_a_sample_as_large_as_the_graph_is_exact() -> None:
    assert path_lengths(SimpleGraph.from_edges([(0, 1), (1, 2)]), sample=3)[0].error is None


def test_fewer_than_two_sources_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"sample \(1\)"):
        path_lengths(GRAPH, sample=1)


@given(graph=graphs(max_n=14))
@settings(max_examples=100, deadline=None)
def test_all_distances_agree_with_networkx(graph: SimpleGraph) -> None:
    found = all_distances(graph)
    other = nx.empty_graph(graph.n)
    other.add_edges_from(graph.edges.tolist())
    assert found.counts.tolist() == np.bincount([0] * graph.n + distances(graph)).tolist()
    assert found.inverse == pytest.approx([nx.harmonic_centrality(other)[v] for v in range(graph.n)])


def test_more_than_a_word_of_sources_are_searched() -> None:
    path = SimpleGraph.from_edges([(v, v + 1) for v in range(149)])
    found = all_distances(path)
    assert found.counts.tolist() == [150, *(2 * (150 - d) for d in range(1, 150))]
    # the ends reach all others at distances 1 to 149
    assert found.inverse[[0, -1]] == pytest.approx(sum(1 / d for d in range(1, 150)))
