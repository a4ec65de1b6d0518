"""A time limit alone is enough at the front doors; no engine reads a clock."""

from __future__ import annotations

import inspect
import pickle
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import graphkit.networks
import graphkit.tables
from graphkit.machine import fresh_permutation, with_clock
from graphkit.tables import ContingencyTable, Variable

EDGES = [(0, 1), (1, 2), (3, 4)]
YES_NO = ("no", "yes")
TABLE = ContingencyTable.from_dense([[[1, 6], [7, 8]], [[9, 10], [5, 1]]], [Variable(name, YES_NO) for name in "ABC"])

CALLS: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = [
    (graphkit.networks.anonymize, (EDGES, 2), {}),
    (graphkit.networks.anonymize_under, (EDGES, 2), {}),
    (graphkit.networks.release, (EDGES, 2), {}),
    (graphkit.tables.decide, (TABLE, ["AB", "AC"], "BC"), {}),
    (graphkit.tables.bounds, (TABLE, ["AB", "AC"]), {}),
    (graphkit.tables.find_frontier, (TABLE, ["AB"]), {}),
    (graphkit.tables.simulate, (TABLE, ["AB"]), {"seed": 1}),
]


@pytest.mark.parametrize(("door", "given", "options"), CALLS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_time_limit_needs_no_clock(door: Callable[..., Any], given: tuple[Any, ...], options: dict[str, Any]) -> None:
    door(*given, **options, time_limit=5)


def test_every_door_with_a_time_limit_is_tried() -> None:
    tried = {door for door, _, _ in CALLS}
    for package in (graphkit.networks, graphkit.tables):
        for name in package.__all__:
            offered = getattr(package, name)
            if inspect.isfunction(offered) and "time_limit" in inspect.signature(offered).parameters:
                assert offered in tried, name


def test_a_clock_is_bound_only_where_a_limit_needs_one() -> None:
    seen: list[dict[str, Any]] = []

    def engine(**options: Any) -> None:
        seen.append(options)

    door = with_clock(engine, __name__)
    door()
    door(time_limit=None)
    door(time_limit=5)
    door(decision_limit=5)
    door(time_limit=5, clock=len)
    assert [options.get("clock") for options in seen] == [None, None, time.monotonic, time.monotonic, len]


def test_a_door_is_one_function_that_pickle_finds() -> None:
    door = graphkit.networks.anonymize
    assert graphkit.networks.anonymize is door
    assert pickle.loads(pickle.dumps(door)) is door
    assert "time_limit" in inspect.signature(door).parameters
    assert "no `clock` is needed" in str(door.__doc__)


def test_permutations_are_fresh_and_uniform() -> None:
    assert fresh_permutation(0).tolist() == []
    assert sorted(fresh_permutation(100).tolist()) == list(range(100))
    assert not np.array_equal(fresh_permutation(100), fresh_permutation(100))
    counts = np.zeros((4, 4))
    for _ in range(4000):
        counts[np.arange(4), fresh_permutation(4)] += 1
    # 1 000 each are expected, with a standard deviation of 27
    assert np.abs(counts - 1000).max() < 200
