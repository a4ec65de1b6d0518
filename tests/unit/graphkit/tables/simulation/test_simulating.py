"""Simulated tables have the released marginals, exactly, and each comes up as often as it should."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import BrokenClaim, InvalidInput
from graphkit.hierarchies.variable import Variable
from graphkit.tables.moves._random_words import below, new_state, uniform
from graphkit.tables.simulation import simulating as simulation
from graphkit.tables.simulation.simulating import simulate
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.structure.hypergraph import Axes
from graphkit.tables.structure.released import ReleasedMarginals
from graphkit.tables.verify import has_marginals
from tests.support.simulated_tables import LEVEL, key, likelihoods, p_value
from tests.support.small_tables import all_sets, autoworkers, feasible_tables, table_of, tables

CONCENTRATIONS = (math.inf, 1.0, 0.5)
DRAWS = 1500
THINNING = {"a triangle": 60, "a triangle and a pair": 200}
"""Sweeps between draws that are to be independent."""
PAIRS: list[Axes] = [(0, 1), (0, 2), (1, 2)]

SPARSE = np.array([[[0, 1], [1, 0]], [[1, 0], [0, 2]], [[0, 1], [1, 0]]])
CASES: dict[str, tuple[Any, list[Axes]]] = {
    "rows and columns": ([[2, 1], [0, 3]], [(0,), (1,)]),
    "rows": ([[2, 1], [0, 1]], [(0,)]),
    "nothing": ([[2, 1], [0, 0]], []),
    "everything": ([[2, 1], [0, 1]], [(0, 1)]),
    "a path": ([[[2, 0], [1, 1]], [[0, 1], [2, 0]]], [(0, 1), (1, 2)]),
    "a triangle": (SPARSE, PAIRS),
    "a triangle and a pair": (np.arange(16).reshape(2, 2, 2, 2) % 3 % 2, [*PAIRS, (2, 3)]),
    "one category": ([[[1, 2]], [[0, 1]]], [(0, 1), (1, 2)]),
    "an uncovered variable": ([[[1, 0], [1, 0]]], [(0, 1)]),
}


@pytest.mark.parametrize("concentration", CONCENTRATIONS)
@pytest.mark.parametrize("name", CASES)
def test_tables_come_up_as_often_as_they_should(name: str, concentration: float, monkeypatch: Any) -> None:
    monkeypatch.setattr(simulation, "_THINNING", THINNING.get(name, 30))
    table, sets = table_of(np.array(CASES[name][0])), CASES[name][1]
    drawn = simulate(table, sets, seed=7, draws=DRAWS, concentration=concentration)
    assert len(drawn.tables) == DRAWS
    assert drawn.complete
    assert p_value(list(drawn.tables), likelihoods(ReleasedMarginals.of(table, sets), concentration)) > LEVEL


def test_draws_are_exact_where_no_chain_is_needed() -> None:
    path, sets = table_of(np.array(CASES["a path"][0])), CASES["a path"][1]
    assert simulate(path, sets, seed=1).exact
    assert not simulate(path, sets, seed=1, concentration=1.0).exact
    assert not simulate(table_of(SPARSE), PAIRS, seed=1).exact
    assert simulate(path, [(0, 1, 2)], seed=1, concentration=1.0).exact


@settings(deadline=None, max_examples=60)
@given(tables(), st.data())
def test_every_draw_has_every_released_marginal(table: ContingencyTable, data: st.DataObject) -> None:
    sets = data.draw(st.lists(st.sampled_from(all_sets(len(table.shape))), max_size=4))
    concentration = data.draw(st.sampled_from(CONCENTRATIONS))
    seed = data.draw(st.integers(0, 2**32))
    drawn = simulate(table, sets, seed=seed, draws=5, concentration=concentration)
    released = ReleasedMarginals.of(table, sets)
    assert len(drawn.tables) == 5
    for one in drawn.tables:
        assert one.variables == table.variables
        assert has_marginals(released.shape, released.marginals, released.total, one.dense())


@pytest.mark.parametrize("concentration", CONCENTRATIONS)
@pytest.mark.parametrize("sets", [[(0, 1), (1, 2)], PAIRS])
def test_the_same_seed_gives_the_same_tables(sets: list[Axes], concentration: float) -> None:
    table = autoworkers().marginal("ABC")
    one, two = (simulate(table, sets, seed=11, draws=5, concentration=concentration) for _ in range(2))
    other = simulate(table, sets, seed=12, draws=5, concentration=concentration)
    assert [key(t.dense()) for t in one.tables] == [key(t.dense()) for t in two.tables]
    assert [key(t.dense()) for t in one.tables] != [key(t.dense()) for t in other.tables]


def test_draws_depend_on_the_marginals_alone() -> None:
    table = table_of(SPARSE)
    released = ReleasedMarginals.of(table, PAIRS)
    others = [table_of(other) for other in feasible_tables(released)]
    assert len(others) > 1
    for concentration in CONCENTRATIONS:
        found = {
            tuple(key(t.dense()) for t in simulate(other, PAIRS, seed=5, draws=4, concentration=concentration).tables)
            for other in others
        }
        assert len(found) == 1
        # the marginals without their table do as well
        drawn = simulate(others[0], released, seed=5, draws=4, concentration=concentration)
        assert tuple(key(t.dense()) for t in drawn.tables) in found


def test_a_low_concentration_draws_small_cells() -> None:
    table = table_of(np.full((4, 4), 50))
    even, sparse = (
        simulate(table, [(0,), (1,)], seed=1, draws=40, concentration=concentration).tables
        for concentration in (math.inf, 0.5)
    )
    assert not any((drawn.counts < 3).any() for drawn in even)
    assert any((drawn.counts < 3).any() for drawn in sparse)


def test_tables_that_no_basic_move_leaves_are_connected(monkeypatch: Any) -> None:
    # the two tables differ in 12 cells, and no basic move of 8 can be made at either
    table = np.zeros((2, 3, 3), dtype=np.int64)
    cycle = np.eye(3, dtype=np.int64)
    table[0], table[1] = cycle, np.roll(cycle, 1, axis=1)
    both = [key(found) for found in feasible_tables(ReleasedMarginals.of(table_of(table), PAIRS))]
    assert len(both) == 2
    assert (np.array(both[0]) != np.array(both[1])).sum() == 12
    monkeypatch.setattr(simulation, "_CHAINS", 1)
    monkeypatch.setattr(simulation, "_THINNING", 2000)
    drawn = simulate(table_of(table), PAIRS, seed=1, draws=100)
    assert min(Counter(key(found.dense()) for found in drawn.tables).values()) > 20


@pytest.mark.parametrize("concentration", CONCENTRATIONS)
def test_an_empty_table_stays_empty(concentration: float) -> None:
    for sets in ([], [(0,)], PAIRS):
        empty = table_of(np.zeros((2, 2, 2), dtype=np.int64))
        drawn = simulate(empty, sets, seed=1, concentration=concentration, draws=6)
        assert [table.total for table in drawn.tables] == [0] * 6


@pytest.mark.parametrize("concentration", CONCENTRATIONS)
def test_what_is_determined_is_returned(concentration: float) -> None:
    table = autoworkers()
    for sets in ([range(6)], [[0, 1, 2, 3], range(6)]):
        drawn = simulate(table, sets, seed=1, concentration=concentration)
        assert np.array_equal(drawn.tables[0].dense(), table.dense())


def test_large_counts_and_large_tables() -> None:
    counts = np.random.default_rng(0).poisson(10**5, (3, 3, 3))
    for concentration in CONCENTRATIONS:
        drawn = simulate(table_of(counts), PAIRS, seed=1, concentration=concentration)
        assert not np.array_equal(drawn.tables[0].dense(), counts)
    # 2^50 cells: nothing is written out
    names = tuple(Variable(f"v{i}", ("no", "yes")) for i in range(50))
    cells = np.unique(np.random.default_rng(1).integers(0, 2**50, 300))
    table = ContingencyTable(names, cells, np.ones(cells.size, dtype=np.int64))
    sets = [(i, i + 1, i + 2) for i in range(48)]
    drawn = simulate(table, sets, seed=1, draws=2)
    assert drawn.exact
    assert not np.array_equal(drawn.tables[0].cells, drawn.tables[1].cells)
    for wrong in ({"concentration": 1.0}, {}):
        with pytest.raises(InvalidInput, match="too many to be drawn together"):
            simulate(table, sets if wrong else list(combinations(range(50), 2)), seed=1, **wrong)
    crowd = table_of(np.full((2, 2), 2**24))
    with pytest.raises(InvalidInput, match="records are too many to be drawn"):
        simulate(crowd, [(0,)], seed=1)


def test_a_time_limit_ends_chains_where_they_are() -> None:
    ticks = iter(range(10**6))
    drawn = simulate(table_of(SPARSE), PAIRS, seed=1, time_limit=20.0, clock=lambda: float(next(ticks)), draws=9)
    assert len(drawn.tables) == 9
    assert not drawn.complete


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"draws": 0}, r"number of draws \(0\) must be a whole number from 1"),
        ({"draws": 1.5}, "number of draws must be"),
        ({"concentration": 0.0}, r"concentration \(0.0\) must be positive"),
        ({"concentration": math.nan}, "must be positive"),
        ({"seed": -1}, "seed"),
        ({"time_limit": 3}, "needs a clock"),
    ],
)
def test_bad_parameters(words: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        simulate(table_of(SPARSE), [[0]], **{"seed": 1, **words})


def test_marginals_of_no_table() -> None:
    table = table_of(np.ones((2, 2, 2), dtype=np.int64))
    same, other = [[4, 0], [0, 4]], [[0, 4], [4, 0]]
    with pytest.raises(InvalidInput, match="no table of whole counts"):
        simulate(table, ReleasedMarginals((2, 2, 2), {(0, 1): same, (1, 2): same, (0, 2): other}), seed=1)
    with pytest.raises(InvalidInput, match="differ in what they share"):
        simulate(table, ReleasedMarginals((2, 2, 2), {(0, 1): same, (1, 2): [[3, 0], [0, 5]]}), seed=1)
    with pytest.raises(InvalidInput, match="another shape"):
        simulate(table, ReleasedMarginals((2, 2), {(0, 1): same}), seed=1)
    with pytest.raises(InvalidInput, match="no variable"):
        simulate(table, [["Z"]], seed=1)


def test_a_table_with_other_marginals_is_never_returned(monkeypatch: Any) -> None:
    wrong = (np.array([0]), np.array([3]))
    monkeypatch.setattr(simulation, "combine_at_random", lambda *_: wrong)
    for most in (2**22, 0):
        monkeypatch.setattr(simulation, "MOST_TOGETHER", most)
        with pytest.raises(BrokenClaim, match="does not have the released marginals"):
            simulate(table_of(np.array([[2, 1], [0, 3]])), [[0], [1]], seed=1)


def test_random_numbers_are_spread() -> None:
    state = new_state(np.random.default_rng(0))
    often = np.bincount([below(state, 7) for _ in range(7_000)], minlength=7)
    assert ((often - 1000) ** 2 / 1000).sum() < 30
    spread = np.array([uniform(state) for _ in range(4_000)])
    assert 0 <= spread.min() < spread.max() < 1
    assert abs(spread.mean() - 0.5) < 0.02
    assert max(below(state, 2**62) for _ in range(50)) > 2**60
