"""`auditor benchmark`: requests are checked before anything is measured, and each cell is told as it comes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import bench_degree
from benchmarks.cell import Cell
from benchmarks.row import Row
from cli.app import run


@pytest.fixture(autouse=True)
def a_benchmark_of_one_cell(monkeypatch: pytest.MonkeyPatch) -> list[Path | None]:
    ran: list[Path | None] = []

    def part(data_dir: Path | None) -> Iterator[Row | Cell]:
        ran.append(data_dir)
        yield Cell("karate k = 2", 34, 78, 2, "feasible", 6, 4, 0.5, "paper: 7")
        yield Row("degree: proven optimal", 0.0, "%", 80, at_least=True)

    monkeypatch.setenv("AUDITOR_CONFIG", "")
    monkeypatch.delenv("AUDITOR_BENCH_DATA", raising=False)
    monkeypatch.setattr(bench_degree, "PARTS", {"small": part})
    return ran


def test_rows_and_cells_are_told_and_written_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["benchmark", "degree-small", "--write", str(tmp_path / "performance.md")]) == 0
    told = capsys.readouterr()
    assert told.err == "karate k = 2: 6 edges, 4 proven, 0.50 s\n"
    assert "33.3 %" in told.out
    assert "≥ 80 %" in told.out
    assert "| degree: proven optimal |" in (tmp_path / "performance.md").read_text(encoding="utf-8")
    assert "| small | 1 | 0 |" in (tmp_path / "degree-figures.md").read_text(encoding="utf-8")
    assert "\nkarate k = 2,34,78,2,6,4,feasible" in (tmp_path / "figures/degree.csv").read_text(encoding="utf-8")


def test_a_machine_gets_rows_and_cells(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--json", "benchmark", "degree"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["rows"][0]["holds"], found["rows"][0]["bar"], found["rows"][0]["at_least"]) == (False, 80, True)
    assert found["cells"][0]["gap"] == pytest.approx(1 / 3)


def test_nothing_is_measured_that_cannot_be_written(
    a_benchmark_of_one_cell: list[Path | None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["benchmark", "degree-small", "--write", str(tmp_path / "none" / "performance.md")]) == 2
    assert "make it first" in capsys.readouterr().err
    assert run(["benchmark", "degree-large"]) == 2
    assert "no benchmark 'degree-large'" in capsys.readouterr().err
    assert a_benchmark_of_one_cell == []


def test_benchmarks_are_offered_in_the_source_tree_alone(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[3]
    for package in ("auditor", "cli", "graphkit"):
        (tmp_path / package).symlink_to(root / package)
    code = "import sys; from cli.app import Root; print('benchmark' in Root.members)"
    for place, offered in ((root, "True"), (tmp_path, "False")):
        environment = {"PYTHONPATH": str(place), "PATH": ""}
        done = subprocess.run(
            [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True, env=environment, cwd=place
        )
        assert done.stdout.strip() == offered
