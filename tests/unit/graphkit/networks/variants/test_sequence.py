"""The cheapest degrees of a class: against every assignment of targets, and with and without windows."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.networks.variants import sequence
from graphkit.networks.variants.sequence import cheapest_levels

DEGREES = st.lists(st.integers(0, 5), max_size=5)
BOUND = st.none() | st.integers(0, 4)


def cost(after: np.ndarray, before: np.ndarray, knee: int | None) -> int:
    beyond = 0 if knee is None else int(np.maximum(after - before - knee, 0).sum())
    return int(np.abs(after - before).sum()) + beyond


def is_valid(after: np.ndarray, before: np.ndarray, fixed: list[int], k: int, bound: int | None, lower: bool) -> bool:
    _, sizes = np.unique(np.concatenate((after, np.array(fixed, dtype=int))), return_counts=True)
    return (
        bool((sizes >= k).all())
        and (lower or bool((after >= before).all()))
        and (bound is None or bool((after - before <= bound).all()))
    )


def least_cost(
    before: np.ndarray, fixed: list[int], top: int, k: int, bound: int | None, lower: bool, knee: int | None
) -> int | None:
    """Return the least cost of all targets up to `top`, tried all together; None where none is valid."""
    every = np.array(list(product(range(top + 1), repeat=before.size)), dtype=np.int64)
    often = (every[:, :, None] == np.arange(top + 1)).sum(axis=1) + np.bincount(fixed, minlength=top + 1)
    more = every - before
    valid = ((often == 0) | (often >= k)).all(axis=1) & (lower | (more >= 0).all(axis=1))
    if bound is not None:
        valid &= (more <= bound).all(axis=1)
    costs = np.abs(more).sum(axis=1) + (0 if knee is None else np.maximum(more - knee, 0).sum(axis=1))
    return int(costs[valid].min()) if valid.any() else None


@given(movable=DEGREES, fixed=DEGREES, k=st.integers(1, 4), bound=BOUND, lower=st.booleans(), knee=BOUND)
@settings(max_examples=150, deadline=None)
def test_nothing_is_cheaper(
    movable: list[int], fixed: list[int], k: int, bound: int | None, lower: bool, knee: int | None
) -> None:
    before = np.array(sorted(movable, reverse=True), dtype=np.int64)
    found = cheapest_levels(before, np.array(fixed, dtype=np.int64), k, max_increase=bound, lowering=lower, knee=knee)
    top = max([*movable, *fixed, 0]) + (2 if lower else 0)
    least = least_cost(before, fixed, top, k, bound, lower, knee)
    if found is None:
        assert least is None
    else:
        assert is_valid(found, before, fixed, k, bound, lower)
        assert cost(found, before, knee) == least


@pytest.mark.parametrize("seed", range(150))
def test_windows_lose_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    top = int(rng.integers(3, 30))
    movable = np.minimum(rng.geometric(rng.uniform(0.05, 0.5), int(rng.integers(10, 80))), top)
    movable = np.sort(movable)[::-1].astype(np.int64)
    fixed = rng.integers(0, top, int(rng.integers(0, 6)))
    k = int(rng.integers(1, 4))
    bound = None if rng.random() < 0.4 else int(rng.integers(0, 6))
    knee = None if rng.random() < 0.5 else int(rng.integers(0, 6))
    lower = bool(rng.integers(2))
    windowed = cheapest_levels(movable, fixed, k, max_increase=bound, lowering=lower, knee=knee)
    narrow = sequence._Table.__init__

    def wide(self: sequence._Table, degrees: np.ndarray, k: int, width: int, *others: object) -> None:
        narrow(self, degrees, k, 10**6, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(sequence._Table, "__init__", wide)
    whole = cheapest_levels(movable, fixed, k, max_increase=bound, lowering=lower, knee=knee)
    assert (windowed is None) == (whole is None)
    if windowed is not None and whole is not None:
        assert cost(windowed, movable, knee) == cost(whole, movable, knee)


def test_without_vertices_there_is_nothing_to_do() -> None:
    empty = np.empty(0, dtype=np.int64)
    found = cheapest_levels(empty, empty, 2)
    assert found is not None
    assert found.size == 0


def test_fixed_vertices_alone_are_anonymous_or_not() -> None:
    empty = np.empty(0, dtype=np.int64)
    assert cheapest_levels(empty, np.array([3, 3]), 2) is not None
    assert cheapest_levels(empty, np.array([3, 2]), 2) is None
