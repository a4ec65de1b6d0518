"""`auditor microdata verify` of files or manifests that were changed: nothing is confirmed that makes no sense."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from cli.app import run

GENERALIZED = "generalize people.csv --k 3 --attribute age,job --household home --sensitive ill --l 2 --effort 0.1"
GROUPED = "microaggregate people.csv --k 3 --attribute age --stratum town --method mdav"
JOBS = ("clerk", "cook", "nurse")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of records."""
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    monkeypatch.chdir(tmp_path)
    rows = [f"P{n},{20 + n % 7},{JOBS[n % 3]},h{n // 2},{'AB'[n % 2]},{'xyz'[n % 3]}" for n in range(24)]
    Path("people.csv").write_text("\n".join(["name,age,job,home,town,ill", *rows]) + "\n", encoding="utf-8")
    return tmp_path


def verified(command: str, capsys: pytest.CaptureFixture[str], change: dict[str, Any]) -> tuple[int, str]:
    """Return exit code and answer of a verification after a change of the claim."""
    if not Path("out.csv").exists():
        assert run(["--json", "microdata", *command.split(), "--identifier", "name", "--out", "out.csv"]) == 0
    path = Path("out.csv.manifest.json")
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["claim"] |= change
    manifest["files"]["out.csv"]["sha256"] = hashlib.sha256(Path("out.csv").read_bytes()).hexdigest()
    path.write_text(json.dumps(manifest), encoding="utf-8")
    capsys.readouterr()
    code = run(["--json", "microdata", "verify", "people.csv", "out.csv"])
    return code, "".join(capsys.readouterr())


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("command", "change", "code", "said"),
    [
        (GENERALIZED, {"k": 1}, 2, "lacks k"),
        (GENERALIZED, {"k": 3.7}, 2, "lacks k"),
        (GENERALIZED, {"attributes": []}, 2, "names no attribute"),
        (GENERALIZED, {"generalized": {"age": "range", "job": "range"}}, 1, "a value is none"),
        (GENERALIZED, {"stratum": "name"}, 1, "lacks a column"),
        (GENERALIZED, {"sensitive": [{"column": "name", "distinct": 2}]}, 1, "lacks a column"),
        (GROUPED, {"k": 0}, 2, "lacks k"),
        (GROUPED, {"attributes": []}, 2, "names no attribute"),
        (GROUPED, {"whole_numbers": ["town"]}, 2, "of another column"),
        (GROUPED, {"aggregate": "by attribute", "aggregates": {"age": "sum"}}, 2, "cannot check"),
        (GROUPED, {"stratum": "name"}, 1, "lacks a column"),
    ],
)
def test_a_claim_that_makes_no_sense_is_not_confirmed(
    capsys: pytest.CaptureFixture[str], command: str, change: dict[str, Any], code: int, said: str
) -> None:
    found = verified(command, capsys, change)
    assert found[0] == code
    assert said in found[1]


@pytest.mark.usefixtures("folder")
def test_households_that_are_in_the_file_are_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    assert verified(GENERALIZED, capsys, {})[0] == 0
    lines = [line.split(",") for line in Path("out.csv").read_text(encoding="utf-8").splitlines()]
    added = [",".join([*line[:2], "home" if line[0] == "age" else "h1", *line[2:]]) for line in lines]
    Path("out.csv").write_text("\n".join(added) + "\n", encoding="utf-8")
    assert "must not be published" in verified(GENERALIZED, capsys, {})[1]


def released_and_verified(command: str, original: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Return exit code and answer of a verification against an original, after a release."""
    if not Path("out.csv").exists():
        assert run(["--json", "microdata", *command.split(), "--identifier", "name", "--out", "out.csv"]) == 0
    capsys.readouterr()
    code = run(["microdata", "verify", original, "out.csv"])
    return code, "".join(capsys.readouterr())


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", [GENERALIZED, GROUPED])
def test_another_original_is_no_fault_of_the_release(capsys: pytest.CaptureFixture[str], command: str) -> None:
    text = Path("people.csv").read_text(encoding="utf-8")
    Path("other.csv").write_text(text.replace(",20,", ",70,").replace("x\n", "y\n"), encoding="utf-8")
    code, said = released_and_verified(command, "other.csv", capsys)
    assert (code, "other.csv is not the very file that was protected" in said) == (1, True)
    assert "Either" not in said
    with Path("out.csv").open("a", encoding="utf-8") as file:
        file.write(Path("out.csv").read_text(encoding="utf-8").splitlines()[1] + "\n")
    code, said = released_and_verified(command, "people.csv", capsys)
    assert (code, "Either out.csv was changed after its release, or people.csv is not" in said) == (1, True)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", [GENERALIZED, GROUPED])
def test_each_file_is_read_by_its_own_delimiter_and_errors_name_the_file(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    released_and_verified(command, "people.csv", capsys)
    lines = Path("out.csv").read_text(encoding="utf-8").splitlines()
    Path("out.csv").write_text("\n".join(lines).replace(",", ";") + "\n", encoding="utf-8")
    code, said = released_and_verified(command, "people.csv", capsys)
    assert (code, said.count("fails")) == (1, 1)
    assert "the file was changed since publication" in said
    # and nothing but its bytes was changed
    assert "people.csv is not" not in said
    lines[2] += ",more"
    Path("out.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    code, said = released_and_verified(command, "people.csv", capsys)
    assert (code, said) == (
        2,
        "auditor: out.csv, line 3: the line has another number of columns than the header; correct the line\n",
    )


@pytest.mark.usefixtures("folder")
def test_a_value_of_another_type_is_an_error_of_the_release(capsys: pytest.CaptureFixture[str]) -> None:
    key = ["--key-file", "key.csv", "--identifier", "name", "--out", "out.csv"]
    assert run(["--json", "microdata", *GROUPED.split(), *key]) == 0
    lines = Path("out.csv").read_text(encoding="utf-8").splitlines()
    Path("out.csv").write_text("\n".join([*lines[:-1], "old" + lines[-1][2:]]) + "\n", encoding="utf-8")
    capsys.readouterr()
    assert run(["microdata", "verify", "people.csv", "out.csv", "--key", "key.csv"]) == 2
    assert capsys.readouterr().err.startswith("auditor: out.csv, line 25: ")
