"""Acyclic hypergraphs and components are what their definitions say, tried on everything small."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphkit.tables.structure.hypergraph import Axes, maximal_sets, perfect_sequence
from graphkit.tables.structure.hypergraph_components import reducible_decomposition
from tests.support.small_tables import all_sets

hypergraphs = st.integers(1, 7).flatmap(lambda k: st.lists(st.sampled_from(all_sets(k)), max_size=8))


@cache
def antichains(k: int) -> list[tuple[Axes, ...]]:
    """All families of sets of which none contains another, by adding sets one at a time."""
    found: list[tuple[Axes, ...]] = [()]
    for axes in all_sets(k):
        found += [(*f, axes) for f in found if not any(set(a) <= set(axes) or set(axes) <= set(a) for a in f)]
    return found


def has_running_intersections(edges: Collection[Axes]) -> bool:
    """Whether some order of the hyperedges has the property, by trying all."""
    return any(
        all(
            any(set(order[i]) & set().union(*order[:i]) <= set(before) for before in order[:i])
            for i in range(1, len(order))
        )
        for order in permutations(edges)
    )


def reduced(edges: Collection[Axes]) -> list[set[int]]:
    """What Graham's reduction leaves: take away variables of one hyperedge and hyperedges within others."""
    left = [set(edge) for edge in edges]
    while True:
        before = [set(edge) for edge in left]
        for edge in left:
            edge -= {axis for axis in edge if sum(axis in other for other in left) == 1}
        left = [a for i, a in enumerate(left) if a and not any(a < b or (a == b and i < j) for j, b in enumerate(left))]
        if left == before:
            return left


def is_acyclic(sets: Collection[Axes]) -> bool:
    return perfect_sequence(sets) is not None


def check_sequence(sets: Collection[Axes]) -> None:
    sequence = perfect_sequence(sets)
    assert sequence is not None
    assert sorted(sequence.edges) == sorted(maximal_sets(sets))
    for i, (separator, parent) in enumerate(zip(sequence.separators, sequence.parents, strict=True), 1):
        assert parent < i
        assert set(separator) == set(sequence.edges[i]) & set().union(*sequence.edges[:i])
        assert set(separator) <= set(sequence.edges[parent])
    assert len(sequence.separators) == max(len(sequence.edges) - 1, 0)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_acyclic_means_an_order_with_running_intersections(k: int) -> None:
    assert len(antichains(k)) == [2, 3, 6, 20, 168][k] - 1  # Dedekind's numbers, without the family of the empty set
    for edges in antichains(k):
        acyclic = has_running_intersections(edges)
        assert is_acyclic(edges) == acyclic == (not reduced(edges))
        if acyclic:
            check_sequence(edges)


@given(hypergraphs)
def test_acyclic_means_that_grahams_reduction_leaves_nothing(sets: list[Axes]) -> None:
    assert is_acyclic(sets) == (not reduced(sets))
    if is_acyclic(sets):
        check_sequence(sets)


@given(st.lists(st.sampled_from([(), *all_sets(5)])))
def test_maximal_sets_are_within_no_other(sets: list[Axes]) -> None:
    assert sorted(maximal_sets(sets)) == sorted({a for a in sets if not any(set(a) < set(b) for b in sets)})


def test_a_separator_counts_as_often_as_it_separates() -> None:
    sequence = perfect_sequence([(0, 1), (0, 2), (0, 3), (4,)])
    assert sequence is not None
    assert sorted(sequence.separators) == [(), (0,), (0,)]


def components_without(removed: set[int], within: set[int], edges: Collection[Axes]) -> list[set[int]]:
    left, found = within - removed, []
    while left:
        component = {left.pop()}
        while grown := {a for e in edges if component & set(e) - removed for a in e if a in left}:
            component |= grown
            left -= grown
        found.append(component)
    return found


def is_prime(within: set[int], edges: Collection[Axes]) -> bool:
    """Whether no set inside a marginal separates the variables."""
    overlaps = {tuple(sorted(set(edge) & within)) for edge in edges} | {()}
    separators = {s for overlap in overlaps for size in range(len(overlap) + 1) for s in combinations(overlap, size)}
    return all(len(components_without(set(s), within, edges)) <= 1 for s in separators)


def prime_components(edges: Collection[Axes]) -> set[Axes]:
    variables = sorted(set().union(*edges)) if edges else []
    primes = [s for n in range(1, len(variables) + 1) for s in combinations(variables, n) if is_prime(set(s), edges)]
    return {a for a in primes if not any(set(a) < set(b) for b in primes)}


def check_decomposition(sets: Collection[Axes]) -> None:
    found = reducible_decomposition(sets)
    assert set(found.components) == prime_components(sets)
    assert all(any(set(separator) <= set(edge) for edge in sets) for separator in found.sequence.separators)
    assert all(any(set(edge) <= set(component) for component in found.components) for edge in sets)
    for component, constraints in zip(found.components, found.constraints, strict=True):
        overlaps = {tuple(sorted(set(edge) & set(component))) for edge in sets}
        assert set(constraints) == {a for a in overlaps if not any(set(a) < set(b) for b in overlaps)}
    assert all(found.known) == is_acyclic(sets)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_components_are_the_largest_that_no_set_inside_a_marginal_separates(k: int) -> None:
    for edges in antichains(k):
        check_decomposition(edges)


@given(st.lists(st.sampled_from(all_sets(6)), max_size=9))
def test_components_of_six_variables(sets: list[Axes]) -> None:
    check_decomposition(sets)


def test_a_chordal_graph_is_not_enough() -> None:
    pairs = [(0, 1), (1, 2), (0, 2)]
    assert not is_acyclic(pairs)
    assert reducible_decomposition(pairs).components == ((0, 1, 2),)


def test_a_clique_that_no_marginal_has_does_not_separate() -> None:
    # 0, 1 and 2 are joined pair by pair and separate 3 from 4
    sets = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3), (0, 4), (1, 4), (2, 4)]
    assert reducible_decomposition(sets).components == ((0, 1, 2, 3, 4),)
    assert reducible_decomposition([*sets, (0, 1, 2)]).components == ((0, 1, 2, 3), (0, 1, 2, 4))


def test_nothing_released_has_no_components() -> None:
    found = reducible_decomposition([])
    assert (found.components, found.sequence.separators, found.constraints) == ((), (), ())


def test_many_marginals_of_many_variables_take_no_time() -> None:
    sets = list(combinations(range(16), 4))
    assert perfect_sequence(sets) is None
    assert reducible_decomposition(sets).components == (tuple(range(16)),)
