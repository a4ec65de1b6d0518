"""What is particular to the method of the seed paper."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.networks import SimpleGraph, anonymize, is_k_anonymous
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.methods.two_phase import _missing, _slack_sequences
from graphkit.networks.sequences.degree_raises import apply_raises, merge_raises
from tests.support.strategies import graphs


def test_of_the_choices_in_a_block_the_one_that_can_be_realized_is_found() -> None:
    # appendix A: among a–b–c and d–e only d and e cannot be joined
    graph = SimpleGraph.from_edges([(0, 1), (1, 2), (3, 4)])
    for seed in range(30):
        assert anonymize(graph, 2, method="two-phase", seed=seed).size == 1


@given(graph=graphs(min_n=2, max_n=10), data=st.data())
@settings(max_examples=200, deadline=None)
def test_both_erdos_gallai_tests_pass_what_some_graph_above_has(graph: SimpleGraph, data: st.DataObject) -> None:
    pairs = [(u, v) for u in range(graph.n) for v in range(u + 1, graph.n)]
    more = data.draw(st.lists(st.sampled_from(pairs), unique=True))
    above = SimpleGraph.from_edges([*graph.edges.tolist(), *more], graph.n)
    before, after = (np.bincount(g.degrees()) for g in (graph, above))
    assert _missing(IgraphView.of(graph), before, after) == 0


def test_the_advanced_test_sees_edges_that_are_there_already() -> None:
    # both vertices of degree 1 would have to be joined, and they are
    graph = SimpleGraph.from_edges([(0, 1)], 2)
    assert _missing(IgraphView.of(graph), np.array([0, 2]), np.array([0, 0, 2])) == 2


@given(
    blocks=st.lists(st.sampled_from([0, 3, 4, 9]), min_size=1, max_size=7),
    amount=st.integers(1, 6),
)
@settings(max_examples=150, deadline=None)
def test_slack_demand_adds_what_was_asked_and_stays_anonymous(blocks: list[int], amount: int) -> None:
    after = np.array([*blocks, 3])
    degrees = np.arange(after.size)
    for enlarged in _slack_sequences(after, 3, amount):
        assert (enlarged * degrees[: enlarged.size]).sum() == (after * degrees).sum() + amount
        assert enlarged.sum() == after.sum()
        assert is_k_anonymous(enlarged, 3)
        assert np.all(np.cumsum(np.pad(enlarged, (0, after.size - enlarged.size))) <= np.cumsum(after))


def test_slack_demand_goes_between_two_large_blocks() -> None:
    after = np.array([5, 400, 300, 5, 5])
    expected = apply_raises(after, merge_raises(np.array([1]), np.array([2]), np.array([20])))
    assert [enlarged.tolist() for enlarged in _slack_sequences(after, 5, 20)] == [expected.tolist()]
