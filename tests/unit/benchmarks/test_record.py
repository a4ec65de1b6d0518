"""The pages of figures: each benchmark from one run of the version beside it, and by nobody's hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from auditor.core.errors import BadInput
from benchmarks import record as records
from benchmarks.cell import Cell
from benchmarks.pages import CELLS_PAGE, RECORD, rendered, write_pages
from benchmarks.record import Record, version
from benchmarks.row import Row

DOCS = Path(__file__).resolve().parents[3] / "docs"
CELL = Cell("a k = 2", 34, 78, 2, "feasible", 21, 20, 1.234, "paper: 22", effort=0.5)
LOST = Cell("a k = 3", 34, 78, 3, "failed: BrokenClaim", 0, 0, 0.5)


def table_of(page: Path) -> list[list[str]]:
    lines = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


@pytest.mark.parametrize("name", ["performance.md", CELLS_PAGE])
def test_the_pages_hold_what_was_measured_and_nothing_else(name: str) -> None:
    text = (DOCS / name).read_text(encoding="utf-8")
    assert text == rendered(Record.read(DOCS / RECORD), text, cells=name == CELLS_PAGE)


def test_figures_stand_in_the_pages_and_around_them_what_stood_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "performance.md"
    page.write_text("# Performance\n\nWhat stands before.\n", encoding="utf-8")
    monkeypatch.setattr(records, "version", lambda: "1.2.3")
    record = Record("m")
    record.add("b", [Row("slow", 2.5, "s", 2.0, "peer: 3"), Row("many", 7, "edges")], [CELL, LOST])
    record.add("a", [Row("proven", 79.9, "%", 80.0, at_least=True)], [])
    write_pages(record, page)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Performance\n\nWhat stands before.\n")
    assert "Measured on m." in text
    assert text.count(f"Version 1.2.3, {record.measured['a'].date}.") == 2
    head, rule = ["work", "value", "bar", "", "peer"], ["---|---|---|---|---"]
    assert table_of(page) == [
        *(head, rule, ["proven", "79.9 %", "≥ 80 %", "**missed**", ""]),
        *(head, rule, ["slow", "2.5 s", "≤ 2 s", "**missed**", "peer: 3"], ["many", "7 edges", "", "", ""]),
    ]
    assert [line[:10] for line in table_of(tmp_path / CELLS_PAGE)[2:]] == [
        ["a k = 2", "34", "78", "21", "20", "4.76 %", "feasible", "1.234", "0.500", "paper: 22"],
        ["a k = 3", "34", "78", "0", "0", "inf %", "failed: BrokenClaim", "0.500", "", ""],
    ]
    assert (tmp_path / CELLS_PAGE).read_text(encoding="utf-8").startswith("# Figures of degree anonymization\n")


def test_a_record_comes_back_as_it_was_written_and_writing_twice_changes_nothing(tmp_path: Path) -> None:
    record = Record.here()
    record.add("b", [Row("slow", 2.5, "s", 2.0, 'the "peer" | 3')], [CELL, LOST])
    page = tmp_path / "page.md"
    write_pages(record, page)
    texts = [path.read_text(encoding="utf-8") for path in sorted(tmp_path.iterdir())]
    assert Record.read(tmp_path / RECORD) == record
    write_pages(Record.read(tmp_path / RECORD), page)
    assert [path.read_text(encoding="utf-8") for path in sorted(tmp_path.iterdir())] == texts


def test_figures_name_their_version_and_a_whole_run_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / RECORD
    record = Record.continued(path, anew=False)
    record.add("a", [Row("slow", 2.5, "s")], [])
    record.add("b", [Row("slow", 2.5, "s")], [])
    record.write(path)
    assert Record.continued(path, anew=False) == record
    monkeypatch.setattr(records, "version", lambda: "another")
    later = Record.continued(path, anew=False)
    later.add("b", [Row("slow", 1.5, "s")], [])
    assert [later.measured[name].version for name in "ab"] == [version(), "another"]
    assert later.measured["b"].rows == (Row("slow", 1.5, "s"),)
    assert Record.continued(path, anew=True) == Record.here()


def test_figures_of_two_machines_never_stand_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / RECORD
    Record.here().write(path)
    monkeypatch.setattr(records, "machine", lambda: "another")
    with pytest.raises(BadInput, match="run all benchmarks"):
        Record.continued(path, anew=False)
    assert Record.continued(path, anew=True) == Record("another")


def test_what_the_version_before_made_of_a_cell_stands_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, page = tmp_path / RECORD, tmp_path / "performance.md"
    old = Record.here()
    old.add("b", [], [CELL, replace(CELL, work="same"), replace(CELL, work="gone")])
    old.write(path)
    monkeypatch.setattr(records, "version", lambda: "another")
    new = Record.continued(path, anew=True)
    new.add("b", [], [replace(CELL, edges=20, seconds=2.0), replace(CELL, work="same"), replace(CELL, work="new")])
    write_pages(new, page)
    assert Record.read(path) == new
    assert table_of(page)[2:] == [["a k = 2", "21 → 20", "20 → 20", "1.2 → 2.0"]]
    assert "1 cells with the same edges and bound, 1 with better, 0 with worse ones" in page.read_text(encoding="utf-8")


def test_a_version_is_what_its_source_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert version() == version()
    (tmp_path / "cli").mkdir()
    monkeypatch.setattr(records, "_ROOT", tmp_path)
    found = {version()}
    for text in ("a = 1", "a = 2"):
        (tmp_path / "cli" / "a.py").write_text(text, encoding="utf-8")
        found.add(version())
    assert len(found) == 3
