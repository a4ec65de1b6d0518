"""What those behind a border leave unused of what the highest ones could be joined to."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.networks.bounds import top_set
from graphkit.networks.bounds.group_tree import group_tree_bound
from graphkit.networks.bounds.top_sets.unused import Unused, least_sums
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.graphs.interchange import as_view
from tests.support.brute_force import minimum_edges

NONE = 1 << 40


def descending(numbers: list[int]) -> np.ndarray:
    return np.sort(np.array(numbers, dtype=np.int64))[::-1].copy()


@given(
    degrees=st.lists(st.integers(0, 7), min_size=1, max_size=8),
    seed=st.integers(0, 1000),
    k=st.integers(1, 4),
    weights=st.tuples(st.integers(0, 5), st.integers(0, 5)),
)
@settings(max_examples=150, deadline=None)
def test_no_groups_cost_less(degrees: list[int], seed: int, k: int, weights: tuple[int, int]) -> None:
    order, rng = descending(degrees), np.random.default_rng(seed)
    size, k, (over, under) = order.size, min(k, order.size), weights
    highest, lowest = (descending(rng.integers(0, 12, size).tolist()) for _ in range(2))
    levels = np.arange(order[-1], 13)

    def cost(begin: int, end: int, level: int) -> int:
        above, below = np.maximum(level - highest[begin:end], 0), np.maximum(lowest[begin:end] - level, 0)
        return int(over * above.sum() + under * below.sum())

    after = [NONE] * size + [0]
    for begin in range(size - k, -1, -1):
        ends = range(begin + k, size + 1)
        own = levels[levels >= order[begin]].tolist()
        after[begin] = min((after[end] + cost(begin, end, level) for end in ends for level in own), default=NONE)
    found = least_sums(order, highest, lowest, levels, k, over, under)
    for goal, value in zip(levels.tolist(), found.tolist(), strict=True):
        own = levels[(levels >= order[0]) & (levels >= goal)].tolist()
        assert value == min(after[end] + cost(0, end, level) for end in range(k, size + 1) for level in own)


def test_the_best_multiplier_is_found_from_whichever_is_tried_first() -> None:
    rng = np.random.default_rng(5)
    order = descending(rng.integers(0, 30, 40).tolist())
    keys = descending((order + rng.integers(0, 12, 40)).tolist())
    room = int((keys - order).sum()) // 4
    told = {goal: Unused(order, keys, keys, 6, 40).at(goal, room) for goal in range(int(order[0]), 41)}
    assert list(told.values()) == sorted(told.values())
    assert max(told.values()) > 0
    behind = Unused(order, keys, keys, 6, 40)
    for goal in (40, int(order[0]), 35, 33):
        assert behind.at(goal, room) == told[goal]
        assert behind.at(goal, NONE) == 0


def test_groups_may_end_above_all_that_is_asked_for() -> None:
    # those behind could be joined to so many that they leave fewest above the highest degree there is
    order, keys = np.array([5, 5, 4, 4, 4, 4]), np.array([12, 12, 11, 11, 11, 11])
    for goal in range(5, 8):
        values = {Unused(order, keys, keys, 2, most).at(goal, 3) for most in (7, 12, 40)}
        assert values == {0}


@pytest.mark.parametrize("seed", range(4))
def test_no_bound_exceeds_the_optimum_where_little_can_be_joined(seed: int) -> None:
    rng, tried = np.random.default_rng(seed), 0
    while tried < 60:
        n = int(rng.integers(5, 8))
        fitness = np.exp(rng.normal(0, 1.2, n))
        chance = np.outer(fitness, fitness)
        edges = np.argwhere(np.triu(rng.random((n, n)) < chance / np.quantile(chance, 0.7), 1))
        if n * (n - 1) // 2 - edges.shape[0] > 12 or edges.shape[0] < 4:
            continue
        tried += 1
        graph, k = SimpleGraph.from_edges(edges, n), int(rng.integers(2, n // 2 + 1))
        fewest, view = minimum_edges(graph, k), as_view(graph)
        assert top_set.top_set_bound(view, k, target=fewest + 3) <= fewest
        assert group_tree_bound(view, k, target=fewest + 3) <= fewest


def test_what_is_left_unused_raises_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    # hubs that are joined to nearly all: each of the others that ends low leaves partners that hubs need
    rng = np.random.default_rng(1)
    fitness = np.exp(rng.normal(0, 1.2, 50))
    chance = np.outer(fitness, fitness) * np.exp(rng.normal(0, 0.5, (50, 50)))
    edges = np.argwhere(np.triu(chance > np.quantile(chance, 0.5), 1))
    view = IgraphView.of(SimpleGraph.from_edges(edges, 50))
    assert top_set.top_set_bound(view, 12, target=178) == 161
    monkeypatch.setattr(Unused, "at", lambda self, goal, room: 0)
    assert top_set.top_set_bound(view, 12, target=178) == 155
