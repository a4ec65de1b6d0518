"""The benchmark runner: figures go into their table, failed runs are no figures."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from auditor.errors import NotFound
from benchmarks.process import measure, median_seconds
from benchmarks.row import Row
from benchmarks.runner import available, rows_of, write_rows


def table_of(page: Path) -> list[list[str]]:
    lines = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_rows_are_put_into_a_page_and_replace_older_ones(tmp_path: Path) -> None:
    page = tmp_path / "performance.md"
    page.write_text("# Performance\n\nWhat stands before.\n", encoding="utf-8")
    write_rows([Row("a", 1.0, "s", 2.0, "peer: 3"), Row("b", 5, "edges")], page, where="m", date="2026-01-01")
    write_rows([Row("a", 1.5, "s", 2.0), Row("c", 7, "s")], page, where="m", date="2026-01-02")
    assert table_of(page) == [
        ["work", "value", "bar", "peer", "machine", "date"],
        ["---"] * 6,
        ["a", "1.5 s", "≤ 2 s", "", "m", "2026-01-02"],
        ["b", "5 edges", "", "", "m", "2026-01-01"],
        ["c", "7 s", "", "", "m", "2026-01-02"],
    ]
    assert page.read_text(encoding="utf-8").startswith("# Performance\n\nWhat stands before.\n")


def test_writing_twice_changes_nothing(tmp_path: Path) -> None:
    page = tmp_path / "performance.md"
    rows = [Row("a", 1.0, "s")]
    write_rows(rows, page, where="m", date="2026-01-01")
    before = page.read_text(encoding="utf-8")
    write_rows(rows, page, where="m", date="2026-01-01")
    assert page.read_text(encoding="utf-8") == before


def test_every_benchmark_can_be_imported() -> None:
    from importlib import import_module

    for name in available():
        assert callable(import_module(f"benchmarks.bench_{name}").run)


def test_an_unknown_benchmark_is_named() -> None:
    with pytest.raises(NotFound, match="no benchmark 'nope'"):
        list(rows_of(["nope"], None))


def test_a_process_is_measured_with_its_memory_and_output() -> None:
    code = "import sys; block = bytearray(200 * 2**20); print('out'); print('err', file=sys.stderr)"
    measured = measure([sys.executable, "-c", code])
    assert measured.peak_mib > 200
    assert (measured.stdout, measured.stderr) == ("out\n", "err\n")
    assert measured.seconds > 0


def test_a_failed_run_is_no_figure() -> None:
    command = [sys.executable, "-c", "import sys; sys.exit('why it failed')"]
    with pytest.raises(RuntimeError, match="why it failed"):
        measure(command)
    assert median_seconds(command, runs=2, expect=1) > 0
