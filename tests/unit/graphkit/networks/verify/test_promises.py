"""A release that breaks exactly one promise fails exactly that check; a naive reading of every promise agrees."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.verify import DegreeClaim, Terms, verify_release
from tests.support.strategies import graphs

Edge = frozenset[int]

# two squares and two lone vertices; 8-9 is added and 0-1 exchanged for 0-2 and 1-3: only 2 and 3 have degree 3 then
ORIGINAL = SimpleGraph.from_edges([(0, 1), (1, 2), (2, 3), (0, 3), (4, 5), (5, 6), (6, 7), (4, 7)], 10)
RELEASED = SimpleGraph.from_edges([(1, 2), (2, 3), (0, 3), (0, 2), (1, 3), (4, 5), (5, 6), (6, 7), (4, 7), (8, 9)], 10)
PUBLISHED = np.array([3, 1, 4, 0, 5, 9, 2, 6, 8, 7])
CLAIM = DegreeClaim(k=2, n=10, supergraph=False, earlier=1)
TERMS = Terms(
    additions=3,
    deletions=1,
    forbidden_edges=np.array([[1, 0], [5, 7]]),
    forbidden_vertices=np.array([4, 5, 6, 7]),
    max_increase=1,
    earlier_degrees=np.array([[2], [2], [2], [2], [2], [2], [2], [2], [-1], [-1]]),
)


def failed(claim: DegreeClaim, terms: Terms, released: SimpleGraph = RELEASED) -> list[str]:
    edges = PUBLISHED[released.edges][::-1]
    checks = verify_release(claim, edges, np.arange(claim.n), ORIGINAL, PUBLISHED, terms).checks
    assert len({check.name for check in checks}) == len(checks)
    return [check.name for check in checks if not check.passed]


def test_a_release_that_keeps_every_promise_passes() -> None:
    assert failed(CLAIM, TERMS) == []


@pytest.mark.parametrize(
    ("promise", "broken"),
    [
        ({"additions": 2}, "edges added"),
        ({"additions": 4}, "edges added"),
        ({"deletions": 0}, "edges deleted"),
        ({"deletions": 2}, "edges deleted"),
        ({"forbidden_edges": np.array([[2, 0]])}, "forbidden edges"),
        ({"forbidden_edges": np.array([[0, 10]])}, "forbidden edges"),
        ({"forbidden_edges": np.array([[-1, 3]])}, "forbidden edges"),
        ({"forbidden_vertices": np.array([9])}, "forbidden vertices"),
        ({"forbidden_vertices": np.array([1])}, "forbidden vertices"),
        ({"forbidden_vertices": np.array([10])}, "forbidden vertices"),
        ({"max_increase": 0}, "degree increase"),
        (
            {"earlier_degrees": np.array([[2], [2], [2], [2], [2], [2], [2], [1], [-1], [-1]])},
            "k-anonymous with the earlier versions",
        ),
        (
            {"earlier_degrees": np.array([[2], [2], [2], [2], [2], [2], [2], [2], [0], [-1]])},
            "k-anonymous with the earlier versions",
        ),
        ({"earlier_degrees": np.full((10, 2), 2)}, "k-anonymous with the earlier versions"),
        ({"earlier_degrees": None}, "k-anonymous with the earlier versions"),
    ],
)
def test_one_broken_promise_fails_one_check(promise: dict[str, object], broken: str) -> None:
    assert failed(CLAIM, replace(TERMS, **promise)) == [broken]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("edges_of_release", "broken"),
    [
        # 4-6 joins two forbidden vertices instead of two others
        (
            [(1, 2), (2, 3), (0, 3), (1, 3), (0, 1), (4, 5), (5, 6), (6, 7), (4, 7), (4, 6), (8, 9)],
            "forbidden vertices",
        ),
        # the same degrees, one edge of the original more in another place
        ([(1, 2), (2, 3), (0, 1), (0, 2), (1, 3), (4, 5), (5, 6), (6, 7), (4, 7), (8, 9)], None),
    ],
)
def test_other_releases(edges_of_release: list[tuple[int, int]], broken: str | None) -> None:
    terms = replace(TERMS, additions=None, deletions=None)
    found = failed(CLAIM, terms, SimpleGraph.from_edges(edges_of_release, 10))
    assert found == ([] if broken is None else [broken])


def test_a_deleted_edge_breaks_the_claim_of_containment_alone() -> None:
    assert failed(replace(CLAIM, supergraph=True), TERMS) == ["contains the original"]


def test_an_edge_of_the_original_is_no_forbidden_edge() -> None:
    assert failed(CLAIM, replace(TERMS, forbidden_edges=ORIGINAL.edges)) == []


def test_only_the_subset_counts_and_only_within_itself() -> None:
    name = "k-anonymous within the subset"
    claim = DegreeClaim(k=2, n=10, supergraph=False, scope="subset")
    assert failed(claim, Terms(subset=np.array([2, 3, 8, 9, 4, 7]))) == []
    # vertex 2 has a companion of its degree, outside
    assert failed(claim, Terms(subset=np.array([2, 8, 9]))) == [name]
    assert failed(claim, Terms(subset=np.array([2, 2, 8, 9]))) == [name]
    assert failed(replace(claim, k=5), Terms(subset=np.array([], dtype=np.int64))) == []
    assert failed(claim, Terms()) == [name]
    assert failed(claim, Terms(subset=np.array([10, 11]))) == [name]
    # the whole graph need not be anonymous
    assert failed(replace(claim, k=6), Terms(subset=np.array([0, 1, 4, 5, 6, 7]))) == []


def test_without_the_original_every_promise_about_it_fails() -> None:
    checks = verify_release(CLAIM, RELEASED.edges, np.arange(10), None, PUBLISHED, TERMS).checks
    assert [check.name for check in checks if check.passed] == ["vertices", "simple", "k-anonymous"]
    assert {check.text for check in checks if not check.passed} == {"the original or the relabelling is not at hand"}


def test_no_text_holds_a_number_of_the_original() -> None:
    for terms in (TERMS, Terms(additions=7919, deletions=6007, max_increase=5003)):
        for check in verify_release(CLAIM, PUBLISHED[RELEASED.edges], np.arange(10), ORIGINAL, PUBLISHED, terms).checks:
            assert not {"7919", "6007", "5003", "3", "1"} & set(check.text.split())


def edge_set(graph: SimpleGraph) -> set[Edge]:
    return {frozenset(edge) for edge in graph.edges.tolist()}


def naive(claim: DegreeClaim, terms: Terms, original: SimpleGraph, released: SimpleGraph) -> set[str]:
    """The failing checks, straight from the definitions; both graphs in the original's ids."""
    before, after = edge_set(original), edge_set(released)
    degree = {v: sum(v in edge for edge in after) for v in range(claim.n)}
    increase = {v: degree[v] - sum(v in edge for edge in before) for v in range(claim.n)}
    members = set(range(claim.n)) if claim.scope == "whole" else set(terms.subset.tolist())  # type: ignore[union-attr]
    trails = {v: (*terms.earlier_degrees[v].tolist(), degree[v]) for v in members}  # type: ignore[index]
    broken = set()
    if any(sum(degree[w] == degree[v] for w in members) < claim.k for v in members):
        broken.add("k-anonymous" if claim.scope == "whole" else "k-anonymous within the subset")
    if any(times < claim.k for times in Counter(trails.values()).values()):
        broken.add("k-anonymous with the earlier versions")
    if claim.supergraph and before - after:
        broken.add("contains the original")
    if len(after - before) != terms.additions:
        broken.add("edges added")
    if len(before - after) != terms.deletions:
        broken.add("edges deleted")
    if {frozenset(pair) for pair in terms.forbidden_edges.tolist()} & (after - before):  # type: ignore[union-attr]
        broken.add("forbidden edges")
    if any(v in edge for v in terms.forbidden_vertices.tolist() for edge in before ^ after):  # type: ignore[union-attr]
        broken.add("forbidden vertices")
    if any(grown > terms.max_increase for grown in increase.values()):  # type: ignore[operator]
        broken.add("degree increase")
    return broken


