"""Every attacker through one door: figures are counts over candidate sets, and more knowledge never protects."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.networks import KNOWLEDGE, audit, structural_risk
from graphkit.networks.attackers.knowledge import candidate_sets
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.risk.candidates import CandidateSets
from tests.support.strategies import graphs

# who knows the later of a pair knows the earlier one, too
FINER = [
    ("degree", "ego-size"),
    ("ego-size", "ego"),
    ("degree", "neighbours"),
    ("neighbours", "iterated"),
]


@given(numbers=st.lists(st.integers(-1, 5), max_size=20), k=st.integers(2, 8))
def test_figures_are_counts_over_vertices(numbers: list[int], k: int) -> None:
    used = sorted(set(numbers) - {-1})
    class_of = np.array([used.index(x) if x >= 0 else -1 for x in numbers], dtype=np.int64)
    sets = CandidateSets(class_of, undecided=3)
    size = [numbers.count(x) if x >= 0 else 0 for x in numbers]
    at_risk = [s for s in size if s]
    risk = sets.risk(k)
    assert sets.candidates().tolist() == size
    assert sets.below(k).tolist() == [v for v, s in enumerate(size) if 0 < s < k]
    assert (risk.n, risk.classes, risk.undecided) == (len(at_risk), len(used), 3)
    assert risk.vertices_below_k == sum(s < k for s in at_risk)
    assert risk.classes_below_k == sum(numbers.count(x) < k for x in used)
    assert risk.unique_vertices == at_risk.count(1)
    assert risk.smallest_class == min(at_risk, default=0)
    assert risk.reidentification_rate == pytest.approx(sum(1 / s for s in at_risk) / max(len(at_risk), 1))
    assert risk.is_anonymous == (risk.share_below_k == 0)
    assert [risk.below(j) for j in range(25)] == [sum(s < j for s in at_risk) for j in range(25)]


@given(graph=graphs(max_n=12), k=st.integers(2, 5))
@settings(max_examples=80, deadline=None)
def test_more_knowledge_never_protects(graph: SimpleGraph, k: int) -> None:
    risks = structural_risk(graph, k)
    assert list(risks) == list(KNOWLEDGE)
    for less, more in FINER:
        assert risks[less].vertices_below_k <= risks[more].vertices_below_k
        assert risks[less].classes <= risks[more].classes
    degree = audit(graph, k)
    for field in ("n", "classes", "vertices_below_k", "unique_vertices", "smallest_class", "reidentification_rate"):
        assert getattr(risks["degree"], field) == getattr(degree, field)
    assert risks["degree"].curve_below.tolist() == degree.curve_below.tolist()


@pytest.mark.parametrize("name", [name for name in KNOWLEDGE if name != "hubs"])
def test_a_vertex_transitive_graph_tells_nothing(name: str) -> None:
    for graph in (nx.cycle_graph(7), nx.complete_graph(5), nx.petersen_graph(), nx.empty_graph(3)):
        assert structural_risk(graph, 3, [name])[name].classes == 1


def test_bad_input_is_refused() -> None:
    path = nx.path_graph(3)
    with pytest.raises(InvalidInput, match="known: degree"):
        candidate_sets(path, "everything")
    with pytest.raises(InvalidInput, match="at least 2"):
        structural_risk(path, 1)
    with pytest.raises(InvalidInput, match="hubs"):
        structural_risk(path, 2, ["hubs"], hubs=0)
    with pytest.raises(InvalidInput, match="directed"):
        structural_risk(nx.DiGraph(path), 2)


def test_one_knowledge_may_be_named_alone() -> None:
    path = [(0, 1), (1, 2), (2, 3), (3, 4)]
    alone, listed = structural_risk(path, 2, "neighbours"), structural_risk(path, 2, ["neighbours"])
    assert list(alone) == list(listed) == ["neighbours"]
    assert alone["neighbours"].unique_vertices == listed["neighbours"].unique_vertices == 1
    with pytest.raises(InvalidInput, match="unknown knowledge 'egg'"):
        structural_risk(path, 2, "egg")
