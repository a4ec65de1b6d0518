"""`auditor start` leads from a file of each kind to a release that was verified, and prints the commands that do so."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from auditor.config import Settings
from tests.support.commands import environment, run_auditor
from tests.support.terminal import converse

SAMPLES = Path(__file__).resolve().parents[3] / "auditor" / "data"
NOWHERE = {"NEO4J_URI": "bolt://127.0.0.1:1"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with samples of the three kinds of files; the records are few and of two columns of numbers."""
    folder = tmp_path / "data"
    folder.mkdir()
    for name in ("friends.csv", "survey.csv"):
        (folder / name).write_bytes((SAMPLES / name).read_bytes())
    rows = "".join(f"Q{place},{20 + place},{place * place % 23},{place % 3}\n" for place in range(24))
    (folder / "staff.csv").write_text("staff,age,tenure,wage\n" + rows)
    return folder


def walked(
    folder: Path, home: Path, answers: Sequence[tuple[str, str]], *arguments: str, **more: str
) -> tuple[str, int]:
    command = [sys.executable, "-m", "cli.app", "start", *arguments]
    path = str(Path(__file__).resolve().parents[3])
    return converse(command, answers, cwd=folder, env=environment(home, PYTHONPATH=path, TERM="dumb", **more))


def commands_of(text: str) -> list[list[str]]:
    return [shlex.split(line[2:]) for line in text.splitlines() if line.startswith("$ auditor ")]


def test_a_network_is_found_among_the_files_of_the_folder(folder: Path, tmp_path: Path) -> None:
    answers = [
        ("Number", "1"),
        ("Number", ""),
        ("Who gets", ""),
        ("Write it to", "friends.csv"),
        ("Write it to", "public.csv"),
    ]
    text, code = walked(folder, tmp_path, answers, **NOWHERE)
    assert code == 0, text
    assert "1  friends.csv" in text
    assert "friends.csv is there already" in text
    assert "Released and verified: public.csv" in text
    names = [command[1:3] for command in commands_of(text)]
    assert names == [["network", "audit"], ["network", "anonymize"], ["network", "audit"]]
    assert run_auditor(["network", "audit", folder / "public.csv", "--k", "5"], tmp_path, **NOWHERE).code == 0


def test_records_are_asked_for_roles_alone(folder: Path, tmp_path: Path) -> None:
    answers = [
        ("What is a line", ""),
        ("Who gets", "4"),
        ("not to leave", "staff"),
        ("not learn", "wage"),
        ("know of a person", "age,salary"),
        ("no column 'salary'", ""),
        ("Write it to", ""),
    ]
    text, code = walked(folder, tmp_path, answers, "staff.csv", **NOWHERE)
    assert code == 0, text
    protected = commands_of(text)[1]
    # groups of means would not see to it that wages differ, as the policy demands
    assert protected[1:3] == ["microdata", "generalize"]
    assert protected[-4:-2] == ["--l", "2"]
    assert protected[4:12] == [
        "--identifier", "staff", "--quasi-identifier", "age,tenure", "--sensitive", "wage", "--k", "11",
    ]  # fmt: skip
    released = folder / "staff-released.csv"
    verified = ["microdata", "verify", folder / "staff.csv", released]
    assert run_auditor(verified, tmp_path, **NOWHERE).code == 0
    assert released.read_text().startswith("age,tenure,wage\n")
    assert "These columns go out as they are: wage." in text


def test_records_without_a_sensitive_column_may_be_given_as_means(folder: Path, tmp_path: Path) -> None:
    (folder / "two.csv").write_text("age,tenure\n" + "".join(f"{20 + n},{n * n % 23}\n" for n in range(40)))
    answers = [
        ("Who gets", ""),
        ("not to leave", ""),
        ("not learn", ""),
        ("know of a person", ""),
        ("How are values protected", ""),
        ("Write it to", ""),
    ]
    text, code = walked(folder, tmp_path, answers, "two.csv", "--kind", "microdata", **NOWHERE)
    assert code == 0, text
    assert commands_of(text)[1][1:3] == ["microdata", "microaggregate"]


@pytest.mark.neo4j
def test_a_marginal_is_asked_for_until_one_may_go_out(folder: Path, neo4j_settings: Settings) -> None:
    answers = [
        ("What is a line", ""),
        ("Under which name", "walked"),
        ("Who requests", "ann"),
        ("crossed", ""),
        ("Write it to", ""),
        ("crossed", "sex,smoking"),
        ("Write it to", ""),
    ]
    text, code = walked(folder, neo4j_settings.home, answers, "survey.csv")
    assert code == 0, text
    names = [command[1:3] for command in commands_of(text)]
    assert names == [["table", "add"], ["table", "request"], ["table", "frontier"], ["table", "request"]]
    assert (folder / "survey-released-sex-smoking.csv").read_text().startswith("sex,smoking,")
    assert not (folder / "survey-released-sex-smoking-illness-age.csv").exists()


def test_without_questions_it_takes_what_it_proposes(folder: Path, tmp_path: Path) -> None:
    done = run_auditor(["start", folder / "friends.csv", "--yes", "--k", "2", "--json"], tmp_path, **NOWHERE)
    assert done.code == 0, done.err
    assert Path(done.json["released"]).exists()
    assert done.json["commands"][0].split()[1:3] == ["network", "audit"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["start", "friends.csv"], "there is no terminal; --yes takes what it proposes"),
        (["start", "--yes"], "no file is named"),
        (["start", "nothing.csv", "--yes"], "nothing.csv"),
        (["start", "{folder}/friends.csv", "--yes", "--kind", "garden"], "no kind 'garden'"),
        (["start", "{folder}/survey.csv", "--yes", "--k", "5"], "a table has no k"),
    ],
)
def test_what_cannot_be_walked_is_said_in_one_line(
    folder: Path, tmp_path: Path, arguments: list[str], line: str
) -> None:
    done = run_auditor([word.format(folder=folder) for word in arguments], tmp_path, **NOWHERE)
    assert done.code == 2
    assert line in done.err
    assert len(done.err.strip().splitlines()) == 1


@pytest.mark.neo4j
def test_a_stored_table_is_not_taken_for_the_file(folder: Path, neo4j_settings: Settings) -> None:
    home = neo4j_settings.home
    assert run_auditor(["table", "add", "survey", folder / "survey.csv"], home).code == 0
    done = run_auditor(["start", folder / "survey.csv", "--yes"], home)
    assert (done.code, "is stored already" in done.err) == (2, True)
    assert run_auditor(["table", "remove", "survey", "--yes"], home).code == 0


def test_a_command_that_cannot_be_done_ends_it_with_an_answer(folder: Path, tmp_path: Path) -> None:
    (folder / "ties.csv").write_text("source,target\na,b\n")
    done = run_auditor(["start", folder / "ties.csv", "--yes", "--k", "9", "--json"], tmp_path, **NOWHERE)
    assert done.code == 2
    assert done.json["released"] is None
    assert done.json["commands"][-1].startswith("auditor network anonymize")
