"""Bounds of cells against all tables that have the marginals."""

from __future__ import annotations

from itertools import combinations, count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.tables.programs.consistency import conflicting_marginals, consistency_of
from graphkit.tables.propagation.outer_bounds import outer_bounds
from graphkit.tables.sharp_bounds.cell_bounds import bounds
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.structure.released import ReleasedMarginals
from graphkit.tables.verify import has_marginals
from tests.support.small_tables import (
    all_sets,
    autoworkers,
    brute_force_bounds,
    feasible_tables,
    table_of,
    tables,
)


@st.composite
def released_tables(draw: st.DrawFn) -> tuple[ContingencyTable, list[tuple[int, ...]]]:
    table = draw(tables(most=7))
    return table, draw(st.lists(st.sampled_from(all_sets(len(table.shape))), max_size=5))


@settings(deadline=None)
@given(released_tables())
def test_bounds_are_sharp(case: tuple[ContingencyTable, list[tuple[int, ...]]]) -> None:
    table, sets = case
    least, most = brute_force_bounds(ReleasedMarginals.of(table, sets))
    found = bounds(table, sets)
    assert found.sharp
    assert np.array_equal(found.lower, least.reshape(-1))
    assert np.array_equal(found.upper, most.reshape(-1))


@settings(deadline=None)
@given(released_tables())
def test_outer_bounds_hold(case: tuple[ContingencyTable, list[tuple[int, ...]]]) -> None:
    table, sets = case
    released = ReleasedMarginals.of(table, sets)
    least, most = (side.reshape(-1) for side in brute_force_bounds(released))
    found = bounds(table, sets, exact=False)
    assert (found.lower <= least).all()
    assert (found.upper >= most).all()
    if found.sharp:
        assert np.array_equal(found.lower, least)
        assert np.array_equal(found.upper, most)


@settings(deadline=None, max_examples=40)
@given(released_tables())
def test_a_witness_attains_its_bound(case: tuple[ContingencyTable, list[tuple[int, ...]]]) -> None:
    table, sets = case
    released = ReleasedMarginals.of(table, sets)
    found = bounds(table, sets, witnesses=True)
    for place, cell in enumerate(found.cells.tolist()):
        for side, value in (("lower", found.lower[place]), ("upper", found.upper[place])):
            witness = found.witnesses[cell, side]  # type: ignore[index]
            assert witness[cell] == value
            assert has_marginals(released.shape, released.marginals, released.total, witness)


@settings(deadline=None)
@given(released_tables(), st.data())
def test_cells_may_be_chosen(case: tuple[ContingencyTable, list[tuple[int, ...]]], data: st.DataObject) -> None:
    table, sets = case
    cells = np.array(data.draw(st.lists(st.integers(0, table.size - 1), max_size=3)), dtype=np.int64)
    every, some = bounds(table, sets), bounds(table, sets, cells=cells)
    assert np.array_equal(some.lower, every.lower[cells])
    assert np.array_equal(some.upper, every.upper[cells])
    assert len(some.status) == cells.size


@settings(deadline=None)
@given(released_tables())
def test_marginals_alone_give_the_same(case: tuple[ContingencyTable, list[tuple[int, ...]]]) -> None:
    table, sets = case
    own, alone = bounds(table, sets), bounds(table, ReleasedMarginals.of(table, sets))
    assert np.array_equal(own.lower, alone.lower)
    assert np.array_equal(own.upper, alone.upper)
    assert alone.sharp


def test_time_that_is_up_is_said() -> None:
    found = bounds(autoworkers(), list(combinations("ABCDEF", 2)), time_limit=1.0, clock=count(0.0, 10.0).__next__)
    assert set(found.status) == {"timeout"}
    assert (found.lower <= autoworkers().dense().reshape(-1)).all()


def test_bad_input_is_refused() -> None:
    table = autoworkers()
    with pytest.raises(InvalidInput, match="no variable 'G'"):
        bounds(table, [["G"]])
    with pytest.raises(InvalidInput, match="not in the table"):
        bounds(table, [["A"]], cells=np.array([64]))
    with pytest.raises(InvalidInput, match="a clock"):
        bounds(table, [["A"]], time_limit=1.0)
    with pytest.raises(InvalidInput, match="another shape"):
        bounds(table, ReleasedMarginals((2, 2), {}, 5))


@st.composite
def any_marginals(draw: st.DrawFn) -> ReleasedMarginals:
    """Marginals of one total, not all of one table."""
    first = draw(tables(most=4))
    sets = draw(st.lists(st.sampled_from(all_sets(len(first.shape))), min_size=1, max_size=4, unique=True))
    marginals = {}
    for axes in sets:
        people = draw(st.lists(st.integers(0, first.size - 1), min_size=first.total, max_size=first.total))
        other = table_of(np.bincount(np.array(people, dtype=np.int64), minlength=first.size).reshape(first.shape))
        marginals[axes] = other.marginal(axes).dense()
    return ReleasedMarginals(first.shape, marginals, first.total)


@settings(deadline=None)
@given(any_marginals())
def test_a_conflict_is_found_and_irreducible(released: ReleasedMarginals) -> None:
    exists = next(feasible_tables(released), None) is not None
    assert consistency_of(released).exists is exists
    conflict = conflicting_marginals(released)
    assert (conflict is None) is exists
    if conflict is None:
        return
    for left_out in (None, *conflict):
        part = {axes: released.marginals[axes] for axes in conflict if axes != left_out}
        found = next(feasible_tables(ReleasedMarginals(released.shape, part, released.total)), None)
        assert (found is None) is (left_out is None)


@settings(deadline=None)
@given(any_marginals())
def test_conflicting_marginals_are_reported(released: ReleasedMarginals) -> None:
    if next(feasible_tables(released), None) is None:
        assert bounds(table_of(np.zeros(released.shape, dtype=np.int64)), released).inconsistent
    else:
        assert not outer_bounds(released).inconsistent
