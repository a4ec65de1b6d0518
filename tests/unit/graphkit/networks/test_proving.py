"""The proof spends its work on the bounds that move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice

import networkx as nx
import numpy as np
import pytest

from graphkit.budget import Budget
from graphkit.effort import SECOND
from graphkit.networks import SimpleGraph
from graphkit.networks.bounds import proving as engine
from graphkit.networks.bounds.top_set import TopSets, top_set_bound
from graphkit.networks.effort.progress import silent
from graphkit.networks.effort.standing import Standing
from graphkit.networks.graphs.interchange import as_view

Ask = Callable[[Standing, int], tuple[int, bool]]

GRAPH = nx.barabasi_albert_graph(400, 5, seed=4)
VIEW = as_view(SimpleGraph.from_edges(np.array(list(GRAPH.edges), dtype=np.int64), GRAPH.number_of_nodes()))
K = 20


def standing_of(size: int) -> Standing:
    return Standing(np.zeros((size, 2), dtype=np.int64), Budget(), silent)


@pytest.fixture
def spent(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """One way rises by one with each question, one is far behind, one says always the same, one ends by itself."""
    spent: Counter[str] = Counter()

    def way(name: str, value: Callable[[int, int], int], *, is_open: bool = True) -> Callable[..., Ask]:
        def ask(standing: Standing, quota: int) -> tuple[int, bool]:
            standing.budget.charge(quota)
            spent[name] += quota
            return value(standing.bound, spent[name]), is_open

        return lambda view, k: ask

    ways = {
        "behind": engine._Kind(way("behind", lambda bound, units: 100 + units // SECOND), lambda k: SECOND // 4),
        "still": engine._Kind(way("still", lambda bound, units: bound), lambda k: SECOND),
        "ending": engine._Kind(way("ending", lambda bound, units: bound, is_open=False), lambda k: SECOND),
        "hub-program": engine._Kind(
            way("hub-program", lambda bound, units: max(bound, 940 + units // SECOND)), lambda k: SECOND
        ),
    }
    monkeypatch.setattr(engine, "_KINDS", ways)
    return spent


def proof(standing: Standing, steps: int) -> Iterator[bool]:
    return islice(engine.proving(VIEW, K, standing), steps)


def test_a_bound_far_behind_the_others_is_not_asked_again(spent: Counter[str]) -> None:
    standing = standing_of(1000)
    standing.prove(940, "test")
    list(proof(standing, 12))
    assert spent["behind"] == SECOND // 4


def test_a_bound_that_ended_is_asked_again_about_a_smaller_size(spent: Counter[str]) -> None:
    standing = standing_of(1000)
    list(proof(standing, 8))
    assert spent["ending"] == SECOND // 4
    standing = standing_of(1000)
    steps = engine.proving(VIEW, K, standing)
    list(islice(steps, 6))
    standing.offer(np.zeros((999, 2), dtype=np.int64))
    list(islice(steps, 6))
    assert spent["ending"] == 3 * (SECOND // 4)


def test_the_standing_says_when_every_bound_had_its_first_turn(spent: Counter[str]) -> None:
    standing = standing_of(1000)
    steps = engine.proving(VIEW, K, standing)
    told = [standing.is_questioning for _ in islice(steps, 16)]
    assert told[0]
    assert not told[-1]
    assert told == sorted(told, reverse=True)


@pytest.mark.usefixtures("spent")
def test_a_small_gap_is_worth_only_the_bounds_that_close_such_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    def is_questioning(bound: int, **kinds: engine._Kind) -> bool:
        monkeypatch.setattr(engine, "_KINDS", engine._KINDS | kinds)
        standing = standing_of(2000)
        standing.prove(bound, "test")
        list(proof(standing, 1))
        return standing.is_questioning

    assert is_questioning(1900)
    assert not is_questioning(1995)
    assert is_questioning(1995, still=engine._KINDS["still"]._replace(is_due=True))


def test_a_top_set_asked_in_portions_goes_on_where_it_stopped() -> None:
    target = 2 * top_set_bound(VIEW, K, target=1_000_000)
    whole = Budget()
    expected = top_set_bound(VIEW, K, target=target, work=10**9, budget=whole)
    sets, budget, bound, is_open = TopSets(VIEW, K), Budget(), 0, True
    portions = 0
    while is_open:
        portions += 1
        bound, is_open = sets.ask(target, bound, 500, budget)
        assert portions < 10_000
    assert bound == expected
    assert portions > 2
    assert budget.work < 2 * whole.work


@pytest.mark.usefixtures("spent")
def test_a_bound_that_gains_a_little_each_time_does_not_keep_others_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    # whatever it gained, it was asked again, and one that needs two questions had one in 20 units
    given: Counter[str] = Counter()

    def way(name: str, value: Callable[[int], int], growth: int) -> engine._Kind:
        def ask(standing: Standing, quota: int) -> tuple[int, bool]:
            standing.budget.charge(quota)
            given[name] += quota
            return value(given[name]), True

        return engine._Kind(lambda view, k: ask, lambda k: SECOND // 4, growth=growth)

    kinds = {
        "small": way("small", lambda units: 900 + 4 * units // SECOND, 1),
        "large": way("large", lambda units: 890 + 90 * (units > SECOND // 2), 2),
    }
    monkeypatch.setattr(engine, "_KINDS", kinds)
    standing = standing_of(1000)
    standing.prove(890, "test")
    list(proof(standing, 40))
    assert standing.bound == 980


@pytest.mark.usefixtures("spent")
@pytest.mark.parametrize(("pace", "every", "is_favoured"), [(40, 1, True), (40, 3, True), (1, 1, False)])
def test_a_bound_about_to_overtake_the_others_has_the_first_turns(
    pace: int, every: int, is_favoured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # also where only every third question raises it
    given: Counter[str] = Counter()

    def way(name: str, first: int, pace: int) -> engine._Kind:
        def ask(standing: Standing, quota: int) -> tuple[int, bool]:
            standing.budget.charge(quota)
            given[name] += quota
            return first + pace * (given[name] - given[name] % (every * SECOND // 4)) // SECOND, True

        return engine._Kind(lambda view, k: ask, lambda k: SECOND, growth=1)

    monkeypatch.setattr(engine, "_KINDS", {"rising": way("rising", 800, pace), "still": way("still", 899, 0)})
    standing = standing_of(1000)
    standing.prove(900, "test")
    # by the search
    standing.budget.charge(10 * SECOND)
    told = [standing.is_rising for _ in proof(standing, 16)]
    assert any(told) == is_favoured
    assert (given["rising"] > 2 * given["still"]) == is_favoured


@pytest.mark.parametrize(("pace", "is_favoured"), [(20, True), (1, False)])
def test_the_best_bound_is_favoured_where_it_is_about_to_reach_the_size(
    pace: int, is_favoured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # however slowly it rose, it counted a quarter of its work, and others waited
    def ask(standing: Standing, quota: int) -> tuple[int, bool]:
        standing.budget.charge(quota)
        return 950 + pace * (standing.budget.work - 10 * SECOND) // SECOND, True

    kind = engine._Kind(lambda view, k: ask, lambda k: SECOND, growth=1)
    monkeypatch.setattr(engine, "_KINDS", {"leading": kind})
    standing = standing_of(1000)
    # by the search
    standing.budget.charge(10 * SECOND)
    told = [standing.is_rising for _ in proof(standing, 8)]
    assert any(told) == is_favoured
