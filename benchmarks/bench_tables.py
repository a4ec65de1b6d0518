"""Tables: bounds of cells, tables counted, decisions, and requests through the store."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import combinations, product
from pathlib import Path

import numpy as np

from benchmarks.process import auditor, measure, median_seconds
from benchmarks.row import Row
from benchmarks.sampled_decisions import inference_rows, sampled_rows
from benchmarks.table_decisions import decision_rows, frontier_rows, large_rows
from benchmarks.table_requests import request_rows
from benchmarks.tables import load_table
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.structure.released import ReleasedMarginals

_NLTCS = "nltcs_2_16_nonzero"
_AUTOWORKERS = "autoworkers"
# size of the marginals, bar in seconds, how many of the cells of one or two people are determined, others
_SHUTTLES = (
    (3, 5.0, 0, "NumPy: 37, plain sweep compiled: 11"),
    (5, 15.0, 1415, "NumPy: 151, plain sweep compiled: 36"),
    (8, 2.0, 2228, "NumPy: 18, plain sweep compiled: 3"),
)
_MIB = 1536.0
_CUBE = (1, 6, 7, 8, 9, 10, 5, 1)
_RUNS = 10
_FEASIBLE = 705_884
_CELLS = 20


def _bounds(data_dir: Path | None) -> Iterator[Row]:
    """Sharp bounds of all cells of a small table, beside a linear or integer program a bound."""
    from graphkit.tables.sharp_bounds.cell_bounds import bounds

    table = load_table(data_dir, _AUTOWORKERS)
    assert table is not None
    _warm_up()
    for size in (2, 3, 4, 5):
        released = _ways(table, size)
        began = time.perf_counter()
        found = bounds(table, released)
        seconds = time.perf_counter() - began
        assert found.sharp
        peer = _programs(released, found.lower, found.upper) if size == 2 else ""
        yield Row(f"tables: sharp bounds of 64 cells, {_AUTOWORKERS}, all {size}-ways", seconds, "s", 1.0, peer)


def _commands(_: Path | None) -> Iterator[Row]:
    """The bounds of 8 cells, from a file: a whole process."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cube.csv"
        cells = [f"{a},{b},{c},{count}" for (a, b, c), count in zip(product("xy", repeat=3), _CUBE, strict=True)]
        file.write_text("\n".join(["A,B,C,count", *cells, ""]), encoding="utf-8")
        given = [word for pair in ("A,B", "A,C", "B,C") for word in ("--given", pair)]
        seconds = median_seconds(auditor("table", "bounds", str(file), *given, "--json"), runs=_RUNS)
    yield Row("table bounds FILE of 8 cells, all 2-ways, no store", seconds, "s", 1.0)


def _programs(released: ReleasedMarginals, lower: np.ndarray, upper: np.ndarray) -> str:
    """Return how long HiGHS takes for the same bounds, as SciPy brings it, and check them."""
    from scipy.optimize import LinearConstraint, linprog, milp

    from graphkit.tables.programs._corner_rows import corner_rows

    size = lower.size
    corners, right = corner_rows(released, np.arange(size))
    matrix = corners.toarray()
    objectives = [sign * np.eye(size)[cell] for sign in (1, -1) for cell in range(size)]
    began = time.perf_counter()
    for objective in objectives:
        assert linprog(objective, A_eq=matrix, b_eq=right).status == 0
    linear = time.perf_counter() - began
    began = time.perf_counter()
    rows = LinearConstraint(matrix, right, right)
    whole = [milp(objective, constraints=rows, integrality=np.ones(size)).fun for objective in objectives]
    seconds = time.perf_counter() - began
    assert np.rint(whole).tolist() == [*lower.tolist(), *(-upper).tolist()]
    return f"HiGHS through SciPy: {linear:.2g} linear, {seconds:.2g} integer programs, no proof"


def _count(data_dir: Path | None) -> Iterator[Row]:
    """All feasible tables of a set of marginals."""
    from graphkit.tables.propagation.merged_cells import MergedCells
    from graphkit.tables.propagation.shuttle import shuttle
    from graphkit.tables.search.exhaustive import feasible_tables

    table = load_table(data_dir, _AUTOWORKERS)
    assert table is not None
    _warm_up()
    released = _ways(table, 4)
    began = time.perf_counter()
    cells = MergedCells.of_shape(table.shape)
    assert cells is not None
    found = feasible_tables(released, shuttle(cells, released.marginals, released.total))
    seconds = time.perf_counter() - began
    assert found is not None
    assert found.complete
    assert found.count == _FEASIBLE
    yield Row(f"tables: count {_FEASIBLE} tables, {_AUTOWORKERS}, all 4-ways", seconds, "s", 3.0, "C++: 2.4")


