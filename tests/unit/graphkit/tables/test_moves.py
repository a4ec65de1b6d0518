"""Basic moves leave every released marginal as it is, and no count below zero."""

from __future__ import annotations

from itertools import combinations
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.tables import _climb
from graphkit.tables.contingency import ContingencyTable
from graphkit.tables.moves import BasicMoves, minimal_nonfaces
from graphkit.tables.released import ReleasedMarginals
from graphkit.tables.verify import has_marginals
from tests.support.small_tables import all_sets, feasible_tables, table_of, tables


@given(st.integers(1, 5), st.data())
@settings(deadline=None)
def test_minimal_sets_outside_the_released_ones(variables: int, data: st.DataObject) -> None:
    sets = data.draw(st.lists(st.sampled_from(all_sets(variables)), max_size=6))
    outside = [set(axes) for axes in all_sets(variables) if not any(set(axes) <= set(out) for out in sets)]
    expected = {tuple(sorted(axes)) for axes in outside if not any(other < axes for other in outside)}
    found = minimal_nonfaces(sets, variables)
    assert len(found) == len(expected)
    assert set(found) == expected


@st.composite
def climbs(draw: st.DrawFn) -> tuple[ContingencyTable, ReleasedMarginals, int, int]:
    """A table, its marginals, a cell and a goal."""
    table = draw(tables(most=12))
    released = ReleasedMarginals.of(table, draw(st.lists(st.sampled_from(all_sets(len(table.shape))), max_size=4)))
    return table, released, draw(st.integers(0, table.size - 1)), draw(st.integers(-1, table.total + 1))


@given(climbs(), st.integers(0, 2**32), st.integers(1, 3))
@settings(deadline=None)
def test_a_climb_ends_at_a_table_with_the_same_marginals(
    question: tuple[ContingencyTable, ReleasedMarginals, int, int], seed: int, repairs: int
) -> None:
    table, released, cell, goal = question
    before = table.dense().reshape(-1)
    moves = BasicMoves.of(table.shape, released.maximal)
    kept = before.copy()
    after = moves.climb(before, cell, goal, np.random.default_rng(seed), repairs=repairs)
    assert np.array_equal(before, kept)
    assert has_marginals(table.shape, released.marginals, released.total, after)
    assert abs(goal - after[cell]) <= abs(goal - before[cell])
    assert min(before[cell], goal) <= after[cell] <= max(before[cell], goal)
    again = moves.climb(before, cell, goal, np.random.default_rng(seed), repairs=repairs)
    assert np.array_equal(after, again)


@given(st.integers(0, 2**32), st.integers(2, 5), st.integers(2, 5), st.integers(0, 24))
@settings(deadline=None)
def test_of_two_ways_the_moves_reach_the_sharp_bounds(seed: int, rows: int, columns: int, place: int) -> None:
    # single moves connect the tables with two given ways
    table = table_of(np.random.default_rng(seed).integers(0, 9, (rows, columns)))
    row, column = np.unravel_index(place % table.size, table.shape)
    dense = table.dense()
    moves = BasicMoves.of(table.shape, [(0,), (1,)])
    most = min(dense.sum(axis=1)[row], dense.sum(axis=0)[column])
    least = max(0, dense.sum(axis=1)[row] + dense.sum(axis=0)[column] - table.total)
    for goal, expected in [(table.total, most), (0, least)]:
        rng = np.random.default_rng(seed)
        after = moves.climb(dense.reshape(-1), place % table.size, goal, rng, repairs=5)
        assert after[place % table.size] == expected


@given(climbs(), st.integers(1, 2**32), st.sampled_from([1, -1]), st.integers(0, 4))
@settings(deadline=None)
def test_a_repair_that_fails_is_taken_back_exactly(
    question: tuple[ContingencyTable, ReleasedMarginals, int, int], seed: int, sign: int, limit: int
) -> None:
    table, released, cell, _ = question
    moves = BasicMoves.of(table.shape, released.maximal)
    if not moves.spans.size:
        return
    shape = np.array(table.shape)
    strides = np.array([prod(table.shape[axis + 1 :]) for axis in range(shape.size)])
    choices = np.array([prod(table.shape[axis] - 1 for axis in span if axis >= 0) for span in moves.spans])
    boxes = _climb._Boxes(shape, strides, moves.spans, choices)
    before = table.dense().reshape(-1)
    after = before.copy()
    negative, where = np.empty(table.size, np.int64), np.full(table.size, -1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_climb, "_REPAIR_STEPS", limit)
        state = np.array([seed], np.uint64)
        worked = _climb._step_with_repair.py_func(after, boxes, cell, sign, state, negative, where)
    assert (where == -1).all()
    if worked > 0:
        assert has_marginals(table.shape, released.marginals, released.total, after)
        assert (after[cell] - before[cell]) * sign > 0
    else:
        assert np.array_equal(after, before)


def test_repairs_find_what_no_single_move_leads_to() -> None:
    # every single move at the cell meets a zero, yet there are tables in which it is larger
    rng = np.random.default_rng(4)
    found = 0
    for _ in range(60):
        table = table_of(rng.integers(0, 2, (3, 3, 3)))
        released = ReleasedMarginals.of(table, combinations(range(3), 2))
        most = max(int(other.reshape(-1)[0]) for other in feasible_tables(released))
        moves = BasicMoves.of(table.shape, released.maximal)
        after = moves.climb(table.dense().reshape(-1), 0, most, rng, repairs=3)
        found += after[0] == most
    assert found >= 55


@pytest.mark.parametrize("shape", [(1,), (1, 1), (3, 1)])
def test_where_there_is_nothing_to_move(shape: tuple[int, ...]) -> None:
    table = np.arange(prod(shape)) + 1
    moves = BasicMoves.of(shape, [(0,)])
    assert not moves.spans.size
    assert np.array_equal(moves.climb(table, 0, 0, np.random.default_rng(1)), table)


@pytest.mark.parametrize("big", [2**40, 2**51])
def test_large_counts(big: int) -> None:
    table = np.array([big, 3, 5, big])
    moves = BasicMoves.of((2, 2), [(0,), (1,)])
    up = moves.climb(table, 0, 2**53, np.random.default_rng(1))
    assert up.tolist() == [big + 3, 0, 2, big + 3]
    down = moves.climb(table, 0, 0, np.random.default_rng(1))
    assert down.tolist() == [0, big + 3, big + 5, 0]


def test_a_goal_far_away_does_not_take_forever() -> None:
    # where only mending helps, the cell comes nearer by one at a time
    counts = np.random.default_rng(9).integers(0, 5, (3, 2, 3)) * 2**46
    released = ReleasedMarginals.of(table_of(counts), combinations(range(3), 2))
    moves = BasicMoves.of((3, 2, 3), released.sets)
    for cell in range(18):
        for goal in (0, 2**52):
            after = moves.climb(counts.reshape(-1), cell, goal, np.random.default_rng(cell))
            assert has_marginals((3, 2, 3), released.marginals, released.total, after)
