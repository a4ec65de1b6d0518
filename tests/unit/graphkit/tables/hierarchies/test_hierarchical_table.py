"""Marginals with merged categories as plain ones of a nested table: bounds, witnesses and draws against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.hierarchies.grouping import grouping_of, is_coarser
from graphkit.hierarchies.variable import Variable
from graphkit.tables.hierarchies.hierarchical_table import HierarchicalTable
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.sharp_bounds.cell_bounds import bounds
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.structure.released import ReleasedMarginals
from tests.support.recoded_tables import feasible_recoded, recoded_cases
from tests.support.small_tables import feasible_tables, table_of

Case = tuple[ContingencyTable, list[RecodedMarginal]]


@settings(deadline=None, max_examples=200)
@given(recoded_cases())
def test_bounds_are_those_of_all_tables(case: Case) -> None:
    table, marginals = case
    possible = np.array([found.reshape(-1) for found in feasible_recoded(table, marginals)])
    found = bounds(table, marginals, witnesses=True)
    assert found.sharp
    assert found.lower.tolist() == possible.min(axis=0).tolist()
    assert found.upper.tolist() == possible.max(axis=0).tolist()
    assert bounds(table, marginals).lower.tolist() == found.lower.tolist()
    known = {tuple(one) for one in possible.tolist()}
    for (cell, side), witness in found.witnesses.items():
        assert tuple(witness.tolist()) in known
        assert witness[cell] == (found.lower if side == "lower" else found.upper)[cell]
    assert len(found.witnesses) == 2 * table.size


@settings(deadline=None, max_examples=200)
@given(recoded_cases())
def test_tables_correspond(case: Case) -> None:
    table, marginals = case
    hierarchical = HierarchicalTable.of(table, marginals)
    assert hierarchical.table.total == table.total
    possible = [found.reshape(-1) for found in feasible_recoded(table, marginals)]
    there = {
        tuple(found.reshape(-1))
        for found in feasible_tables(ReleasedMarginals.of(hierarchical.table, hierarchical.sets))
    }
    cells = hierarchical.cells(np.arange(table.size))
    here = set()
    for counts in possible:
        whole = np.zeros(hierarchical.table.size, dtype=np.int64)
        np.add.at(whole, cells, counts)
        here.add(tuple(whole))
    assert here == there
    if hierarchical.is_one_to_one:
        assert len(possible) == len(there)


@settings(deadline=None, max_examples=100)
@given(recoded_cases(), st.integers(0, 2**32))
def test_what_is_drawn_has_the_marginals(case: Case, seed: int) -> None:
    table, marginals = case
    hierarchical = HierarchicalTable.of(table, marginals)
    drawn = hierarchical.drawn(hierarchical.table, table, np.random.default_rng(seed))
    for marginal in marginals:
        assert marginal.counts(drawn).dense().tolist() == marginal.counts(table).dense().tolist()


def test_people_fall_into_merged_categories_alike() -> None:
    table = table_of(np.array([[30_000, 0, 0, 5], [0, 0, 20_000, 5]]))
    merged = RecodedMarginal.of(table, {"B": [("a", "b", "c")]}, ["B"])
    hierarchical = HierarchicalTable.of(table, [merged, (0,)])
    drawn = hierarchical.drawn(hierarchical.table, table, np.random.default_rng(5)).dense()
    assert drawn[:, 3].tolist() == [5, 5]
    assert np.abs(drawn[0, :3] - 10_000).max() < 500
    assert np.abs(drawn[1, :3] - 6_667).max() < 500


def test_a_plain_table_stays_as_it_is() -> None:
    table = table_of(np.array([[1, 2], [3, 4]]))
    hierarchical = HierarchicalTable.of(table, [(0,), RecodedMarginal.plain(table, (1,)), (0, 1)])
    assert hierarchical.table is table
    assert hierarchical.sets == ((0, 1),)
    assert hierarchical.drawn(table, table, np.random.default_rng(1)).dense().tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("merged", "names", "message"),
    [
        ({"B": [("a", "x")]}, "AB", "variable 'B' has no category 'x'"),
        ({"B": [("a", "b"), ("b", "c")]}, "AB", "category 'b' of 'B' is merged twice"),
        ({"B": [("a", "b", "c")]}, "AB", "all categories of 'B' are merged into one; leave the variable out"),
        ({"B": [("a", "b")]}, "A", "the marginal is not by 'B'"),
        ({"X": [("a", "b")]}, "AB", "the marginal is not by 'X'"),
        ({}, "AX", "no variable 'X'"),
    ],
)
def test_what_cannot_be_merged(merged: dict[str, list[tuple[str, ...]]], names: str, message: str) -> None:
    table = table_of(np.array([[1, 2, 3], [4, 5, 6]]))
    with pytest.raises(InvalidInput, match=message):
        RecodedMarginal.of(table, merged, names)


def test_names_of_merged_categories_may_not_meet_others() -> None:
    variable = Variable("a", ("x", "y", "x + y"))
    table = ContingencyTable.from_dense([1, 2, 3], (variable,))
    merged = RecodedMarginal.of(table, {"a": [("x", "y")]}, ["a"])
    with pytest.raises(InvalidInput, match="the name of another category"):
        merged.counts(table)


def test_a_marginal_of_another_table_is_refused() -> None:
    table = table_of(np.array([[1, 2, 3], [4, 5, 6]]))
    with pytest.raises(InvalidInput, match="another shape"):
        bounds(table, [RecodedMarginal((0, 2), ((0, 1), (0, 0)))])
    with pytest.raises(InvalidInput, match="in order"):
        RecodedMarginal((1, 0), ((0, 1), (0, 1)))
    with pytest.raises(InvalidInput, match="numbered from 0"):
        RecodedMarginal((0,), ((1, 0),))


@given(st.lists(st.sampled_from("abcd"), max_size=4, unique=True))
def test_merging_makes_coarser(together: list[str]) -> None:
    variable = Variable("v", tuple("abcd"))
    grouping = grouping_of(variable, [together])
    assert is_coarser(grouping, (0, 1, 2, 3))
    assert max(grouping) + 1 == 4 - max(len(together) - 1, 0)
