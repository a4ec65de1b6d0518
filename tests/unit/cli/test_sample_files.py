"""`auditor demo --files`: sample files in a new or empty folder, and what they are made for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from auditor.config import EdgeTableSettings
from auditor.formats.edge_tables import open_counter
from auditor.formats.tables import TableOptions, read_table
from cli.app import run
from graphkit.tables import decide


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    return tmp_path


@pytest.mark.parametrize("name", ["sample", "new/sample", "."])
def test_files_are_written_into_a_new_or_empty_folder(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--json", "demo", "--files", name]) == 0
    written = json.loads(capsys.readouterr().out)["files"]
    assert written == [str(Path(name) / file) for file in ("friends.csv", "survey.csv", "people.csv")]
    assert all(Path(path).stat().st_size > 0 for path in written)


def test_a_folder_with_files_is_left_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "friends.csv").write_text("mine")
    assert run(["demo", "--files", "."]) == 2
    assert "not empty" in capsys.readouterr().err
    assert [path.name for path in folder.iterdir()] == ["friends.csv"]
    assert (folder / "friends.csv").read_text() == "mine"


def test_a_file_in_the_place_of_the_folder_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "sample").write_text("mine")
    assert run(["demo", "--files", "sample"]) == 2
    assert "is not a folder" in capsys.readouterr().err


def test_the_network_fails_an_audit() -> None:
    assert run(["-q", "demo", "--files", "sample"]) == 0
    assert run(["-q", "network", "audit", "sample/friends.csv", "--k", "5"]) == 1


def test_the_records_fail_an_audit() -> None:
    assert run(["-q", "demo", "--files", "sample"]) == 0
    assert run(["-q", "microdata", "audit", "sample/people.csv", "--quasi-identifier", "region,age,hours"]) == 1


def test_the_third_marginal_of_the_table_is_refused_because_of_the_first_two(folder: Path) -> None:
    assert run(["-q", "demo", "--files", "sample"]) == 0
    with open_counter(EdgeTableSettings(memory="400m", threads=2), folder) as counter:
        table = read_table(counter, Path("sample/survey.csv"), TableOptions()).table
    first, second, third = ["sex", "smoking"], ["smoking", "illness"], ["sex", "illness"]
    assert decide(table, released=[first], requested=second).answer == "release"
    assert decide(table, released=[], requested=third).answer == "release"
    assert decide(table, released=[first, second], requested=third).answer == "refuse"
