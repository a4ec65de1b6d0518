"""`auditor microdata audit` on files: no store, one line for bad input, and no value of a record anywhere."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from auditor.core.digests import file_digest
from auditor.formats.records import Roles
from auditor.subjects.microdata.repository import MicrodataInfo
from cli.app import run

# an address where nothing answers: whoever needs a store fails
NOWHERE = "bolt://127.0.0.1:1"
CANARY = "quagmire"
TEXT = f"name,age,job,income,w\nzeb,4141,{CANARY},48151,10\nann,4141,{CANARY},48151,12\nbob,3535,smith,16234,9\n"


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NEO4J_URI", NOWHERE)
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    path = tmp_path / "people.csv"
    path.write_text(TEXT, encoding="utf-8")
    return path


def answer(capsys: pytest.CaptureFixture[str], *arguments: object, code: int) -> Any:
    assert run(["--json", "microdata", "audit", *map(str, arguments)]) == code
    out, _ = capsys.readouterr()
    return json.loads(out)


def test_an_audit_counts_and_names_columns_only(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--quasi-identifier", "age", "--quasi-identifier", "job", "--sensitive", "income", "--weight", "w")
    data = answer(capsys, people, *options, "--identifier", "name", "--suda", 2, "--k", 2, code=1)
    assert (data["records"], data["classes"]["unique_records"], data["verdict"]) == (3, 1, "violated")
    assert data["roles"]["identifiers"] == ["name"]
    assert data["diversity"][0]["homogeneous_records"] == 3
    assert data["closeness"][0]["distance"] == "ordered"
    assert data["special_uniques"]["minimal_by_size"] == [2, 0]
    assert 0 < data["risk"]["mean_risk"] < 1
    # 3 of 31 people are in the file: one record alone, two in a pair
    assert data["intrusion"]["match_probability"] == pytest.approx(3 / (3 + 2 * 28))
    assert run(["microdata", "audit", str(people), *options, "--suda", "2", "--k", "2"]) == 1
    said = "".join(capsys.readouterr()) + json.dumps(data)
    assert not [value for value in (CANARY, "4141", "48151", "zeb") if value in said]
    assert "age BIGINT" in said


def test_the_sampled_share_may_be_said(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = (people, "--quasi-identifier", "age,job", "--k", 2)
    assert answer(capsys, *options, "--suda", 2, code=1)["intrusion"] is None
    assert answer(capsys, *options, "--suda", 2, "--sampled", "50%", code=1)["intrusion"]["match_probability"] == 1 / 3
    assert run(["microdata", "audit", *map(str, options), "--suda", "2", "--sampled", "2"]) == 2
    assert "above 0 and at most 1" in capsys.readouterr().err
    assert run(["microdata", "audit", *map(str, options), "--sampled", "0.5"]) == 2
    assert "add --suda" in capsys.readouterr().err
    assert run(["microdata", "audit", *map(str, options), "--suda", "2", "--sampled", "0.5"]) == 1
    assert "a unique match is right (DIS)" in capsys.readouterr().out


def test_roles_come_from_a_file_and_options_overrule_it(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    roles = people.with_name("roles.toml")
    roles.write_text('quasi_identifiers = ["age"]\nsensitive = ["job"]\n', encoding="utf-8")
    lax = people.with_name("lax.toml")
    lax.write_text("[microdata]\nmax_share_below_k = 1.0\nmax_unique_records = 3\n", encoding="utf-8")
    options = ("--roles", roles, "--policy", lax)
    assert answer(capsys, people, *options, code=1)["findings"][0]["rule"] == "distinct_l"
    data = answer(capsys, people, *options, "--l", 1, "--sensitive", "income", code=0)
    assert data["roles"]["sensitive"] == ["income"]
    assert data["policy"]["microdata"]["distinct_l"] == 1
    assert answer(capsys, people, *options, "--l", 1, "--t", 0.1, code=1)["findings"][0]["rule"] == "t"


def test_a_search_that_is_undecided_could_not_complete(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy = people.with_name("policy.toml")
    policy.write_text(
        "[microdata]\nmax_share_below_k = 1.0\nmax_unique_records = 3\nmax_special_share = 0.9\nspecial_work = 1\n",
        encoding="utf-8",
    )
    data = answer(capsys, people, "--quasi-identifier", "age,job", "--policy", policy, code=3)
    assert (data["verdict"], data["special_uniques"]["is_complete"]) == ("undecided", False)
    assert run(["microdata", "audit", str(people), "--quasi-identifier", "age,job", "--policy", str(policy)]) == 3
    assert "Partial: 1 of 3 combinations" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "a proposal to correct: --identifier name --quasi-identifier age,job"),
        (["--quasi-identifier", "wage"], "there is no column 'wage'"),
        (["--quasi-identifier", "age", "--sensitive", "age"], "'age' has two roles"),
        (["--quasi-identifier", "age", "--weight", "job"], "'job' holds something else than numbers"),
        (["--quasi-identifier", "age", "--k", "1"], "at least 2"),
        (["--quasi-identifier", "age", "--t", "2"], "from 0 to 1"),
        (["--quasi-identifier", "age", "--roles", "no.toml"], "no such file"),
        (["--quasi-identifier", "age", "--delimiter", "ab"], "delimiter"),
    ],
)
def test_bad_input_gets_one_line(
    people: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    assert run(["microdata", "audit", str(people), *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert "Traceback" not in err
    assert CANARY not in err


def test_a_bad_line_is_named_without_its_content(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people.write_text(f"{TEXT}eve,{CANARY}\n", encoding="utf-8")
    assert run(["microdata", "audit", str(people), "--quasi-identifier", "age"]) == 2
    err = capsys.readouterr().err
    assert "line 5: the line has another number of columns" in err
    assert CANARY not in err
    assert run(["microdata", "audit", str(people.with_name("no.csv")), "--quasi-identifier", "age"]) == 2
    assert "does not exist" in capsys.readouterr().err


def test_values_are_shown_when_asked_for(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = answer(capsys, people, "--quasi-identifier", "job,age", "--k", 2, "--show-values", code=1)
    assert data["exposed"] == [{"values": ["smith", "3535"], "records": 1}]
    people.write_text("job,age\n,1\n,1\n,2\n", encoding="utf-8")
    options = ["--quasi-identifier", "job,age", "--k", "3", "--show-values"]
    assert run(["microdata", "audit", str(people), *options]) == 1
    assert "(missing)" in capsys.readouterr().out


@pytest.mark.parametrize(("change", "said"), [("changed", "changed since"), ("gone", "cannot be read")])
def test_stored_records_whose_file_is_another_violate_the_policy(
    people: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, change: str, said: str
) -> None:
    declared = Roles(quasi_identifiers=("age",))
    columns, digest = ("name", "age", "job", "income", "w"), file_digest(people)
    kept = (str(people), False, "csv", digest, people.name, datetime.now(UTC))
    info = MicrodataInfo(1, "people", 3, columns, ("VARCHAR",) * 5, json.dumps(declared.data()), *kept)
    audit = import_module("cli.microdata.audit")
    recorded: list[Any] = []
    monkeypatch.setattr(audit, "find_microdata_or_file", lambda *given: info)
    monkeypatch.setattr(audit, "_record", lambda *given, **named: recorded.append((given[3], named)) or "an id")
    people.unlink() if change == "gone" else people.write_text(f"{TEXT}eve,1,x,2,3\n", encoding="utf-8")
    data = answer(capsys, "people", "--show-values", code=1)
    assert (data["verdict"], data["audit"], data["classes"]) == ("violated", "an id", None)
    ((findings, named),) = recorded
    assert (findings[0].rule, named) == ("same_file", {"show_values": False})
    assert said in data["findings"][0]["message"]


def test_a_page_is_written_and_no_existing_one_replaced(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = people.with_name("page.html")
    words = ["microdata", "audit", str(people), "--quasi-identifier", "age,job", "--k", "2", "--report", str(page)]
    assert run(["--json", *words]) == 1
    assert json.loads(capsys.readouterr().out)["report"] == str(page)
    assert "Not passed" in page.read_text(encoding="utf-8")
    assert run(words) == 2
    assert "exists already" in capsys.readouterr().err
    assert run([*words, "--force"]) == 1
