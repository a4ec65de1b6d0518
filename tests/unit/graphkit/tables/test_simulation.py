"""Simulated tables have the released marginals, exactly, and each comes up as often as it should."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import BrokenClaim, InvalidInput
from graphkit.tables import _simulation_parts as parts
from graphkit.tables import simulation
from graphkit.tables._simulation_start import StartTables
from graphkit.tables.contingency import ContingencyTable
from graphkit.tables.hypergraph import Axes
from graphkit.tables.released import ReleasedMarginals
from graphkit.tables.simulation import Target, simulate
from graphkit.tables.variable import Variable
from graphkit.tables.verify import has_marginals
from tests.support.simulated_tables import LEVEL, key, likelihoods, p_value
from tests.support.small_tables import all_sets, autoworkers, feasible_tables, table_of, tables

TARGETS: tuple[Target, ...] = ("hypergeometric", "uniform")
DRAWS = 1500

SPARSE = np.array([[[0, 1], [1, 0]], [[1, 0], [0, 2]], [[0, 1], [1, 0]]])
CASES: dict[str, tuple[Any, list[Axes]]] = {
    "rows and columns": ([[2, 1], [0, 3]], [(0,), (1,)]),
    "rows": ([[2, 1], [0, 1]], [(0,)]),
    "nothing": ([[2, 1], [0, 0]], []),
    "everything": ([[2, 1], [0, 1]], [(0, 1)]),
    "a path": ([[[2, 0], [1, 1]], [[0, 1], [2, 0]]], [(0, 1), (1, 2)]),
    "a triangle": (SPARSE, [(0, 1), (1, 2), (0, 2)]),
    "a triangle and a pair": (np.arange(16).reshape(2, 2, 2, 2) % 3 % 2, [(0, 1), (1, 2), (0, 2), (2, 3)]),
    "one category": ([[[1, 2]], [[0, 1]]], [(0, 1), (1, 2)]),
    "an uncovered variable": ([[[1, 0], [1, 0]]], [(0, 1)]),
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", CASES)
def test_tables_come_up_as_often_as_they_should(name: str, target: Target) -> None:
    table, sets = table_of(np.array(CASES[name][0])), CASES[name][1]
    drawn = simulate(table, sets, seed=7, draws=DRAWS, target=target)
    assert len(drawn.tables) == DRAWS
    assert drawn.start == "marginals"
    assert drawn.diagnostics.converged
    assert p_value(list(drawn.tables), likelihoods(ReleasedMarginals.of(table, sets), target)) > LEVEL


@pytest.mark.parametrize("target", TARGETS)
def test_chains_over_cells_and_over_people_agree_with_all_tables(target: Target, monkeypatch: Any) -> None:
    table, sets = table_of(np.array(CASES["a path"][0])), CASES["a path"][1]
    expected = likelihoods(ReleasedMarginals.of(table, sets), target)
    # without an exact way, and with a chain over cells whatever the number of people
    monkeypatch.setattr(parts, "_MOST_PEOPLE", 0)
    drawn = simulate(table, sets, seed=7, draws=DRAWS, target=target)
    assert drawn.connection == "swaps"
    assert p_value(list(drawn.tables), expected) > LEVEL
    monkeypatch.undo()
    if target == "uniform":
        monkeypatch.setattr(parts, "_SMALL", 0)
        drawn = simulate(table, sets, seed=7, draws=DRAWS, target=target)
        assert drawn.connection == "swaps"
        assert p_value(list(drawn.tables), expected) > LEVEL


@settings(deadline=None, max_examples=60)
@given(tables(), st.data())
def test_every_draw_has_every_released_marginal(table: ContingencyTable, data: st.DataObject) -> None:
    sets = data.draw(st.lists(st.sampled_from(all_sets(len(table.shape))), max_size=4))
    target = data.draw(st.sampled_from(TARGETS))
    seed = data.draw(st.integers(0, 2**32))
    drawn = simulate(table, sets, seed=seed, draws=3, chains=2, burn_in=5, thinning=1, target=target)
    released = ReleasedMarginals.of(table, sets)
    for one in drawn.tables:
        assert one.variables == table.variables
        assert has_marginals(released.shape, released.marginals, released.total, one.dense())


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("sets", [[(0, 1), (1, 2)], [(0, 1), (1, 2), (0, 2)]])
def test_the_same_seed_gives_the_same_tables(sets: list[Axes], target: Target) -> None:
    table = autoworkers().marginal("ABC")
    one, two = (simulate(table, sets, seed=11, draws=5, target=target, burn_in=20) for _ in range(2))
    other = simulate(table, sets, seed=12, draws=5, target=target, burn_in=20)
    assert [key(t.dense()) for t in one.tables] == [key(t.dense()) for t in two.tables]
    assert [key(t.dense()) for t in one.tables] != [key(t.dense()) for t in other.tables]


def test_draws_depend_on_the_marginals_alone() -> None:
    table = table_of(SPARSE)
    sets = [(0, 1), (1, 2), (0, 2)]
    released = ReleasedMarginals.of(table, sets)
    others = [table_of(other) for other in feasible_tables(released)]
    assert len(others) > 1
    for target in TARGETS:
        found = {
            tuple(key(t.dense()) for t in simulate(other, sets, seed=5, draws=4, target=target, burn_in=0).tables)
            for other in others
        }
        assert len(found) == 1
        # the marginals without their table do as well
        drawn = simulate(others[0], released, seed=5, draws=4, target=target, burn_in=0)
        assert tuple(key(t.dense()) for t in drawn.tables) in found


def test_where_no_other_table_is_found_chains_start_from_the_true_one_and_say_so(monkeypatch: Any) -> None:
    table, sets = table_of(SPARSE), [(0, 1), (1, 2), (0, 2)]
    monkeypatch.setattr(StartTables, "draw", lambda *_: None)
    for target in TARGETS:
        drawn = simulate(table, sets, seed=5, draws=DRAWS, target=target)
        assert drawn.start == "table"
        assert drawn.safe
        hasty = simulate(table, sets, seed=5, target=target, burn_in=1)
        assert not hasty.safe
        assert p_value(list(drawn.tables), likelihoods(ReleasedMarginals.of(table, sets), target)) > LEVEL


@pytest.mark.parametrize("target", TARGETS)
def test_an_empty_table_stays_empty(target: Target) -> None:
    for sets in ([], [(0,)], [(0, 1), (1, 2), (0, 2)]):
        drawn = simulate(table_of(np.zeros((2, 2, 2), dtype=np.int64)), sets, seed=1, target=target, draws=2)
        assert [table.total for table in drawn.tables] == [0, 0]


def test_what_is_determined_is_returned() -> None:
    table = autoworkers()
    for target in TARGETS:
        for sets in ([range(6)], [[0, 1, 2, 3], range(6)]):
            drawn = simulate(table, sets, seed=1, target=target)
            assert np.array_equal(drawn.tables[0].dense(), table.dense())


def test_large_counts_and_large_tables() -> None:
    counts = np.random.default_rng(0).poisson(10**11, (3, 3, 3))
    drawn = simulate(table_of(counts), [[0, 1], [1, 2], [0, 2]], seed=1, burn_in=50)
    assert drawn.connection == "blocks"
    drawn = simulate(table_of(counts), [[0, 1], [1, 2]], seed=1, burn_in=50)
    assert drawn.connection == "swaps"
    # 2^50 cells: nothing is written out
    names = tuple(Variable(f"v{i}", ("no", "yes")) for i in range(50))
    cells = np.unique(np.random.default_rng(1).integers(0, 2**50, 300))
    table = ContingencyTable(names, cells, np.ones(cells.size, dtype=np.int64))
    sets = [(i, i + 1, i + 2) for i in range(48)]
    for target in TARGETS:
        drawn = simulate(table, sets, seed=1, target=target, burn_in=20, draws=2)
        assert drawn.start == "marginals"
        assert not np.array_equal(drawn.tables[0].cells, drawn.tables[1].cells)
    with pytest.raises(InvalidInput, match="too many to be drawn together"):
        simulate(table, list(combinations(range(50), 2)), seed=1)


def test_a_time_limit_ends_chains_where_they_are() -> None:
    ticks = iter(range(10**6))
    drawn = simulate(
        table_of(SPARSE), [(0, 1), (1, 2), (0, 2)], seed=1, time_limit=20.0, clock=lambda: float(next(ticks)), draws=9
    )
    assert len(drawn.tables) == 9
    assert not drawn.diagnostics.converged


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"draws": 0}, r"number of draws \(0\) must be a whole number from 1"),
        ({"draws": 1.5}, "number of draws must be"),
        ({"chains": 0}, "number of chains"),
        ({"burn_in": -1}, "burn-in"),
        ({"thinning": 0}, "thinning"),
        ({"target": "normal"}, "no target 'normal'; there are hypergeometric, uniform"),
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


def test_a_table_with_other_marginals_never_gets_out(monkeypatch: Any) -> None:
    wrong = (np.array([0]), np.array([3]))
    monkeypatch.setattr(parts, "glue_at_random", lambda *_: wrong)
    for most in (2**22, 0):
        monkeypatch.setattr(simulation, "MOST_TOGETHER", most)
        with pytest.raises(BrokenClaim, match="does not have the released marginals"):
            simulate(table_of(np.array([[2, 1], [0, 3]])), [[0], [1]], seed=1)
