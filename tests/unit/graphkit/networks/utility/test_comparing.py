"""Utility measures against networkx and scipy."""

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.utility import Change, compare, utility
from tests.support.strategies import graphs


def figures(graph: SimpleGraph) -> dict[str, float | None]:
    return {measure.name: measure.value for measure in utility(graph).measures}


@given(graph=graphs(min_n=1, max_n=14))
@settings(max_examples=100, deadline=None)
def test_every_measure_agrees_with_networkx(graph: SimpleGraph) -> None:
    other = nx.Graph()
    other.add_nodes_from(range(graph.n))
    other.add_edges_from(graph.edges.tolist())
    found = figures(graph)
    assert found["mean degree"] == pytest.approx(2 * graph.m / graph.n)
    assert found["largest degree"] == max(dict(other.degree).values())
    assert found["components"] == nx.number_connected_components(other)
    assert found["largest component"] == max(map(len, nx.connected_components(other)))
    assert found["share in the largest component"] == max(map(len, nx.connected_components(other))) / graph.n
    if found["global clustering"] is not None:
        assert found["global clustering"] == pytest.approx(nx.transitivity(other))
    local = [value for v, value in nx.clustering(other).items() if other.degree[v] > 1]
    if found["local clustering"] is None:
        assert local == []
    else:
        assert found["local clustering"] == pytest.approx(sum(local) / len(local))
    lengths = [d for _, row in nx.all_pairs_shortest_path_length(other) for d in row.values() if d]
    if found["mean path length"] is None:
        assert lengths == []
    else:
        assert found["mean path length"] == pytest.approx(sum(lengths) / len(lengths))
    if found["degree assortativity"] is not None:
        assert found["degree assortativity"] == pytest.approx(nx.degree_assortativity_coefficient(other), abs=1e-6)


@given(first=graphs(min_n=1, max_n=14), second=graphs(min_n=1, max_n=14))
@settings(max_examples=60, deadline=None)
def test_distances_of_degrees_agree_with_their_definitions(first: SimpleGraph, second: SimpleGraph) -> None:
    ks, emd = (distance.value for distance in compare(first, second, aspects=("degrees",)).distances)
    one, other = first.degrees(), second.degrees()
    assert ks == pytest.approx(max(abs(float(np.mean(one <= v)) - float(np.mean(other <= v))) for v in (*one, *other)))
    assert emd == pytest.approx(stats.wasserstein_distance(first.degrees(), second.degrees()))


def test_what_an_empty_graph_does_not_define_is_said() -> None:
    for measure in utility(SimpleGraph.from_edges([], 0)).measures:
        assert measure.value == 0 or (measure.value is None and measure.note)
    assert compare(SimpleGraph.from_edges([], 0), SimpleGraph.from_edges([], 0)).distances == ()


def test_relative_changes() -> None:
    assert Change("x", 2.0, 3.0).relative == 0.5
    assert Change("x", 2.0, 3.0).absolute == 1.0
    assert Change("x", 2.0, None).absolute is None
    assert Change("x", -2.0, -3.0).relative == -0.5
    assert Change("x", 0.0, 3.0).relative is None
    assert Change("x", None, 3.0).relative is None
    assert not math.isnan(Change("x", 2.0, 2.0).relative or 0)


def test_a_measure_is_found_by_its_name() -> None:
    figures = utility(SimpleGraph.from_edges([(0, 1), (2, 3), (3, 4)], 6))
    assert (figures["components"].value, figures["largest component"].value) == (3, 3)
    with pytest.raises(KeyError):
        figures["charm"]


def test_a_disconnected_graph_counts_connected_pairs_only() -> None:
    figures = utility(SimpleGraph.from_edges([(0, 1), (2, 3)], 9))
    assert (figures["mean path length"].value, figures["share in the largest component"].value) == (1.0, 2 / 9)
