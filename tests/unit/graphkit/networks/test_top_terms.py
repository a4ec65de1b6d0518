"""What all before a border of the tree can get: never more than a solution that begins so demands."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from benchmarks.networks import near_clique
from graphkit.budget import Budget
from graphkit.networks.bounds.diagram import _top_terms, tree
from graphkit.networks.bounds.diagram._top_terms import TopTerms
from graphkit.networks.bounds.group_tree import GroupTrees
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView


@st.composite
def _solutions(draw: st.DrawFn) -> tuple[SimpleGraph, np.ndarray, int]:
    """A graph, the degrees of a k-anonymous one with more edges, and k: copies of one graph that are joined alike."""
    k, own = draw(st.sampled_from([(1, 6), (1, 8), (2, 3), (2, 4), (3, 3), (4, 2)]))
    inside = draw(st.sets(st.sampled_from(list(combinations(range(own), 2)))))
    across = draw(st.sets(st.sampled_from(list(product(range(own), repeat=2))))) if k > 1 else set()
    edges = [(i * own + u, i * own + v) for i in range(k) for u, v in inside]
    edges += [
        (i * own + u, j * own + v)
        for i, j in combinations(range(k), 2)
        for u, v in product(range(own), repeat=2)
        if (u, v) in across or (v, u) in across
    ]
    whole = SimpleGraph.from_edges(np.array(edges, dtype=np.int64).reshape(-1, 2), k * own)
    kept = draw(st.lists(st.booleans(), min_size=whole.m, max_size=whole.m))
    assume(any(kept))
    graph = SimpleGraph.from_edges(whole.edges[np.array(kept)], whole.n)
    return graph, whole.degrees(), k


@given(solution=_solutions(), data=st.data())
@settings(max_examples=200, deadline=None)
def test_no_beginning_of_a_solution_is_asked_for_more_than_it_demands(
    solution: tuple[SimpleGraph, np.ndarray, int], data: st.DataObject
) -> None:
    graph, ends, k = solution
    positions = Positions.of(IgraphView.of(graph), k, 600)
    occurring, terms = np.unique(positions.degrees), TopTerms(positions)
    own = graph.degrees()
    total = int(ends.sum() - own.sum())
    final = ends[np.lexsort((-own, -ends))]
    # degrees are lowered to some that occur
    levels = occurring[np.searchsorted(occurring, final, side="right") - 1]
    # a group begins where the degree changes, and elsewhere where both parts are large enough
    border, borders = 0, []
    while border < graph.n:
        left = int(np.count_nonzero(final[border:] == final[border]))
        sizes = [size for size in range(k, min(2 * k - 1, left) + 1) if left - size == 0 or left - size >= k]
        border += data.draw(st.sampled_from(sizes))
        borders.append(border)
    for border in borders[:-1]:
        cost = int(levels[:border].sum() - positions.degrees[:border].sum())
        forced = int(np.count_nonzero(positions.degrees > levels[border]))
        # several degrees of the group behind: fewer are above the highest, and the lowest is lower
        forced = data.draw(st.integers(0, forced))
        goal = data.draw(st.integers(int(positions.degrees[border]), int(levels[border])))
        value, used = terms.value(border, forced, goal, cost, known=0, target=1 << 30)
        assert value <= total
        assert used > 0


def keywords(n: int, records: int) -> IgraphView:
    """Who is named in one record knows each other: cliques, of which the highest vertices are in many."""
    rng, weights = np.random.default_rng(1), (np.arange(n) + 5.0) ** -0.8
    shares = weights / weights.sum()
    named = [rng.choice(n, size=rng.integers(3, 10), replace=False, p=shares) for _ in range(records)]
    return IgraphView.of(SimpleGraph.from_edges(np.array([p for one in named for p in combinations(one, 2)]), n))


def test_cliques_that_share_vertices_are_told_more_of(monkeypatch: pytest.MonkeyPatch) -> None:
    view, found = keywords(300, 3_000), []
    for last in (tree._LAST_TOP, 0):
        monkeypatch.setattr(tree, "_LAST_TOP", last)
        found.append(GroupTrees(view, 5).ask(224, 0, 200_000, Budget())[0])
    assert found[0] >= 204 > found[1]


def test_questions_that_save_nothing_are_not_asked_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = Positions.of(IgraphView.of(near_clique(600, 60, 0.9, 1)), 5, 600)
    monkeypatch.setattr(_top_terms, "_FIRST", 1)
    terms, border = TopTerms(positions), 10
    goal = int(positions.degrees[border])
    asked = [terms.value(border, 0, goal, cost, known=0, target=1 << 30)[1] for cost in (0, 0)]
    assert asked[0] > 0
    assert asked[1] == 0
    # one that reaches the target pays for others
    terms = TopTerms(positions)
    asked = [terms.value(border, 0, goal, 1 << 20, known=0, target=10)[1] for _ in range(3)]
    assert min(asked) > 0
