"""What a command about files of records reads is never replaced by what it writes, not even with ``--force``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.app import run

GENERALIZE = "generalize people.csv --k 2 --attribute job --hierarchy job=jobs.csv --effort 0.1"
MICROAGGREGATE = "microaggregate people.csv --k 2 --attribute age --effort 0.1"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text("age,job\n20,cook\n21,nurse\n22,cook\n23,nurse\n")
    (tmp_path / "jobs.csv").write_text("cook;*\nnurse;*\n")
    # the names of outputs, whose suffixes --out would accept
    (tmp_path / "roles.tsv").write_text('quasi_identifiers = ["age"]\n')
    (tmp_path / "policy.tsv").write_text("[microdata]\nk = 2\n")
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", ["generalize --attribute job", "microaggregate --attribute age"])
def test_what_is_left_out_is_not_released_and_is_no_identifier(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("people.csv").write_text("age,job,shoe\n20,cook,40\n21,nurse,41\n22,cook,42\n23,nurse,43\n")
    name, *options = command.split()
    words = ["people.csv", "--k", "2", "--leave-out", "shoe", "--effort", "0.1", "--out", "released.csv", "--json"]
    assert run(["microdata", name, *words, *options]) == 0
    assert Path("released.csv").read_text().splitlines()[0] == "age,job"
    Path("policy.toml").write_text("[microdata]\nk = 2\nforbid_identifiers = true\n")
    # it names nobody, so that no policy forbids it
    lax = ["--quasi-identifier", "age", "--policy", "policy.toml", "--leave-out", "shoe", "--json"]
    capsys.readouterr()
    assert run(["microdata", "audit", "people.csv", *lax]) == 1
    assert "forbid_identifiers" not in [one["rule"] for one in json.loads(capsys.readouterr().out)["findings"]]


@pytest.mark.parametrize(
    ("words", "target"),
    [
        ("audit people.csv --quasi-identifier age --report people.csv", "people.csv"),
        ("audit people.csv --roles roles.tsv --report roles.tsv", "roles.tsv"),
        ("audit people.csv --quasi-identifier age --policy policy.tsv --report ./policy.tsv", "policy.tsv"),
        (f"{GENERALIZE} --dry-run --report jobs.csv", "jobs.csv"),
        (f"{GENERALIZE} --out jobs.csv", "jobs.csv"),
        (f"{GENERALIZE} --roles roles.tsv --out roles.tsv", "roles.tsv"),
        (f"{GENERALIZE} --dry-run --policy policy.tsv --report policy.tsv", "policy.tsv"),
        (f"{MICROAGGREGATE} --roles roles.tsv --out roles.tsv", "roles.tsv"),
        (f"{MICROAGGREGATE} --dry-run --roles roles.tsv --report roles.tsv", "roles.tsv"),
        (f"{MICROAGGREGATE} --policy policy.tsv --out policy.tsv", "policy.tsv"),
    ],
)
def test_what_is_read_is_not_replaced(
    folder: Path, words: str, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert run(["microdata", *words.split(), "--force"]) == 2
    said = capsys.readouterr().err
    assert target in said
    assert "choose another name" in said
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
