"""Tables with given marginals are counted as far as the budget goes; what is too large is known beforehand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.tables.propagation.merged_cells import MergedCells
from graphkit.tables.propagation.shuttle import shuttle
from graphkit.tables.search.counting import cells_to_search, count_tables
from graphkit.tables.search.exhaustive import feasible_tables
from graphkit.tables.structure.released import ReleasedMarginals
from tests.support.small_tables import autoworkers, released_marginals
from tests.support.small_tables import feasible_tables as all_tables


@given(released_marginals(), st.integers(1, 8))
@settings(deadline=None)
def test_so_many_or_at_least_so_many(released: ReleasedMarginals, most: int) -> None:
    true = len(list(all_tables(released)))
    found = count_tables(released, most=most)
    assert found is not None
    assert found.count == true if found.complete else most <= found.count <= true


def test_without_time_there_are_at_least_so_many() -> None:
    released = ReleasedMarginals.of(autoworkers(), [])
    ticks = iter(range(1000))
    found = count_tables(released, most=10**9, budget=Budget(lambda: float(next(ticks)), 0.5))
    assert found is not None
    assert not found.complete
    assert found.count > 0


@pytest.mark.parametrize("shape", [(2,) * 10, (2,) * 11, (13,), (12,), (10, 10), (5, 4, 3, 2)])
def test_what_is_too_large_for_a_search_is_known_beforehand(shape: tuple[int, ...]) -> None:
    merged = MergedCells.of_shape(shape)
    released = ReleasedMarginals(shape, {}, 0)
    assert merged is not None
    found = feasible_tables(released, shuttle(merged, released.marginals, 0))
    assert (cells_to_search(shape) is None) == (found is None)
