"""Classes of values: counted right, with borders that tell nothing of the original."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.microdata.utility import histogram

values = st.lists(st.integers(-50, 50) | st.floats(-1e9, 1e9), min_size=1, max_size=40)


@settings(deadline=None)
@given(values, values)
def test_every_value_is_in_the_class_of_its_borders(before: list[float], after: list[float]) -> None:
    found = histogram("age", np.array(before, dtype=float), np.array(after, dtype=float))
    ends = [-np.inf, *found.borders, np.inf]
    for held, counted in ((before, found.before), (after, found.after)):
        assert list(counted) == [sum(low <= value < high for value in held) for low, high in pairwise(ends)]
        assert sum(counted) == len(held)
    assert list(found.borders) == sorted(set(found.borders))
    assert len(found.borders) <= 40


@settings(deadline=None)
@given(values, values, values)
def test_borders_come_from_the_published_values_alone(one: list[float], other: list[float], after: list[float]) -> None:
    published = np.array(after, dtype=float)
    first = histogram("age", np.array(one, dtype=float), published)
    assert first.borders == histogram("age", np.array(other, dtype=float), published).borders


def test_borders_are_round() -> None:
    draw = np.random.default_rng(0).normal(50_000, 10_000, 1000)
    assert all(border % 1000 == 0 for border in histogram("income", draw, draw).borders)


def test_few_large_values_do_not_push_all_others_into_one_class() -> None:
    wages = np.concatenate([np.linspace(1000, 2000, 98), [1e9, 1e9]])
    assert max(histogram("wage", wages, wages).before) < 20