@given(original=graphs(max_n=7), data=st.data())
@settings(max_examples=300, deadline=None)
def test_every_check_agrees_with_a_naive_reading(original: SimpleGraph, data: st.DataObject) -> None:
    n = original.n
    pairs = [(u, v) for u in range(n) for v in range(u + 1, n)]
    flipped = data.draw(st.lists(st.sampled_from(pairs), unique=True, max_size=4)) if pairs else []
    kept = edge_set(original) ^ {frozenset(pair) for pair in flipped}
    released = SimpleGraph.from_edges(np.array([sorted(edge) for edge in kept], dtype=np.int64).reshape(-1, 2), n)
    some = st.lists(st.integers(0, n - 1), max_size=3) if n else st.just([])
    whole = data.draw(st.booleans())
    earlier = data.draw(st.integers(1, 2))
    claim = DegreeClaim(
        data.draw(st.integers(1, 4)), n, data.draw(st.booleans()), "whole" if whole else "subset", earlier
    )
    table = data.draw(st.lists(st.integers(-1, 1), min_size=n * earlier, max_size=n * earlier))
    forbidden = data.draw(st.lists(st.sampled_from(pairs), max_size=2)) if pairs else []
    terms = Terms(
        additions=data.draw(st.integers(0, 3)),
        deletions=data.draw(st.integers(0, 2)),
        subset=np.array(data.draw(some), dtype=np.int64),
        forbidden_edges=np.array(forbidden, dtype=np.int64).reshape(-1, 2),
        forbidden_vertices=np.array(data.draw(some), dtype=np.int64),
        max_increase=data.draw(st.integers(0, 2)),
        earlier_degrees=np.array(table, dtype=np.int64).reshape(n, earlier),
    )
    published = np.array(data.draw(st.permutations(range(n))), dtype=np.int64)
    checks = verify_release(claim, published[released.edges], np.arange(n), original, published, terms).checks
    assert {check.name for check in checks if not check.passed} == naive(claim, terms, original, released)
