"""The benchmark runner: figures go into their table, failed runs are no figures."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from auditor.errors import NotFound
from benchmarks.cell import Cell
from benchmarks.process import measure, median_seconds
from benchmarks.row import Row
from benchmarks.runner import available, chosen, write_cells, write_rows


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


def test_a_bar_may_stand_below(tmp_path: Path) -> None:
    high, low = (Row("proven optimal", share, "%", 80.0, at_least=True) for share in (80.0, 79.9))
    assert high.holds
    assert not low.holds
    write_rows([low], tmp_path / "page.md", where="m", date="2026-01-01")
    assert table_of(tmp_path / "page.md")[-1] == ["proven optimal", "79.9 %", "≥ 80 %", "", "m", "2026-01-01"]


def test_cells_are_put_into_a_page_of_their_own(tmp_path: Path) -> None:
    page = tmp_path / "figures.md"
    write_cells([Cell("a k = 2", 34, 78, 2, "feasible", 21, 20, 1.234)], page, where="m", date="2026-01-01")
    cells = [
        Cell("a k = 2", 34, 78, 2, "optimal", 20, 20, 0.5, "paper: 22"),
        Cell("a k = 3", 34, 78, 3, "failed: BrokenClaim", 0, 0, 0.5),
    ]
    write_cells(cells, page, where="m", date="2026-01-02")
    head, _, *lines = table_of(page)
    assert head[:2] == ["network, k", "n"]
    assert len(head) == len(lines[0])
    assert [line[:9] for line in lines] == [
        ["a k = 2", "34", "78", "20", "20", "0 %", "optimal", "0.500", "paper: 22"],
        ["a k = 3", "34", "78", "0", "0", "inf %", "failed: BrokenClaim", "0.500", ""],
    ]
    assert page.read_text(encoding="utf-8").startswith("# Figures of degree anonymization\n")


def test_every_benchmark_can_be_imported() -> None:
    from importlib import import_module

    for name in available():
        module = import_module(f"benchmarks.bench_{name.split('-')[0]}")
        assert callable(module.run)
        assert all(map(callable, getattr(module, "PARTS", {}).values()))


@pytest.mark.parametrize("name", ["nope", "nope-sparse", "degree-nope", "degree-", "-", "cli-sparse"])
def test_an_unknown_benchmark_is_named(name: str) -> None:
    with pytest.raises(NotFound, match=f"no benchmark '{name}'; there are cli, degree-coauthors, "):
        chosen([name])


def test_a_benchmark_means_all_its_parts_and_each_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks import bench_degree

    cell = Cell("a k = 2", 3, 2, 2, "optimal", 1, 1, 0.5)
    parts = {part: lambda data_dir, part=part: [Row(part, 1, "s"), cell] for part in ("sparse", "hubs")}
    monkeypatch.setattr(bench_degree, "PARTS", parts)
    found = {name: run(None) for name, run in chosen(["degree-hubs", "degree"]).items()}
    assert list(found) == ["degree-hubs", "degree-sparse"]
    assert found["degree-sparse"] == [Row("sparse", 1, "s"), cell]


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
