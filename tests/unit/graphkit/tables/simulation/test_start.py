"""Tables to start from are found from the marginals alone, and have them exactly."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.errors import LimitReached
from graphkit.hierarchies.variable import Variable
from graphkit.tables.simulation import _start as start
from graphkit.tables.simulation._fit import fitted_counts, whole_counts_near
from graphkit.tables.simulation._repair import RepairedTables
from graphkit.tables.simulation._start import StartTables
from graphkit.tables.simulation.simulating import simulate
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.structure.released import ReleasedMarginals
from graphkit.tables.verify import has_marginals
from tests.support.small_tables import all_sets, feasible_tables, table_of, tables

PAIRS = [(0, 1), (0, 2), (1, 2)]


def skewed(shape: tuple[int, ...], people: int, seed: int) -> ContingencyTable:
    """People of three kinds, most of whom are in few categories."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(3, size=people)
    codes = [
        np.array([rng.choice(size, p=chances[one]) for one in kind])
        for size in shape
        for chances in [rng.dirichlet(np.full(size, 0.6), size=3)]
    ]
    flat = np.ravel_multi_index(codes, shape)
    names = [Variable(f"v{axis}", tuple("abcdefgh"[:size])) for axis, size in enumerate(shape)]
    return ContingencyTable.from_dense(np.bincount(flat, minlength=int(np.prod(shape))).reshape(shape), names)


def ways(table: ContingencyTable, size: int) -> ReleasedMarginals:
    return ReleasedMarginals.of(table, combinations(range(len(table.shape)), size))


@settings(deadline=None, max_examples=80)
@given(tables(), st.data())
def test_whole_counts_near_anything_have_the_marginals(table: ContingencyTable, data: st.DataObject) -> None:
    sets = data.draw(st.lists(st.sampled_from(all_sets(len(table.shape))), max_size=4))
    released = ReleasedMarginals.of(table, sets)
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    near = whole_counts_near(released, rng.integers(-9, 9, table.shape))
    assert near.sum() == released.total
    for axes, counts in released.marginals.items():
        others = tuple(axis for axis in range(len(table.shape)) if axis not in axes)
        assert np.array_equal(near.sum(axis=others), counts)
    # nothing is changed where nothing is lacking
    assert np.array_equal(whole_counts_near(released, table.dense()), table.dense())


@settings(deadline=None, max_examples=60)
@given(tables(), st.data())
def test_a_repaired_table_has_the_marginals(table: ContingencyTable, data: st.DataObject) -> None:
    sets = data.draw(st.lists(st.sampled_from(all_sets(len(table.shape))), min_size=1, max_size=4))
    released = ReleasedMarginals.of(table, sets)
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    found = RepairedTables(released, Budget()).draw(rng, Budget())
    assert found is None or has_marginals(
        released.shape, released.marginals, released.total, found.reshape(released.shape)
    )


def test_a_fit_has_the_marginals_nearly() -> None:
    released = ways(skewed((3, 4, 2, 3), 500, seed=1), 2)
    fit = fitted_counts(released, Budget())
    assert fit is not None
    for axes, counts in released.marginals.items():
        others = tuple(axis for axis in range(4) if axis not in axes)
        assert np.abs(fit.sum(axis=others) - counts).max() < 1


@pytest.mark.parametrize(
    ("shape", "people", "size"),
    [((2,) * 10, 3_000, 2), ((2,) * 10, 3_000, 3), ((2,) * 12, 5_000, 2), ((4,) * 6, 3_000, 2)],
)
def test_large_tables_are_found_and_differ(shape: tuple[int, ...], people: int, size: int) -> None:
    released = ways(skewed(shape, people, seed=2), size)
    source = RepairedTables(released, Budget())
    rng = np.random.default_rng(1)
    found = [source.draw(rng, Budget()) for _ in range(3)]
    seen = set()
    for table in found:
        assert table is not None
        assert has_marginals(released.shape, released.marginals, released.total, table.reshape(shape))
        seen.add(table.tobytes())
    assert len(seen) == 3
    again = RepairedTables(released, Budget()).draw(np.random.default_rng(1), Budget())
    assert again is not None
    assert found[0] is not None
    assert np.array_equal(found[0], again)


def test_marginals_of_no_table_end_the_search() -> None:
    same, other = [[4, 0], [0, 4]], [[0, 4], [4, 0]]
    released = ReleasedMarginals((2, 2, 2), {(0, 1): same, (1, 2): same, (0, 2): other})
    assert RepairedTables(released, Budget()).draw(np.random.default_rng(1), Budget()) is None


def test_where_programs_give_up_moves_find_a_start(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(np.array([[[0, 1], [1, 0]], [[1, 0], [0, 2]], [[0, 1], [1, 0]]]))
    released = ReleasedMarginals.of(table, PAIRS)
    possible = {counts.tobytes() for counts in feasible_tables(released)}
    monkeypatch.setattr(start, "_MOST_COLUMNS", 0)
    source = StartTables(released, Budget())
    drawn = [source.draw(np.random.default_rng(seed), Budget()) for seed in range(20)]
    assert {counts.tobytes() for counts in drawn if counts is not None} <= possible
    assert sum(counts is not None for counts in drawn) == 20


def test_a_dense_table_of_thousands_of_cells_is_simulated_from_its_marginals(monkeypatch: pytest.MonkeyPatch) -> None:
    table = skewed((2,) * 12, 5_000, seed=1)
    released = ways(table, 2)
    monkeypatch.setattr("graphkit.tables.simulation.simulating._BURN_IN", 4)
    drawn = simulate(table, released, seed=1)
    assert not np.array_equal(drawn.tables[0].dense(), table.dense())


def test_nothing_is_found_without_a_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphkit.tables.simulation._fit._MOST_WORK", 0)
    monkeypatch.setattr(start, "_MOST_COLUMNS", 0)
    table = table_of(np.ones((2, 2, 2), dtype=np.int64))
    with pytest.raises(LimitReached, match="no table with these marginals was found"):
        simulate(table, ReleasedMarginals.of(table, PAIRS), seed=1)
