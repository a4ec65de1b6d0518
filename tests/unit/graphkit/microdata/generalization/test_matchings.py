"""Random disjoint matchings: together they are the graph, and each edge is drawn once in k."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.microdata.generalization.matchings import check_regular, drawn, extracted


def regular(n: int, k: int, seed: int) -> np.ndarray:
    """The identity and random matchings that share no edge with those before."""
    rng = np.random.default_rng(seed)
    taken = np.eye(n, dtype=bool)
    columns = [np.arange(n)]
    while len(columns) < k:
        # what is not taken is regular: some order of trying finds a matching in it
        found = matching_in(~taken, rng)
        taken[np.arange(n), found] = True
        columns.append(found)
    return np.stack(columns, axis=1)


def matching_in(allowed: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    from scipy.optimize import linear_sum_assignment

    return linear_sum_assignment(np.where(allowed, rng.random(allowed.shape), 1e6))[1]


graphs = st.integers(2, 9).flatmap(
    lambda n: st.builds(regular, st.just(n), st.integers(1, n), st.integers(0, 2**32 - 1))
)


@settings(deadline=None)
@given(graphs, st.integers(0, 2**32 - 1))
def test_every_edge_is_in_exactly_one_of_the_matchings(covered: np.ndarray, seed: int) -> None:
    n, k = covered.shape
    before = covered.copy()
    matchings = extracted(covered, np.random.default_rng(seed))
    assert matchings.shape == (k, n)
    for matching in matchings:
        assert sorted(matching.tolist()) == list(range(n))
    # so each of the k choices, equally likely, links a tuple to another of its records
    assert np.array_equal(np.sort(matchings.T, axis=1), np.sort(covered, axis=1))
    assert np.array_equal(covered, before)


@settings(deadline=None)
@given(graphs, st.integers(0, 2**32 - 1))
def test_the_drawn_matching_is_one_of_those_extracted(covered: np.ndarray, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matchings = extracted(covered, rng)
    choice = int(rng.integers(covered.shape[1]))
    assert np.array_equal(drawn(covered, np.random.default_rng(seed)), matchings[choice])


@pytest.mark.parametrize(("n", "k"), [(5, 2), (5, 3), (6, 4)])
def test_every_perfect_matching_of_a_small_graph_is_drawn_and_every_edge_once_in_k(n: int, k: int) -> None:
    covered = regular(n, k, seed=n)
    possible = {order for order in permutations(range(n)) if all(order[j] in covered[j].tolist() for j in range(n))}
    assert len(possible) > k - 1
    rng = np.random.default_rng(3)
    draws = np.array([drawn(covered, rng) for _ in range(3000)])
    assert {tuple(draw) for draw in draws.tolist()} == possible
    links = np.array([[np.mean(draws[:, j] == i) for i in covered[j]] for j in range(n)])
    # five standard deviations
    assert np.abs(links - 1 / k).max() < 5 * np.sqrt((1 - 1 / k) / k / 3000)


def test_same_seed_same_matchings() -> None:
    covered = regular(40, 5, seed=1)
    one, other = (extracted(covered, np.random.default_rng(7)) for _ in range(2))
    assert np.array_equal(one, other)
    assert not np.array_equal(one, extracted(covered, np.random.default_rng(8)))


@pytest.mark.parametrize(
    ("covered", "text"),
    [
        ([[0, 1], [1, 0], [2, 0]], "not regular"),
        ([[0, 1], [1, 3], [2, 0]], "not there"),
        ([[0, 0], [1, 1]], "twice"),
        ([0, 1], "table"),
        ([[], []], "table"),
    ],
)
def test_what_is_no_regular_graph_is_refused(covered: list[list[int]], text: str) -> None:
    with pytest.raises(InvalidInput, match=text):
        check_regular(np.array(covered))
