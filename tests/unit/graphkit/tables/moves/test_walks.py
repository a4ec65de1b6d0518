"""Basic moves leave every released marginal as it is, and no count below zero."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.tables.moves import _block_moves, _local_search
from graphkit.tables.moves import walks as module
from graphkit.tables.moves.basic_moves import BasicMoves, minimal_nonfaces
from graphkit.tables.moves.walks import EFFORT, TableWalk
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.structure.hypergraph import Axes
from graphkit.tables.structure.released import ReleasedMarginals
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
def searches(draw: st.DrawFn) -> tuple[ContingencyTable, ReleasedMarginals, int, int]:
    """A table, its marginals, a cell and a goal."""
    table = draw(tables(most=12))
    released = ReleasedMarginals.of(table, draw(st.lists(st.sampled_from(all_sets(len(table.shape))), max_size=4)))
    return table, released, draw(st.integers(0, table.size - 1)), draw(st.integers(-1, table.total + 1))


def walk_of(shape: tuple[int, ...], released: Iterable[Axes], counts: np.ndarray) -> TableWalk:
    sets = tuple(released)
    return TableWalk(BasicMoves.of(shape, sets), sets, counts.reshape(-1))


def after_walk(
    walk: TableWalk, counts: np.ndarray, cell: int, goal: int, seed: int, effort: int = EFFORT
) -> np.ndarray:
    """Return the table that a walk ends at."""
    cells, changes = walk.towards(cell, goal, np.random.default_rng(seed), effort=effort)
    assert (np.diff(cells) > 0).all()
    assert (changes != 0).all()
    after = counts.reshape(-1).copy()
    after[cells] += changes
    return after


@given(searches(), st.integers(0, 2**32), st.sampled_from([1, 500, 100_000]))
@settings(deadline=None)
def test_a_walk_ends_at_a_table_with_the_same_marginals(
    question: tuple[ContingencyTable, ReleasedMarginals, int, int], seed: int, effort: int
) -> None:
    table, released, cell, goal = question
    before = table.dense().reshape(-1)
    kept = before.copy()
    walk = walk_of(table.shape, released.maximal, before)
    after = after_walk(walk, before, cell, goal, seed, effort)
    assert np.array_equal(before, kept)
    assert has_marginals(table.shape, released.marginals, released.total, after)
    assert abs(goal - after[cell]) <= abs(goal - before[cell])
    assert min(before[cell], goal) <= after[cell] <= max(before[cell], goal)
    # a walk leaves nothing behind: the next one begins at the same table, and with the same seed goes the same way
    work = walk.work
    assert np.array_equal(after, after_walk(walk, before, cell, goal, seed, effort))
    assert walk.work == 2 * work


@given(searches(), st.integers(1, 2**32), st.sampled_from([1, -1]), st.integers(-1, 12))
@settings(deadline=None)
def test_a_block_move_keeps_the_marginals(
    question: tuple[ContingencyTable, ReleasedMarginals, int, int], seed: int, sign: int, kept: int
) -> None:
    table, released, cell, _ = question
    before = table.dense().reshape(-1)
    walk = walk_of(table.shape, released.maximal, before)
    if not walk._occupied.sides or kept == cell:
        return
    offsets, state, work = np.zeros(3, np.int64), np.array([seed], np.uint64), np.zeros(1, np.int64)
    number = _block_moves.find_block_move(before, cell, sign, kept, walk._occupied, walk._near, offsets, state, work)
    after = before.copy()
    for corner in range(1 << abs(number) if number else 0):
        chosen = [i for i in range(abs(number)) if corner >> i & 1]
        after[cell + sum(int(offsets[i]) for i in chosen)] += sign * (-1) ** len(chosen)
    if number:
        assert after[cell] == before[cell] + sign
    if 0 <= kept < before.size:
        assert after[kept] == before[kept]
    if number > 0 and (sign > 0 or before[cell] > 0):
        assert (after >= 0).all()
    for axes in released.maximal:
        away = tuple(axis for axis in range(len(table.shape)) if axis not in axes)
        assert not (after - before).reshape(table.shape).sum(axis=away).any()


def test_in_a_sparse_table_records_near_a_cell_lead_where_random_subtables_do_not() -> None:
    # 400 records in 4096 cells: of four corners of a random subtable, hardly ever all have one
    rng = np.random.default_rng(3)
    counts = np.bincount(rng.integers(0, 8**4, 400), minlength=8**4)
    sets = tuple(combinations(range(4), 2))
    walk, reached = walk_of((8,) * 4, sets, counts), 0
    cells = np.flatnonzero(counts)[:60].tolist()
    for cell in cells:
        reached += int(after_walk(walk, counts, cell, 0, 1, 100_000)[cell] == 0)
    assert reached == len(cells)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_SIDES", 1)
        without = walk_of((8,) * 4, sets, counts)
    assert sum(int(after_walk(without, counts, cell, 0, 1, 100_000)[cell] == 0) for cell in cells) < reached


@given(st.integers(0, 2**32), st.integers(2, 5), st.integers(2, 5), st.integers(0, 24))
@settings(deadline=None)
def test_of_two_ways_the_moves_reach_the_sharp_bounds(seed: int, rows: int, columns: int, place: int) -> None:
    # single moves connect the tables with two given ways
    table = table_of(np.random.default_rng(seed).integers(0, 9, (rows, columns)))
    row, column = np.unravel_index(place % table.size, table.shape)
    dense = table.dense()
    walk = walk_of(table.shape, [(0,), (1,)], dense)
    most = min(dense.sum(axis=1)[row], dense.sum(axis=0)[column])
    least = max(0, dense.sum(axis=1)[row] + dense.sum(axis=0)[column] - table.total)
    for goal, expected in [(table.total, most), (0, least)]:
        after = after_walk(walk, dense, place % table.size, goal, seed)
        assert after[place % table.size] == expected


@given(searches(), st.integers(1, 2**32), st.sampled_from([1, -1]), st.integers(0, 4))
@settings(deadline=None)
def test_a_repair_that_fails_is_taken_back_exactly(
    question: tuple[ContingencyTable, ReleasedMarginals, int, int], seed: int, sign: int, limit: int
) -> None:
    table, released, cell, _ = question
    moves = BasicMoves.of(table.shape, released.maximal)
    if not moves.spans.size:
        return
    before = table.dense().reshape(-1)
    walk = walk_of(table.shape, released.maximal, before)
    walked, state = walk._walked, np.array([seed], np.uint64)
    worked = _local_search._step_with_repair(walked, walk._moves, cell, sign, state, limit)
    assert (walked.negative.where == -1).all()
    if worked > 0:
        assert has_marginals(table.shape, released.marginals, released.total, walked.table)
        assert (walked.table[cell] - before[cell]) * sign > 0
    else:
        assert np.array_equal(walked.table, before)


def test_repairs_find_what_no_single_move_leads_to() -> None:
    # every single move at the cell meets a zero, yet there are tables in which it is larger
    rng = np.random.default_rng(4)
    found = 0
    for _ in range(60):
        table = table_of(rng.integers(0, 2, (3, 3, 3)))
        released = ReleasedMarginals.of(table, combinations(range(3), 2))
        most = max(int(other.reshape(-1)[0]) for other in feasible_tables(released))
        walk = walk_of(table.shape, released.maximal, table.dense())
        found += int(after_walk(walk, table.dense(), 0, most, 1)[0] == most)
    assert found >= 55


@pytest.mark.parametrize("shape", [(1,), (1, 1), (3, 1)])
def test_where_there_is_nothing_to_move(shape: tuple[int, ...]) -> None:
    table = np.arange(prod(shape)) + 1
    moves = BasicMoves.of(shape, [(0,)])
    assert not moves.spans.size
    assert np.array_equal(after_walk(walk_of(shape, [(0,)], table), table, 0, 0, 1), table)


@pytest.mark.parametrize("big", [2**40, 2**51])
def test_large_counts(big: int) -> None:
    table = np.array([big, 3, 5, big])
    walk = walk_of((2, 2), [(0,), (1,)], table)
    up = after_walk(walk, table, 0, 2**53, 1)
    assert up.tolist() == [big + 3, 0, 2, big + 3]
    down = after_walk(walk, table, 0, 0, 1)
    assert down.tolist() == [0, big + 3, big + 5, 0]


def test_a_goal_far_away_does_not_take_forever() -> None:
    # where only repair helps, the cell comes nearer by one at a time
    counts = np.random.default_rng(9).integers(0, 5, (3, 2, 3)) * 2**46
    released = ReleasedMarginals.of(table_of(counts), combinations(range(3), 2))
    walk = walk_of((3, 2, 3), released.sets, counts)
    for cell in range(18):
        for goal in (0, 2**52):
            after = after_walk(walk, counts, cell, goal, cell)
            assert has_marginals((3, 2, 3), released.marginals, released.total, after)