def _shuttle(data_dir: Path | None) -> Iterator[Row]:
    """Propagation over 43 million merged cells, in a process of its own for its memory."""
    if load_table(data_dir, _NLTCS) is None:
        return
    for size, bar, determined, peer in _SHUTTLES:
        done = measure([sys.executable, "-m", "benchmarks.shuttle_process", str(data_dir), _NLTCS, str(size)])
        figures = json.loads(done.stdout)
        assert figures["determined"] == determined
        work = f"tables: first stage of the shuttle, NLTCS 2^16, all {size}-ways"
        yield Row(work, figures["seconds"], "s", bar, peer)
        yield Row(f"{work}, peak memory", done.peak_mib, "MiB", _MIB)


def _cells(data_dir: Path | None) -> Iterator[Row]:
    """Cells of one person in a large sparse table: safe by witnesses, or unsafe by a proven bound."""
    from graphkit.budget import Budget
    from graphkit.tables.moves.walks import EFFORT
    from graphkit.tables.sharp_bounds.table_prover import TableProver

    table = load_table(data_dir, _NLTCS)
    if table is None:
        return
    _warm_up()
    width, least_upper = 3, 3
    cells = np.sort(np.random.default_rng(1).choice(table.cells[table.counts == 1], _CELLS, replace=False))
    began = time.perf_counter()
    prover = TableProver(table, _ways(table, 2), cells, np.random.default_rng(1), Budget())
    # moves take hundredths of a second and are tried again before programs are asked
    for _ in range(3):
        prover.walk_all(np.full(_CELLS, width), np.full(_CELLS, least_upper), Budget(), effort=EFFORT)
    for place in range(_CELLS):
        if not prover.is_met(place, width, least_upper):
            prover.widen(place, width, least_upper, Budget())
    seconds = time.perf_counter() - began
    lower, upper = prover.proven()
    unsafe = (upper < least_upper) | (upper - lower < width)
    safe = sum(prover.is_met(place, width, least_upper) for place in range(_CELLS))
    work = f"tables: {_CELLS} cells of one person, NLTCS 2^16, all 2-ways"
    yield Row(f"{work}: decided in", seconds, "s", 60.0, "HiGHS: 66 for one linear program")
    yield Row(f"{work}: decided", safe + int(unsafe.sum()), "cells", float(_CELLS), f"safe: {safe}", at_least=True)


def _decisions(data_dir: Path | None) -> Iterator[Row]:
    """Marginals of whole tables, requested one by one."""
    _warm_up()
    yield from decision_rows(data_dir)


def _large(_: Path | None) -> Iterator[Row]:
    """Decisions about large tables."""
    _warm_up()
    yield from large_rows()


def _frontier(data_dir: Path | None) -> Iterator[Row]:
    """Which marginals could go out next."""
    _warm_up()
    yield from frontier_rows(data_dir)


def _requests(data_dir: Path | None) -> Iterator[Row]:
    """Requests through the store and its ledger."""
    _warm_up()
    yield from request_rows(data_dir)


PARTS: Mapping[str, Callable[[Path | None], Iterator[Row]]] = {
    "bounds": _bounds,
    "bounds-command": _commands,
    "count": _count,
    "shuttle": _shuttle,
    "cells": _cells,
    "decisions": _decisions,
    "large": _large,
    "frontier": _frontier,
    "requests": _requests,
    "sampled": sampled_rows,
    "inference": inference_rows,
}


def _ways(table: ContingencyTable, size: int) -> ReleasedMarginals:
    """Return all marginals of so many variables."""
    return ReleasedMarginals.of(table, combinations(range(len(table.shape)), size))


@cache
def _warm_up() -> None:
    """Load the compiled kernels and the solver: once a process, and no part of a figure."""
    from benchmarks.tables import random_table
    from graphkit.tables.decisions.decision import decide
    from graphkit.tables.propagation.merged_cells import MergedCells
    from graphkit.tables.propagation.shuttle import shuttle
    from graphkit.tables.search.exhaustive import feasible_tables
    from graphkit.tables.sharp_bounds.cell_bounds import bounds

    table = random_table((3, 2, 2), 40, seed=1)
    released = _ways(table, 2)
    bounds(table, released)
    decide(table, [], ["A", "B"])
    cells = MergedCells.of_shape(table.shape)
    assert cells is not None
    feasible_tables(released, shuttle(cells, released.marginals, released.total))
