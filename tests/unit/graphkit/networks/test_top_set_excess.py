"""What the positions behind a border demand beyond what the highest ones can take."""

from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.networks.bounds._excess import Excess, excess_behind, least_goal
from graphkit.networks.bounds.top_set import top_set_bound
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView


def groupings(size: int, k: int) -> Iterator[tuple[int, ...]]:
    """Yield the ends of all groups of k or more."""
    for end in range(k, size + 1):
        if end == size:
            yield (end,)
        for rest in groupings(size - end, k):
            yield (end, *(end + one for one in rest))


def exceeded(degrees: np.ndarray, keys: np.ndarray, k: int, goal: int) -> int:
    """Return the least sum over all groups, degrees of these up to one more, and all orders of the keys."""
    best = 1 << 60
    for ends in groupings(degrees.size, k):
        for more in np.ndindex(*(2,) * len(ends)):
            after, begin = [], 0
            for end, one in zip(ends, more, strict=True):
                after += [(degrees[begin] if begin else max(goal, degrees[0])) + one] * (end - begin)
                begin = end
            for order in permutations(keys):
                best = min(best, int(np.maximum(np.array(after) - np.array(order[: degrees.size]), 0).sum()))
    return best


@given(
    degrees=st.lists(st.integers(0, 9), min_size=3, max_size=6),
    rises=st.lists(st.integers(0, 6), min_size=6, max_size=6),
    k=st.integers(1, 3),
    more=st.integers(0, 4),
    known=st.integers(1, 6),
)
@settings(max_examples=60, deadline=None)
def test_no_way_to_end_behind_a_border_exceeds_less(
    degrees: list[int], rises: list[int], k: int, more: int, known: int
) -> None:
    order = np.sort(np.array(degrees))[::-1].astype(np.int64)
    keys = np.sort(order + np.array(rises[: order.size]))[::-1]
    least = exceeded(order, keys, k, int(order[0]) + more)
    assert excess_behind(order, keys, k, is_cut=False).at(int(order[0]) + more) <= least
    # what is left out makes it no more
    cut = excess_behind(order[:known], keys, k, is_cut=True)
    assert cut.at(int(order[0]) + more) <= least


def test_the_least_goal_is_the_first_that_exceeds_so_much() -> None:
    behind = excess_behind(np.array([9, 7, 7, 3, 2, 2]), np.array([11, 9, 8, 5, 3, 3]), 2, is_cut=False)
    values = [behind.at(goal) for goal in range(9, 30)]
    assert values == sorted(values)
    for wanted in range(values[-1]):
        first = next(goal for goal, value in zip(range(9, 30), values, strict=True) if value >= wanted)
        assert least_goal(behind.at, wanted, 9, 29) == first
    assert least_goal(behind.at, values[-1] + 1, 9, 29) == 30


def test_what_others_cannot_give_the_highest_raises_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    # a few hubs far above all others, so that those who come next have to rise by more than there are hubs
    weights = (np.arange(150) + 3) ** -1.2
    ends = np.random.default_rng(2).choice(150, size=(300, 2), p=weights / weights.sum())
    view = IgraphView.of(SimpleGraph.from_edges(ends[ends[:, 0] != ends[:, 1]], 150))
    assert top_set_bound(view, 8, target=124) == 123
    monkeypatch.setattr(Excess, "at", lambda self, goal: 0)
    assert top_set_bound(view, 8, target=124) == 122
