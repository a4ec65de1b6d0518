"""`auditor report` of a file of records: recognized by its roles or its format, never by a guess."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.app import run


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text("age,sex,wage\n" + "41,f,8675309\n41,f,20\n35,m,30\n35,m,40\n" * 2)
    Path("roles.toml").write_text('quasi_identifiers = ["age", "sex"]\nsensitive = ["wage"]\n')
    return tmp_path


@pytest.mark.parametrize(("k", "code"), [(4, 0), (5, 1)])
def test_roles_say_that_a_file_holds_records(
    k: int, code: int, people: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["report", "people.csv", "--roles", "roles.toml", "--out", "page.html", "--k", str(k)]
    assert run(["--json", *words]) == code
    answer = json.loads(capsys.readouterr().out)
    assert (answer["microdata"], answer["passed"], answer["export"]) == ("people.csv", code == 0, None)
    page = Path("page.html").read_text()
    assert f"policy k = {k}" in page
    assert "8675309" not in page.replace(",", "")


@pytest.mark.usefixtures("people")
def test_a_word_for_a_missing_value_is_said_as_to_an_audit(capsys: pytest.CaptureFixture[str]) -> None:
    Path("people.csv").write_text("age,sex,wage\n" + "41,f,NA\n41,f,20\n35,m,30\n35,m,40\n" * 2)
    words = ["report", "people.csv", "--roles", "roles.toml", "--k", "4", "--force", "--out", "page.html"]
    assert run(words) == 0
    assert "'NA' beside numbers (in 2 records); --missing-text NA" in capsys.readouterr().err
    assert run([*words, "--missing-text", "NA"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["people.csv", "--roles", "roles.toml", "--public"], "a file has no export to report on"),
        (
            ["people.csv", "--roles", "roles.toml", "--symmetrize"],
            "only --delimiter and --missing-text are about these",
        ),
        (["people.csv", "--missing-text", "NA"], "say with --roles what its columns are"),
        (["people.sav"], "people.sav does not exist"),
        (["table:survey"], "there are reports about networks and microdata only, not about tables"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_line(
    words: list[str], said: str, people: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["report", *words, "--out", "page.html"]) == 2
    assert said in capsys.readouterr().err
    assert not Path("page.html").exists()
