"""The pages of figures: each benchmark from one run of the version beside it, and by nobody's hand."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from pathlib import Path

import pytest

from auditor.core.errors import BadInput
from benchmarks import record as records
from benchmarks.cell import Cell
from benchmarks.pages import CELLS_PAGE, FOLDER, RECORD, files_of, rendered, write_pages
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


def test_data_files_and_pictures_are_those_of_the_record() -> None:
    files = files_of(Record.read(DOCS / RECORD))
    assert {path.name for path in (DOCS / FOLDER).iterdir()} == {*files, Path(RECORD).name}
    assert {name: (DOCS / FOLDER / name).read_text(encoding="utf-8") for name in files} == files


def test_every_figure_is_in_the_data_files_and_in_the_pictures() -> None:
    record = Record("m")
    rows = [Row("slow", 2.5, "s", 2.0, "peer: 3"), Row("many", 7, "edges"), Row("none", 0, "errors", 0)]
    rows.append(Row("proven", 90, "%", 80.0, at_least=True))
    record.add("b-1", rows, [CELL, replace(CELL, work="b k = 2", bound=21), LOST])
    files = files_of(record)
    lines = list(csv.DictReader(files["performance.csv"].splitlines()))
    assert [(line["work"], float(line["value"]), line["holds"]) for line in lines] == [
        ("slow", 2.5, "False"), ("many", 7, "True"), ("none", 0, "True"), ("proven", 90, "True"),
    ]  # fmt: skip
    assert [line["work"] for line in csv.DictReader(files["degree.csv"].splitlines())] == [
        "a k = 2",
        "b k = 2",
        "a k = 3",
    ]
    drawn = {name: re.findall(r"<title>(.*?)[:<]", files[name]) for name in files if name.endswith(".svg")}
    assert drawn["performance.svg"][:2] == ["slow", "proven"]
    assert drawn["degree-gaps.svg"] == ["a k = 2", "b k = 2", "a k = 3"]
    assert drawn["degree-times.svg"][:3] == ["a k = 2", "b k = 2", "a k = 3"]
    slow, proven = (
        re.search(f"<(path|circle)[^<]*<title>{word}", files["performance.svg"]) for word in ("slow", "proven")
    )
    assert slow is not None
    assert proven is not None
    assert (slow[1], proven[1]) == ("path", "circle")


def test_a_short_page_counts_figures_and_names_those_that_miss_their_bar(tmp_path: Path) -> None:
    page = tmp_path / "performance.md"
    page.write_text("# Performance\n\nWhat stands before.\n", encoding="utf-8")
    record = Record("m")
    record.add("b", [Row("slow", 2.5, "s", 2.0, "peer: 3"), Row("many", 7, "edges")], [CELL, LOST])
    record.add("a", [Row("proven", 79.9, "%", 80.0, at_least=True), Row("quick", 1, "s", 2)], [])
    write_pages(record, page)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Performance\n\nWhat stands before.\n")
    assert "Measured on m." in text
    assert "1 of 3 figures that have a bar are within it; 2 miss it." in text
    day = record.measured["a"].date
    rule = "---|---|---|---"
    assert table_of(page) == [
        ["area", "figures", "with a bar", "missed", "measured"], [f"{rule}|---"],
        ["a", "2", "2", "1", day], ["b", "2", "1", "1", day],
        ["work", "value", "bar", "others"], [rule],
        ["slow", "2.5 s", "≤ 2 s", "peer: 3"], ["proven", "79.9 %", "≥ 80 %", ""],
    ]  # fmt: skip
    cells = tmp_path / CELLS_PAGE
    assert table_of(cells)[2] == ["b", "2", "0", "inf %", "inf %", "0.87 s", "1.23 s"]
    assert cells.read_text(encoding="utf-8").startswith("# Figures of degree anonymization\n")


def test_a_record_comes_back_as_it_was_written_and_writing_twice_changes_nothing(tmp_path: Path) -> None:
    record = Record.here()
    record.add("b", [Row("slow", 2.5, "s", 2.0, 'the "peer" | 3')], [CELL, LOST])
    page = tmp_path / "page.md"
    write_pages(record, page)
    files = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    texts = [path.read_text(encoding="utf-8") for path in files]
    assert Record.read(tmp_path / RECORD) == record
    write_pages(Record.read(tmp_path / RECORD), page)
    assert [path.read_text(encoding="utf-8") for path in files] == texts


def test_figures_name_their_version_and_a_whole_run_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / Path(RECORD).name
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
    path = tmp_path / Path(RECORD).name
    Record.here().write(path)
    monkeypatch.setattr(records, "machine", lambda: "another")
    with pytest.raises(BadInput, match="run all benchmarks"):
        Record.continued(path, anew=False)
    assert Record.continued(path, anew=True) == Record("another")


def test_what_the_version_before_made_of_a_cell_stands_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, page = tmp_path / RECORD, tmp_path / "performance.md"
    path.parent.mkdir()
    old = Record.here()
    old.add("b", [], [CELL, replace(CELL, work="same"), replace(CELL, work="gone")])
    old.write(path)
    monkeypatch.setattr(records, "version", lambda: "another")
    new = Record.continued(path, anew=True)
    new.add("b", [], [replace(CELL, edges=20, seconds=2.0), replace(CELL, work="same"), replace(CELL, work="new")])
    write_pages(new, page)
    assert Record.read(path) == new
    cells = page.with_name(CELLS_PAGE)
    assert table_of(cells)[-1] == ["a k = 2", "21 → 20", "20 → 20", "1.2 → 2.0"]
    assert "1 cells have the same edges and bound, 1 are better, 0 are worse." in cells.read_text(encoding="utf-8")


def test_a_version_is_what_its_source_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert version() == version()
    (tmp_path / "cli").mkdir()
    monkeypatch.setattr(records, "_ROOT", tmp_path)
    found = {version()}
    for text in ("a = 1", "a = 2"):
        (tmp_path / "cli" / "a.py").write_text(text, encoding="utf-8")
        found.add(version())
    assert len(found) == 3
