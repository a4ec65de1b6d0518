"""Decisions about marginals, in memory: one after the other, and all that could be next."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from benchmarks.row import Row
from benchmarks.tables import load_table, random_table
from graphkit.tables.structure.contingency import ContingencyTable

_CITED = ("Titanic", "UCBAdmissions", "vcd_DanishWelfare")
_SHAPE, _PEOPLE, _SEED = (18, 8, 5, 2), 5_000, 1
_LAZILY = 30.0
# uniform, so that most cells that have somebody are protected
_LARGE = (
    ("10×10×10×10×10×10", (10,) * 6, 20_000, 30.0),
    ("2^16", (2,) * 16, 65_536, 60.0),
    ("200×50×20", (200, 50, 20), 2_000_000, 60.0),
)


def decision_rows(data_dir: Path | None) -> Iterator[Row]:
    """Request all pairs of variables one by one; what may go out is out from then on."""
    tables = [(name, load_table(data_dir, name)) for name in _CITED]
    for name, table in [*tables, ("random 18×8×5×2, 5000 people", random_table(_SHAPE, _PEOPLE, _SEED))]:
        if table is not None:
            yield from _one_by_one(name, table)


def large_rows() -> Iterator[Row]:
    """Request the last pair of variables of large tables, with all others out."""
    from graphkit.tables.decisions.decision import decide

    for name, shape, people, bar in _LARGE:
        table = random_table(shape, people, _SEED, uniform=True)
        *out, last = combinations(table.names, 2)
        began = time.perf_counter()
        found = decide(table, out, last)
        seconds = time.perf_counter() - began
        work = f"tables: {name}, {people} people, the last of all 2-ways"
        yield Row(f"{work}: decided in", seconds, "s", bar, f"answer: {found.answer}")
        proven = found.sensitive if found.answer == "refuse" else found.proven or 0
        yield Row(f"{work}: proven", proven, "protected cells", float(found.sensitive), at_least=True)


def _one_by_one(name: str, table: ContingencyTable) -> Iterator[Row]:
    from graphkit.tables.decisions.decision import decide

    out: list[tuple[str, ...]] = []
    longest, undecided, pairs = 0.0, 0, list(combinations(table.names, 2))
    for pair in pairs:
        began = time.perf_counter()
        answer = decide(table, out, pair).answer
        longest = max(longest, time.perf_counter() - began)
        undecided += answer == "undecided"
        out += [pair] if answer == "release" else []
    work = f"tables: {name}, all {len(pairs)} 2-ways requested one by one"
    yield Row(f"{work}: longest decision", longest, "s", 10.0, f"released: {len(out)}")
    yield Row(f"{work}: not proven either way", undecided, "decisions", 0.0)


def frontier_rows(data_dir: Path | None) -> Iterator[Row]:
    """Settle all marginals of eight variables; of sixteen as many as half a minute allows."""
    from graphkit.tables.decisions.frontier import find_frontier

    table = load_table(data_dir, "rochdale")
    assert table is not None
    began = time.perf_counter()
    found = find_frontier(table)
    seconds = time.perf_counter() - began
    work = "tables: frontier of rochdale, 256 marginals"
    yield Row(work, seconds, "s", 60.0, f"decided one by one: {found.decisions}")
    yield Row(f"{work}: undecided", int(found.undecided.sum()), "marginals", 0.0)
    large = load_table(data_dir, "nltcs_2_16_nonzero")
    if large is not None:
        began = time.perf_counter()
        counts = find_frontier(large, time_limit=_LAZILY, clock=time.perf_counter).counts()
        seconds = time.perf_counter() - began
        yield Row(f"tables: frontier of NLTCS 2^16, stopped after {_LAZILY:g} s", seconds, "s", 2 * _LAZILY)
        settled = 100 * (1 - counts["undecided"] / sum(counts.values()))
        yield Row(f"tables: frontier of NLTCS 2^16, {_LAZILY:g} s: settled", settled, "% of 65536 marginals")
