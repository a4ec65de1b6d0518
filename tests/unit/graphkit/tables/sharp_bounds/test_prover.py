"""Bounds of cells are proven on one side, and shown by tables on the other."""

from __future__ import annotations

from itertools import combinations
from math import prod

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.errors import BrokenClaim
from graphkit.tables.programs import program as module
from graphkit.tables.propagation.shuttle import shuttle
from graphkit.tables.sharp_bounds.prover import CellProver
from graphkit.tables.structure.released import ReleasedMarginals
from tests.support.merged_tables import agreeing_marginals, merged_cells, wider_marginals
from tests.support.small_tables import feasible_tables, released_marginals, table_of

EVERYTHING = released_marginals() | wider_marginals() | agreeing_marginals()


def prover_of(released: ReleasedMarginals, table: np.ndarray | None = None, **options: object) -> CellProver | None:
    """Return a prover that starts where propagation ends; None where that finds that there is no table."""
    bounds = shuttle(merged_cells(released.shape), released.marginals, released.total)
    if bounds.inconsistent:
        return None
    lower, upper = (side.reshape(-1) for side in bounds.of_cells())
    return CellProver(released, lower, upper, np.random.default_rng(1), table=table, **options)  # type: ignore[arg-type]


def all_tables(released: ReleasedMarginals) -> np.ndarray:
    return np.array(list(feasible_tables(released)), dtype=np.int64).reshape(-1, prod(released.shape))


def open_cells(prover: CellProver) -> list[int]:
    """Return the cells that are not known to be zero."""
    return np.flatnonzero(prover.upper).tolist()


def assert_right(prover: CellProver, tables: np.ndarray) -> None:
    """What is proven holds for all tables, and what was found is a table."""
    assert (prover.lower <= tables.min(axis=0)).all()
    assert (tables.max(axis=0) <= prover.upper).all()
    if (prover.most >= 0).any():
        assert (tables.min(axis=0) <= prover.least).all()
        assert (prover.most <= tables.max(axis=0)).all()
    for holder in prover.holders:
        assert any(np.array_equal(holder, table) for table in tables)


@given(EVERYTHING, st.data())
@settings(deadline=None)
def test_a_finished_proof_is_sharp(released: ReleasedMarginals, data: st.DataObject) -> None:
    tables = all_tables(released)
    start = tables[data.draw(st.integers(0, len(tables) - 1))] if len(tables) and data.draw(st.booleans()) else None
    prover = prover_of(released, start, keep=True)
    if prover is None or not len(tables) or not open_cells(prover):
        return
    for cell in data.draw(st.lists(st.sampled_from(open_cells(prover)), max_size=6)):
        assert prover.raise_most(cell, Budget())
        assert_right(prover, tables)
        assert prover.cut_least(cell, Budget())
        assert_right(prover, tables)
        assert prover.lower[cell] == prover.least[cell] == tables[:, cell].min()
        assert prover.upper[cell] == prover.most[cell] == tables[:, cell].max()
        assert {table[cell] for table in prover.holders} >= {prover.lower[cell], prover.upper[cell]}
    assert not prover.inconsistent


@given(EVERYTHING, st.data())
@settings(deadline=None)
def test_what_is_enough_and_walks_never_make_a_bound_wrong(released: ReleasedMarginals, data: st.DataObject) -> None:
    tables = all_tables(released)
    start = tables[0] if len(tables) and data.draw(st.booleans()) else None
    with pytest.MonkeyPatch.context() as patch:
        if data.draw(st.booleans()):
            patch.setattr(module, "_FEW", 0)
        prover = prover_of(released, start, nodes=data.draw(st.sampled_from([1, 2, 50])))
        if prover is None:
            assert not len(tables)
            return
        if not open_cells(prover):
            return
        for _ in range(4):
            cell, enough = data.draw(st.sampled_from(open_cells(prover))), data.draw(st.integers(0, 6))
            work = data.draw(st.sampled_from(["raise", "cut", "walk"]))
            if work == "walk":
                prover.walk(cell, enough)
            elif work == "raise":
                finished = prover.raise_most(cell, Budget(), enough=enough)
                if finished and len(tables):
                    reached = tables[:, cell].max() >= enough
                    assert prover.most[cell] >= enough if reached else prover.upper[cell] < enough
            else:
                finished = prover.cut_least(cell, Budget(), enough=enough)
                if finished and len(tables):
                    reached = tables[:, cell].min() <= enough
                    assert prover.least[cell] <= enough if reached else prover.lower[cell] > enough
            if len(tables):
                assert not prover.inconsistent
                assert_right(prover, tables)


@given(EVERYTHING)
@settings(deadline=None)
def test_no_table_is_proven_by_any_cell(released: ReleasedMarginals) -> None:
    assume(released.total > 0)
    tables = all_tables(released)
    size = prod(released.shape)
    limits = np.zeros(size, dtype=np.int64), np.full(size, released.total)
    prover = CellProver(released, *limits, np.random.default_rng(1))
    finished = prover.raise_most(0, Budget())
    assert prover.inconsistent == (finished and not len(tables))


def test_a_cell_that_is_zero_everywhere_is_known_without_a_table() -> None:
    limits = np.zeros(4, dtype=np.int64), np.array([4, 0, 2, 0])
    prover = CellProver(ReleasedMarginals((2, 2), {(0,): [4, 2], (1,): [6, 0]}), *limits, np.random.default_rng(1))
    for cell in (1, 3):
        assert prover.cut_least(cell, Budget())
        assert prover.raise_most(cell, Budget())
        assert (prover.lower[cell], prover.least[cell], prover.most[cell], prover.upper[cell]) == (0, 0, 0, 0)


def test_an_empty_table() -> None:
    prover = prover_of(ReleasedMarginals((2, 2), {}, 0))
    assert prover is not None
    assert prover.raise_most(0, Budget())
    assert prover.cut_least(0, Budget())
    assert not prover.inconsistent
    assert (prover.lower[0], prover.most[0], prover.upper[0]) == (0, 0, 0)


def test_a_table_that_does_not_fit_is_our_fault() -> None:
    released = ReleasedMarginals((2, 2), {(0,): [3, 1], (1,): [2, 2]})
    with pytest.raises(BrokenClaim, match="marginals"):
        prover_of(released, np.array([3, 0, 0, 1]))
    with pytest.raises(BrokenClaim, match="bounds"):
        CellProver(released, np.full(4, 2), np.full(4, 4), np.random.default_rng(1), table=np.array([2, 1, 0, 1]))


@pytest.mark.parametrize("factor", [2**30, 2**46])
def test_large_counts(factor: int) -> None:
    counts = np.random.default_rng(9).integers(0, 5, (3, 2, 3)) * factor + np.arange(18).reshape(3, 2, 3)
    table = table_of(counts)
    released = ReleasedMarginals.of(table, combinations(range(3), 2))
    flat = counts.reshape(-1)
    prover = prover_of(released, flat, nodes=20)
    assert prover is not None
    for cell in range(18):
        prover.walk(cell, 0)
        prover.raise_most(cell, Budget())
        prover.cut_least(cell, Budget())
    assert (prover.lower <= prover.least).all()
    assert (prover.least <= flat).all()
    assert (flat <= prover.most).all()
    assert (prover.most <= prover.upper).all()
