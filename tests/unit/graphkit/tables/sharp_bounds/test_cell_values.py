"""The counts that a cell can have, against all tables that have the marginals."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.tables.sharp_bounds import table_prover
from graphkit.tables.sharp_bounds.cell_values import CellValues, Interval, combined, number_of
from graphkit.tables.sharp_bounds.prover import CellProver
from graphkit.tables.sharp_bounds.table_prover import TableProver
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.structure.released import ReleasedMarginals
from tests.support.merged_tables import agreeing_marginals
from tests.support.small_tables import all_sets, feasible_tables, released_marginals, table_of, tables

# three tables have all its marginals by two variables: the last cell of the first half is 1 or 3, and never 2
WITH_A_GAP = np.array([1, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 1, 0, 1, 1, 0]).reshape(2, 2, 2, 2)
PAIRS = [(a, b) for b in range(4) for a in range(b)]
# where it begins, and how many more follow
INTERVALS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2)), max_size=3)


def counts_in(intervals: list[Interval]) -> set[int]:
    return {count for low, high in intervals for count in range(low, high + 1)}


def values_of(released: ReleasedMarginals, cell: int, nodes: int) -> CellValues:
    size = prod(released.shape)
    limits = np.zeros(size, dtype=np.int64), np.full(size, released.total)
    table = next(iter(feasible_tables(released)), None)
    start = None if table is None else table.reshape(-1)
    return CellValues(CellProver(released, *limits, np.random.default_rng(1), table=start, nodes=nodes), cell)


@given(released_marginals() | agreeing_marginals(), st.data())
@settings(deadline=None)
def test_all_counts_are_found_and_no_others(released: ReleasedMarginals, data: st.DataObject) -> None:
    cell = data.draw(st.integers(0, prod(released.shape) - 1))
    true = {int(table.reshape(-1)[cell]) for table in feasible_tables(released)}
    values = values_of(released, cell, data.draw(st.sampled_from([1, 2000])))
    for sharply in (False, True):
        while values.learn(Budget(), sharply=sharply):
            assert counts_in(values.attained) <= true <= counts_in(values.possible)
    # nobody gives up where tables are as small as these
    assert counts_in(values.attained) == true == counts_in(values.possible)


@given(tables(most=6), st.data(), st.booleans())
@settings(deadline=None, max_examples=200)
def test_counts_of_whole_tables(table: ContingencyTable, data: st.DataObject, by_programs: bool) -> None:
    sets = data.draw(st.lists(st.sampled_from(all_sets(len(table.shape))), max_size=4))
    released = ReleasedMarginals.of(table, sets)
    possible = np.array([found.reshape(-1) for found in feasible_tables(released)])
    cells = np.arange(table.size)
    with pytest.MonkeyPatch.context() as patch:
        if by_programs:
            patch.setattr(table_prover, "_WALKS", 0)
        prover = TableProver(table, released, cells, np.random.default_rng(2), Budget())
        for cell in data.draw(st.lists(st.sampled_from(cells.tolist()), max_size=4)):
            enough, true = data.draw(st.integers(1, 5)), np.unique(possible[:, cell]).size
            least, most = prover.count_values(cell, enough, Budget())
            assert least <= true <= most
            assert least >= enough if true >= enough else most < enough
            assert prover.count_values(cell, 10**9, Budget()) == (true, true)


def test_a_gap_is_seen() -> None:
    table = table_of(WITH_A_GAP)
    prover = TableProver(table, ReleasedMarginals.of(table, PAIRS), np.arange(16), np.random.default_rng(3), Budget())
    assert prover.count_values(7, 3, Budget()) == (2, 2)
    assert prover.count_values(7, 2, Budget())[0] == 2


def test_cells_of_which_part_is_hidden_can_have_any_count_up_to_the_most() -> None:
    table = table_of(WITH_A_GAP)
    free = np.ones(16, dtype=np.bool_)
    released = ReleasedMarginals.of(table, PAIRS)
    prover = TableProver(table, released, np.arange(16), np.random.default_rng(3), Budget(), free)
    assert prover.count_values(7, 4, Budget()) == (4, 4)


def test_without_time_nothing_is_claimed() -> None:
    table = table_of(WITH_A_GAP * 50)
    prover = TableProver(table, ReleasedMarginals.of(table, PAIRS), np.arange(16), np.random.default_rng(3), Budget())
    ticks = iter(range(1000))
    least, most = prover.count_values(0, 30, Budget(lambda: float(next(ticks)), 0.5))
    assert least == 1
    assert most >= 30


@given(INTERVALS, st.data())
def test_combined_counts_are_those_of_every_pair(drawn: list[tuple[int, int]], data: st.DataObject) -> None:
    one = [(low, low + more) for low, more in drawn]
    other = [(low, low + more) for low, more in data.draw(INTERVALS)]
    shared = data.draw(st.integers(max((high for _, high in one + other), default=0), 9))
    expected = {
        count
        for x in counts_in(one)
        for y in counts_in(other)
        for count in range(max(0, x + y - shared), min(x, y) + 1)
    }
    assert counts_in(combined(one, other, shared)) == expected
    assert number_of(combined(one, other, shared)) == len(expected)
