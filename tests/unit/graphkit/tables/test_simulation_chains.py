"""Each kind of step keeps the distribution, and all tables are connected where basic moves leave some alone."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

from graphkit.budget import Budget
from graphkit.tables import _simulation_boxes as boxes
from graphkit.tables import _simulation_cells as cells
from graphkit.tables._random_words import below, new_state, uniform
from graphkit.tables._simulation_boxes import box_of
from graphkit.tables._simulation_cells import CellChain, CellMoves
from graphkit.tables._simulation_diagnostics import diagnose, statistics_of
from graphkit.tables._simulation_run import run_chains
from graphkit.tables._simulation_tree import Cuts
from graphkit.tables.hypergraph import Axes
from graphkit.tables.released import ReleasedMarginals
from graphkit.tables.simulation import Target, simulate
from tests.support.simulated_tables import LEVEL, key, likelihoods, p_value
from tests.support.small_tables import feasible_tables, table_of

TARGETS: tuple[Target, ...] = ("hypergeometric", "uniform")
DRAWS = 3000
PAIRS: list[Axes] = [(0, 1), (0, 2), (1, 2)]
CUBE = np.array(
    [[[0, 1, 0], [1, 0, 0], [0, 1, 1]], [[1, 0, 0], [0, 0, 1], [0, 1, 0]], [[0, 0, 1], [1, 1, 0], [1, 0, 0]]]
)


def moves_of(shape: tuple[int, ...], sets: list[Axes]) -> CellMoves:
    return CellMoves(shape, sets, np.empty((0, len(shape)), dtype=np.int64), np.random.default_rng(0))


def drawn_by(moves: CellMoves, table: np.ndarray, target: Target, thinning: int) -> list[Any]:
    """Draws of two chains."""
    rng = np.random.default_rng(3)
    chains = [CellChain(moves, table.reshape(-1), target == "hypergeometric", rng) for _ in range(2)]
    run = run_chains(chains, table.size, DRAWS, 256, thinning, Budget())
    found = []
    for places, counts in run.tables:
        whole = np.zeros(table.size, dtype=np.int64)
        whole[places] = counts
        found.append(table_of(whole.reshape(table.shape)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("kind", ["lines", "whole box", "small boxes"])
@pytest.mark.parametrize("name", ["cube", "square"])
def test_each_kind_of_step_keeps_the_distribution(name: str, kind: str, target: Target, monkeypatch: Any) -> None:
    # in the square, the number of cells that are not zero differs much from table to table
    table, sets = (CUBE, PAIRS) if name == "cube" else (np.diag([3, 2, 1]), [(0,), (1,)])
    if kind == "small boxes":
        monkeypatch.setattr(boxes, "_MOST_WHOLE", 0)
        monkeypatch.setattr(boxes, "_MOST_PART", 150 if name == "cube" else 10)
    moves = moves_of(table.shape, sets)
    if kind == "lines":
        moves.boxes = []
    else:
        monkeypatch.setattr(cells, "walk", lambda *_: 0)
    expected = likelihoods(ReleasedMarginals.of(table_of(table), sets), target)
    assert len(expected) > 4
    assert p_value(drawn_by(moves, table, target, 5 if (name, kind) == ("square", "lines") else 30), expected) > LEVEL


def test_tables_that_no_basic_move_leaves_are_connected() -> None:
    # the two tables differ in 12 cells, and no basic move of 8 can be made at either
    table = np.zeros((2, 3, 3), dtype=np.int64)
    cycle = np.eye(3, dtype=np.int64)
    table[0], table[1] = cycle, np.roll(cycle, 1, axis=1)
    released = ReleasedMarginals.of(table_of(table), PAIRS)
    both = [key(found) for found in feasible_tables(released)]
    assert len(both) == 2
    assert (np.array(both[0]) != np.array(both[1])).sum() == 12
    for target in TARGETS:
        drawn = simulate(table_of(table), PAIRS, seed=1, draws=100, target=target)
        assert drawn.connection == "blocks"
        assert min(Counter(key(found.dense()) for found in drawn.tables).values()) > 20
    # moves that are added up connect them, too
    moves = moves_of(table.shape, PAIRS)
    moves.boxes = []
    chain = CellChain(moves, table.reshape(-1), False, np.random.default_rng(1))
    seen = set()
    for _ in range(20_000):
        chain.sweep()
        seen.add(tuple(chain.counts()[0].tolist()))
    assert len(seen) == 2


@pytest.mark.parametrize("size", [4, 6])
def test_latin_squares_leave_where_they_began(size: int) -> None:
    # every sum by two variables is 1: the tables are the Latin squares of this size
    table = np.zeros((size,) * 3, dtype=np.int64)
    rows, columns = np.indices((size, size))
    table[rows, columns, (rows + columns) % size] = 1
    chain = CellChain(moves_of(table.shape, PAIRS), table.reshape(-1), False, np.random.default_rng(1))
    seen = set()
    for _ in range(300):
        chain.sweep()
        seen.add(tuple(chain.counts()[0].tolist()))
    assert len(seen) > 10


@pytest.mark.slow
def test_latin_squares_of_order_four_are_alike() -> None:
    table = np.zeros((4, 4, 4), dtype=np.int64)
    rows, columns = np.indices((4, 4))
    table[rows, columns, (rows + columns) % 4] = 1
    drawn = simulate(table_of(table), PAIRS, seed=2, draws=1728, target="uniform")
    found = Counter(key(square.dense()) for square in drawn.tables)
    # there are 576, and three of each are expected
    often = np.array([*found.values(), *[0] * (576 - len(found))])
    assert float(chi2.sf(((often - 3) ** 2 / 3).sum(), 575)) > LEVEL


@pytest.mark.parametrize("shape", [(2, 2), (2, 3, 2), (3, 1, 3), (4, 2, 2)])
def test_a_box_knows_its_merged_cells(shape: tuple[int, ...]) -> None:
    sets = [(0,)] if len(shape) == 2 else [(0, 1), (1, 2)]
    box = box_of(shape, sets)
    table = np.random.default_rng(0).integers(0, 9, shape)
    values = np.full(box.known.size, -1)
    values[box.base] = table.reshape(-1)
    for whole, one, two in box.build.tolist():
        assert min(values[one], values[two]) >= 0
        values[whole] = values[one] + values[two]
    assert values.min() >= 0
    assert values[-1] == table.sum()
    for whole, one, two in box.sums.tolist():
        assert values[whole] == values[one] + values[two]
    # what is free and what is known are apart
    assert not box.known[box.free].any()


def test_cuts_have_everything_behind_them() -> None:
    released = ReleasedMarginals.of(table_of(np.ones((2, 2, 2, 2, 1, 2), dtype=np.int64)), [[0, 1], [1, 2], [1, 3, 4]])
    cuts = Cuts.of(released.shape, released.decomposition)
    assert cuts.uncovered == (5,)
    assert cuts.separators == ((1,), (1,))
    assert sorted(cuts.behind) == [(2,), (3,)]
    assert cuts.sides(6).tolist() == [[0, 2, 1, 0, 0, 0], [0, 2, 0, 1, 0, 0]]


def test_chains_that_disagree_are_found_out() -> None:
    noise = np.random.default_rng(0).normal(size=(4, 400, 2))
    assert diagnose(noise, 0.5).converged
    walk = np.cumsum(noise, axis=1)
    assert not diagnose(walk, 0.5).converged
    apart = noise.copy()
    apart[0, :, 1] += 3
    assert diagnose(apart, 0.5).split_r > 1.2
    # chains that never move, each at a table of its own
    still = np.broadcast_to(np.arange(4.0)[:, None, None], (4, 400, 2))
    assert np.isinf(diagnose(still, 0.0).split_r)
    assert diagnose(np.ones((4, 400, 2)), 0.0).split_r == 1


def test_effective_size_of_an_autoregressive_chain() -> None:
    rng = np.random.default_rng(5)
    values = np.zeros((4, 5_000, 1))
    for i in range(1, 5_000):
        values[:, i] = 0.8 * values[:, i - 1] + rng.normal(size=(4, 1))
    # (1 + 0.8) / (1 − 0.8)
    assert diagnose(values, 1.0).autocorrelation_time == pytest.approx(9, rel=0.15)


def test_statistics_tell_tables_apart() -> None:
    one, two = (np.array([0, 3]), np.array([2, 5])), (np.array([1, 2]), np.array([2, 5]))
    first, second = statistics_of(one, 4), statistics_of(two, 4)
    assert first[:3].tolist() == second[:3].tolist() == [2, 1, 29 * 4 / 7 - 7]
    assert first[3] != second[3]


def test_random_numbers_are_spread() -> None:
    state = new_state(np.random.default_rng(0))
    often = np.bincount([below(state, 7) for _ in range(7_000)], minlength=7)
    assert ((often - 1000) ** 2 / 1000).sum() < 30
    spread = np.array([uniform(state) for _ in range(4_000)])
    assert 0 <= spread.min() < spread.max() < 1
    assert abs(spread.mean() - 0.5) < 0.02
    assert max(below(state, 2**62) for _ in range(50)) > 2**60
