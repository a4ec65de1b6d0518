"""Search and proof take turns by counted work: more effort buys more, the first answer comes before any bound."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.effort import DEFAULT_EFFORT, PROVING_EFFORT, SECOND, units_of
from graphkit.errors import InvalidInput
from graphkit.networks import METHODS, SimpleGraph, anonymize, lower_bound
from graphkit.networks.effort.progress import silent
from graphkit.networks.effort.standing import Standing
from graphkit.networks.effort.turns import take_turns
from tests.support.strategies import graphs

EFFORTS = (0.001, 0.1, 0.5, 1.0, 2.0)


def graph_of(graph: nx.Graph) -> SimpleGraph:
    return SimpleGraph.from_edges(np.array(list(graph.edges), dtype=np.int64), graph.number_of_nodes())


HUBS = graph_of(nx.barabasi_albert_graph(150, 4, seed=3))
DENSE = graph_of(nx.gnp_random_graph(120, 0.4, seed=3))


@pytest.mark.parametrize(("graph", "k"), [(HUBS, 3), (HUBS, 7), (DENSE, 5)])
def test_more_effort_never_ends_with_more_edges_or_a_lower_bound(graph: SimpleGraph, k: int) -> None:
    found = [anonymize(graph, k, seed=2, effort=effort) for effort in EFFORTS]
    sizes, bounds, work = ([getattr(one, name) for one in found] for name in ("size", "lower_bound", "work"))
    assert sizes == sorted(sizes, reverse=True)
    assert bounds == sorted(bounds)
    assert work == sorted(work)
    assert work[-1] > work[0]


@given(graph=graphs(min_n=6, max_n=12), data=st.data())
@settings(max_examples=15, deadline=None)
def test_on_small_graphs_more_effort_is_never_worse_either(graph: SimpleGraph, data: st.DataObject) -> None:
    k = data.draw(st.integers(2, graph.n))
    little, much = (anonymize(graph, k, effort=effort) for effort in (0.001, 5.0))
    assert much.size <= little.size
    assert much.lower_bound >= little.lower_bound


def test_the_same_effort_gives_the_same_bits_whatever_the_clock_says() -> None:
    ticks = count(0, 7)
    slow = anonymize(HUBS, 7, seed=2, effort=1.0, clock=lambda: float(next(ticks)))
    plain = anonymize(HUBS, 7, seed=2, effort=1.0)
    assert (slow.edges.tobytes(), slow.lower_bound, slow.work) == (plain.edges.tobytes(), plain.lower_bound, plain.work)


@pytest.mark.parametrize("method", sorted(METHODS))
def test_a_valid_answer_comes_before_any_bound(method: str) -> None:
    told: list[tuple[int | None, int | None]] = []
    anonymize(HUBS, 3, method=method, effort=0.5, progress=lambda _, size, bound: told.append((size, bound)))
    first = next(i for i, (_, bound) in enumerate(told) if bound is not None)
    assert all(size is not None for size, _ in told[first:])
    sizes, bounds = zip(*told[first:], strict=True)
    assert list(sizes) == sorted(sizes, reverse=True)
    assert list(bounds) == sorted(bounds)


def test_the_answer_says_what_proved_its_bound_and_what_it_cost() -> None:
    found = anonymize(HUBS, 3, effort=1.0)
    assert max(found.proven.values()) == found.lower_bound
    assert found.work > 0
    assert set(found.seconds) == {"read", "first", "solve", "bound"}


def test_bounds_and_anonymize_agree_at_the_same_effort() -> None:
    for effort in (0.1, 1.0):
        assert lower_bound(HUBS, 7, effort=effort) == anonymize(HUBS, 7, effort=effort).lower_bound


def test_an_effort_has_a_default_and_a_time_limit_does_not_cut_it() -> None:
    assert units_of(None, prove=False, time_limit=None) == DEFAULT_EFFORT * SECOND
    assert units_of(None, prove=True, time_limit=None) == PROVING_EFFORT * SECOND
    assert units_of(None, prove=False, time_limit=300.0) == 300 * SECOND
    assert units_of(2.0, prove=True, time_limit=300.0) == 2 * SECOND


@pytest.mark.parametrize("effort", [0.0, -1.0, float("nan"), float("inf")])
def test_an_effort_is_a_positive_number(effort: float) -> None:
    with pytest.raises(InvalidInput, match="effort"):
        anonymize(HUBS, 3, effort=effort)


def steps(standing: Standing, cost: int, gains: dict[int, tuple[int, int]]) -> Iterator[bool]:
    for step in count():
        standing.budget.charge(cost)
        size, bound = gains.get(step, (standing.size, 0))
        standing.offer(np.zeros((size, 2), dtype=np.int64))
        standing.prove(bound, "test")
        yield True


def standing_of(size: int) -> Standing:
    return Standing(np.zeros((size, 2), dtype=np.int64), Budget(), silent)


def test_whoever_gains_much_goes_on_and_nobody_is_forgotten() -> None:
    standing = standing_of(100)
    standing.prove(50, "test")
    search = steps(standing, 1000, {step: (99 - step, 0) for step in range(5)})
    take_turns(standing, search, steps(standing, 1000, {3: (100, 60)}), 20_000, patient=True)
    assert (standing.size, standing.bound, standing.budget.work) == (95, 60, 20_000)


def test_a_proof_about_to_overtake_what_is_known_has_most_of_the_work() -> None:
    standing = standing_of(100)
    standing.prove(50, "test")
    asked = []

    def proof() -> Iterator[bool]:
        while True:
            standing.budget.charge(1000)
            standing.is_rising = len(asked) < 12
            asked.append(standing.budget.work)
            yield True

    take_turns(standing, steps(standing, 1000, {}), proof(), 30_000, patient=True)
    # four to one while it rises, then in turn
    assert asked[11] <= 16_000
    assert 18 < len(asked) < 22


def test_without_gain_it_ends_early_unless_a_proof_is_asked_for() -> None:
    works = []
    for patient in (False, True):
        standing = standing_of(100)
        standing.prove(99, "test")
        take_turns(standing, steps(standing, 10, {}), steps(standing, 10, {}), 10_000, patient=patient)
        works.append(standing.budget.work)
    assert works[0] < works[1] == 10_000


def test_a_proof_with_nothing_to_do_rests_until_the_size_changes() -> None:
    standing = standing_of(10)
    asked = []

    def proof() -> Iterator[bool]:
        while True:
            asked.append(standing.size)
            yield False

    take_turns(standing, steps(standing, 1000, {4: (9, 0)}), proof(), 20_000, patient=True)
    assert asked == [10, 9]


def test_the_search_is_not_given_up_before_it_tried_what_it_always_tries() -> None:
    standing = standing_of(10)
    standing.prove(9, "test")

    def search() -> Iterator[bool]:
        standing.is_opening = True
        for _ in range(50):
            standing.budget.charge(1000)
            yield True
        standing.is_opening = False
        yield True

    take_turns(standing, search(), iter(()), 100_000, patient=False)
    assert 50_000 <= standing.budget.work <= 53_000


def test_a_bound_is_not_given_up_before_it_had_the_work_that_tells_what_it_is_worth() -> None:
    standing = standing_of(100)
    standing.prove(90, "test")

    def proof() -> Iterator[bool]:
        standing.is_questioning = True
        for step in range(50):
            standing.budget.charge(1000)
            standing.is_questioning = step < 48
            yield standing.prove(95, "test") if step == 48 else True

    take_turns(standing, iter(()), proof(), 60_000, patient=False)
    assert standing.bound == 95


def test_the_search_goes_on_where_the_next_question_is_too_long_to_be_waited_for() -> None:
    standing = standing_of(100)

    def proof() -> Iterator[bool]:
        standing.budget.charge(3000)
        standing.next_question = standing.next_length = 1_000_000
        yield standing.prove(80, "test")
        pytest.fail("it was asked")

    take_turns(standing, steps(standing, 1000, {5: (95, 0)}), proof(), 20_000, patient=False)
    assert (standing.size, standing.bound) == (95, 80)


@pytest.mark.parametrize(("bound", "least", "most"), [(1995, 0, 10_000), (1998, 40_000, 60_000)])
def test_a_small_gap_is_not_worth_much_but_one_or_two_edges_are_worth_more(bound: int, least: int, most: int) -> None:
    standing = standing_of(2000)
    standing.prove(bound, "test")
    take_turns(standing, iter(()), steps(standing, 1000, {}), 60_000, patient=False)
    assert least < standing.budget.work < most


def test_the_search_goes_first_where_the_first_question_is_long() -> None:
    # it was asked at once, however poor the set was that it is about
    standing = standing_of(100)
    asked_at: list[int] = []

    def proof() -> Iterator[bool]:
        standing.is_questioning = True
        standing.next_question, standing.next_length = 1_000, 40_000
        standing.budget.charge(1000)
        yield standing.prove(60, "test")
        asked_at.append(standing.size)
        yield True

    take_turns(standing, steps(standing, 1000, {8: (90, 0)}), proof(), 20_000, patient=True)
    assert asked_at == [90]


def test_a_long_question_is_not_begun_where_it_would_not_be_waited_for() -> None:
    works = []
    for price in (0, 15_000):
        standing = standing_of(1000)
        standing.prove(995, "test")
        standing.next_question = price
        take_turns(standing, iter(()), steps(standing, 15_000, {}), 100_000, patient=False)
        works.append(standing.budget.work)
    # a step of the search, which has none, counts the least
    assert works == [16_000, 1_000]
