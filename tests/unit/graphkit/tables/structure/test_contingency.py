"""Contingency tables: sums over variables, and what is no table."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from graphkit.errors import InvalidInput
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable
from tests.support.small_tables import table_of, tables

YES_NO = (Variable("a", ("no", "yes")), Variable("b", ("no", "yes")))


@given(tables())
def test_marginals_are_sums(table: ContingencyTable) -> None:
    k = len(table.shape)
    for size in range(1, k + 1):
        for axes in combinations(range(k), size):
            away = tuple(axis for axis in range(k) if axis not in axes)
            found = table.marginal(axes)
            assert np.array_equal(found.dense(), table.dense().sum(axis=away))
            assert found.total == table.total
            assert found.names == tuple(table.names[axis] for axis in axes)
            # in whatever order they are asked for
            assert np.array_equal(table.marginal([table.names[axis] for axis in reversed(axes)]).dense(), found.dense())


@given(tables())
def test_a_table_is_the_same_after_it_was_written_out(table: ContingencyTable) -> None:
    again = ContingencyTable.from_dense(table.dense(), table.variables)
    assert np.array_equal(again.cells, table.cells)
    assert np.array_equal(again.counts, table.counts)
    assert np.array_equal(np.ravel_multi_index(tuple(table.codes()), table.shape), table.cells)


def test_many_cells_are_no_matter() -> None:
    variables = tuple(Variable(f"v{axis}", ("x", "y")) for axis in range(62))
    table = ContingencyTable(variables, np.array([0, 2**62 - 1]), np.array([3, 4]))
    assert table.marginal(["v0", "v61"]).dense().tolist() == [[3, 0], [0, 4]]
    with pytest.raises(InvalidInput, match="too large"):
        table.dense()
    with pytest.raises(InvalidInput, match="at most 2"):
        ContingencyTable((*variables, Variable("more", ("x", "y"))), np.array([0]), np.array([1]))


@pytest.mark.parametrize(
    ("cells", "counts"),
    [
        ([1, 0], [1, 1]),
        ([0, 0], [1, 1]),
        ([0, 4], [1, 1]),
        ([-1], [1]),
        ([0], [0]),
        ([0], [-2]),
        ([0, 1], [1]),
        ([0, 1], [2**52, 2**52]),
    ],
)
def test_what_is_no_table_is_refused(cells: list[int], counts: list[int]) -> None:
    with pytest.raises(InvalidInput):
        ContingencyTable(YES_NO, np.array(cells), np.array(counts))


@pytest.mark.parametrize(
    "counts",
    [
        [[1, 2]],
        [[1, -1], [0, 0]],
        [[0.5, 1], [1, 1]],
        [[np.nan, 1], [1, 1]],
        [["1", "1"], ["1", "1"]],
        [[1e17, 0], [0, 0]],
    ],
)
def test_counts_that_are_none_are_refused(counts: list[list[object]]) -> None:
    with pytest.raises(InvalidInput):
        ContingencyTable.from_dense(counts, YES_NO)  # type: ignore[arg-type]


def test_whole_floating_point_numbers_are_counts() -> None:
    assert ContingencyTable.from_dense([[1.0, 2.0], [0.0, 2.0**50]], YES_NO).total == 2**50 + 3


def test_names_are_checked() -> None:
    table = table_of(np.ones((2, 2), dtype=np.int64))
    for names in (["A", "A"], ["C"], [2], [-1], []):
        with pytest.raises(InvalidInput):
            table.marginal(names)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput):
        ContingencyTable((YES_NO[0], YES_NO[0]), np.array([0]), np.array([1]))
    with pytest.raises(InvalidInput):
        ContingencyTable((), np.array([0]), np.array([1]))


@pytest.mark.parametrize(
    ("name", "categories"), [("", ("x",)), (" ", ("x",)), ("a", ()), ("a", ("x", "x")), ("a", ("x", ""))]
)
def test_variables_are_checked(name: str, categories: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInput):
        Variable(name, categories)
