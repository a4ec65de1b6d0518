"""Ways to raise one block sequence to another, against all assignments of a multiset."""

from collections import Counter
from itertools import islice, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import BrokenClaim
from graphkit.networks import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.realization.transitions import choose_at_random, transition_mappings
from graphkit.networks.sequences.degree_raises import DegreeRaises, apply_raises, merge_raises, natural_raises

Way = frozenset[tuple[tuple[int, int], int]]


def as_way(raises: DegreeRaises) -> Way:
    pairs = zip(raises.source.tolist(), raises.target.tolist(), strict=True)
    return frozenset(Counter(dict(zip(pairs, raises.count.tolist(), strict=True))).items())


def every_way(degrees: list[int], goals: list[int]) -> set[Way]:
    return {
        frozenset(Counter((low, high) for low, high in zip(degrees, order, strict=True) if high > low).items())
        for order in set(permutations(goals))
        if all(high >= low for low, high in zip(degrees, order, strict=True))
    }


@st.composite
def sequence_pairs(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    degrees = sorted(draw(st.lists(st.integers(0, 4), min_size=1, max_size=6)))
    return degrees, sorted(degree + draw(st.integers(0, 3)) for degree in degrees)


@given(sequence_pairs())
@settings(max_examples=150, deadline=None)
def test_every_assignment_is_found_once(sequences: tuple[list[int], list[int]]) -> None:
    degrees, goals = sequences
    before, after = np.bincount(degrees), np.bincount(goals)
    ways = [as_way(raises) for raises in transition_mappings(before, after)]
    assert len(set(ways)) == len(ways)
    assert set(ways) == every_way(degrees, goals)


@given(sequence_pairs())
@settings(max_examples=100, deadline=None)
def test_the_natural_way_comes_first_and_is_sorted_to_sorted(sequences: tuple[list[int], list[int]]) -> None:
    degrees, goals = sequences
    before, after = np.bincount(degrees), np.bincount(goals)
    natural = as_way(natural_raises(before, after))
    assert natural == as_way(next(transition_mappings(before, after)))
    expected = Counter((low, high) for low, high in zip(degrees, goals, strict=True) if high > low)
    assert natural == frozenset(expected.items())


def test_the_paper_s_smallest_example_of_a_transition_block_is_found() -> None:
    before = np.array([0, 15, 0, 3, 2, 1, 0, 2, 0, 1])
    after = np.array([0, 15, 0, 2, 2, 2, 0, 0, 0, 3])
    ways = [as_way(raises) for raises in transition_mappings(before, after)]
    # figure 4: a degree-three vertex goes to five although there are degree-four vertices
    assert frozenset({((3, 5), 1), ((7, 9), 2)}) in ways[1:]


def test_ways_come_by_the_number_of_transition_blocks() -> None:
    before = np.array([4, 4, 4, 4, 4])
    after = np.array([3, 4, 4, 4, 5])
    rows = [raises.count.sum() for raises in transition_mappings(before, after)]
    assert rows == sorted(rows, reverse=True)
    assert rows == [4, 3, 3, 3, 2, 2, 2, 1]


def test_a_degree_of_thousands_and_ways_without_end_are_no_problem() -> None:
    before = np.full(3000, 4)
    after = before.copy()
    after[0], after[-1] = 2, 6
    found = list(islice(transition_mappings(before, after), 20))
    assert all(np.array_equal(apply_raises(before, raises), after) for raises in found)


@pytest.mark.parametrize("after", [[1, 1], [3, 1, 0], [1, 2]])
def test_a_sequence_that_is_not_above_is_our_bug(after: list[int]) -> None:
    with pytest.raises(BrokenClaim):
        next(transition_mappings(np.array([1, 1, 1]), np.array(after)))


def test_the_choice_of_vertices_meets_the_raises_and_may_be_any() -> None:
    graph = SimpleGraph.from_edges([(0, 1), (2, 3), (4, 5), (4, 6), (7, 8)])
    view = IgraphView.of(graph)
    raises = merge_raises(np.array([1, 1, 2]), np.array([2, 3, 3]), np.array([1, 1, 1]))
    seen = set()
    for seed in range(40):
        chosen = choose_at_random(view, raises, np.random.default_rng(seed))
        degrees = graph.degrees()[chosen.vertices]
        assert sorted(zip(degrees.tolist(), chosen.demands.tolist(), strict=True)) == [(1, 1), (1, 2), (2, 1)]
        assert np.array_equal(chosen.vertices[chosen.adjacency], view.edges_among(chosen.vertices))
        seen.update(chosen.vertices.tolist())
    assert seen == set(range(9))
