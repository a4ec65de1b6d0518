"""Words for a missing value: read as such where the user says so, and noticed where they make text of numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.config import EdgeTableSettings
from auditor.core.errors import BadInput
from auditor.formats.records import open_records
from auditor.formats.records.missing import MissingWords, missing_words
from cli.app import run

SETTINGS = EdgeTableSettings(threads=1)


@pytest.mark.parametrize("word", ["NA", "N/A", "null", "NaN", ".", "-", "?"])
def test_a_word_is_missing_where_the_user_says_so(tmp_path: Path, word: str) -> None:
    path = tmp_path / "r.csv"
    path.write_text(f'age,job\n41,{word}\n{word},cook\n"{word}",\n7,nurse\n', encoding="utf-8")
    with open_records(path, SETTINGS, missing=[word]) as opened:
        assert [column.type for column in opened.columns] == ["BIGINT", "VARCHAR"]
        coded = opened.read(["job"], ["age"])
    assert coded.columns["job"].codes.max() == 2
    assert sum(coded.numbers["age"] == coded.numbers["age"]) == 2


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        (["41", "NA", "7.5", "NA", ""], MissingWords("age", ("NA",), 2)),
        (["41", "n/a", "-"], MissingWords("age", ("-", "n/a"), 2)),
        (["NA", "cook", "41"], None),
        (["NA", "-"], None),
        # codes stay text, whatever is missing
        (["01006", "NA"], None),
        (["41", "7"], None),
    ],
)
def test_words_that_make_text_of_numbers_are_found(
    tmp_path: Path, fields: list[str], found: MissingWords | None
) -> None:
    path = tmp_path / "r.csv"
    path.write_text("".join(f"{one},x\n" for one in ["age", *fields]), encoding="utf-8")
    with open_records(path, SETTINGS) as opened:
        assert missing_words(opened) == (() if found is None else (found,))


def test_a_word_that_is_no_field_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("age;job\n1;2\n", encoding="utf-8")
    with pytest.raises(BadInput, match="has the delimiter"), open_records(path, SETTINGS, missing=["N;A"]):
        pass


@pytest.mark.parametrize(
    "command",
    ["audit --quasi-identifier age", "generalize --attribute age --effort 0.1", "microaggregate --attribute age"],
)
def test_commands_say_so_and_take_the_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    monkeypatch.chdir(tmp_path)
    Path("r.csv").write_text("age\n" + "41\n35\nNA\n" * 4, encoding="utf-8")
    name, *options = command.split()
    words = ["microdata", name, "r.csv", "--k", "2", *options]
    words += [] if name == "audit" else ["--dry-run"]
    words += ["--missing", "group"] if name == "microaggregate" else []
    assert run(words) == 0
    said = capsys.readouterr().err
    assert "column 'age' is read as text, since it holds 'NA' beside numbers (in 4 records); --missing-text NA" in said
    assert "--missing-text NA, or empty fields instead, make it a column of numbers" in said
    assert "41" not in said
    assert run([*words, "--missing-text", "NA"]) == 0
    assert "--missing-text" not in capsys.readouterr().err


def test_what_was_read_so_is_verified_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    monkeypatch.chdir(tmp_path)
    Path("r.csv").write_text("age\n" + "41\n35\nNA\n" * 4, encoding="utf-8")
    missing = ["--missing-text", "NA"]
    options = ["--k", "2", "--attribute", "age", "--effort", "0.1", "--out", "out.csv"]
    assert run(["microdata", "generalize", "r.csv", *options, *missing]) == 0
    assert "NA" not in Path("out.csv").read_text(encoding="utf-8")
    assert run(["microdata", "verify", "r.csv", "out.csv", *missing]) == 0
    assert run(["microdata", "verify", "r.csv", "out.csv"]) == 1
    assert "--missing-text" in capsys.readouterr().out
