"""The benchmark runner: benchmarks are found by name, failed runs are no figures."""

from __future__ import annotations

import sys

import pytest

from auditor.core.errors import NotFound
from benchmarks.cell import Cell
from benchmarks.process import measure, median_seconds
from benchmarks.row import Row
from benchmarks.runner import available, chosen


def test_every_benchmark_can_be_imported() -> None:
    from importlib import import_module

    for name in available():
        module = import_module(f"benchmarks.bench_{name.split('-')[0]}")
        # one of the two: a benchmark, or its parts
        assert callable(getattr(module, "run", None)) != hasattr(module, "PARTS")
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


def test_parts_that_begin_alike_are_named_together() -> None:
    assert list(chosen(["microdata-gaps-census"])) == ["microdata-gaps-census-3", "microdata-gaps-census-5"]
    with pytest.raises(NotFound):
        chosen(["microdata-gaps-cens"])


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
