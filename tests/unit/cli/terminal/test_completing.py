"""What the shell offers, and what a wrong name suggests."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from auditor.core.errors import NotFound
from auditor.store.subjects import missing_subject
from cli.app import root_command
from cli.reference import commands
from cli.terminal import completing
from cli.terminal.completing import files_or, formats, methods, presets, stored, subjects
from cli.terminal.context import Context
from cli.terminal.subject import find_network
from cli.terminal.suggesting import with_suggestion

STORE: Any = SimpleNamespace(connection=None, ledger=None)
FOUND = [("network", "friends"), ("network", "wiki"), ("table", "survey")]


@pytest.fixture(autouse=True)
def stored_things(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditor.audits.subjects.all_subjects", lambda connection: FOUND)
    monkeypatch.setattr("auditor.schedules.repository.Schedules.list", lambda self: [SimpleNamespace(name="weekly")])
    monkeypatch.setattr("auditor.subjects.named.NamedSubjects.exists", lambda self, name: (self.family, name) in FOUND)


@pytest.fixture
def ctx(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(completing, "_store", contextmanager(lambda ctx: iter([STORE])))
    return SimpleNamespace(find_root=lambda: SimpleNamespace(obj=None))


def test_stored_names_are_offered(ctx: Any) -> None:
    assert stored("network")(ctx, "") == ["friends", "wiki"]
    assert stored("network")(ctx, "w") == ["wiki"]
    assert stored("table")(ctx, "") == ["survey"]
    assert stored("schedule")(ctx, "") == ["weekly"]


def test_files_are_offered_beside_names(ctx: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fresh.csv").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "f.csv").touch()
    (tmp_path / ".hidden").touch()
    assert files_or("network")(ctx, "f") == ["friends", "folder/", "fresh.csv"]
    assert files_or("network")(ctx, "folder/") == ["folder/f.csv"]
    assert files_or("network")(ctx, f"{tmp_path}/fr") == [f"{tmp_path}/fresh.csv"]
    assert ".hidden" not in files_or("network")(ctx, "")


def test_subjects_are_offered_with_their_kind(ctx: Any) -> None:
    assert subjects(ctx, "t") == ["table:survey"]


def test_methods_presets_and_formats_are_offered() -> None:
    assert presets("") == ["internal", "research", "public"]
    assert methods("two") == ["two-phase"]
    assert "graphml" in formats("g")


def test_a_store_that_does_not_run_is_not_started_and_nothing_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AUDITOR_HOME", str(tmp_path))
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    monkeypatch.delenv("NEO4J_URI", raising=False)
    opened: list[object] = []
    monkeypatch.setattr("auditor.store.open_store", opened.append)
    nobody: Any = SimpleNamespace(find_root=lambda: SimpleNamespace(obj=Context()))
    assert stored("network")(nobody, "") == []
    assert opened == []
    assert capfd.readouterr() == ("", "")


def test_the_shell_is_answered() -> None:
    line = "auditor audit run --preset re"
    environment = {
        **os.environ,
        "_AUDITOR_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split()) - 1),
    }
    done = subprocess.run(
        [sys.executable, "-m", "cli.app"], capture_output=True, text=True, env=environment, check=False
    )
    assert done.stdout.split() == ["research"]


def test_every_name_of_something_stored_and_every_choice_is_completed() -> None:
    missing = []
    for path, command in commands():
        for param in command.params:
            stored_name = param.param_type_name == "argument" and (param.help or "").startswith(
                ("Name of a stored", "A stored", "network:NAME", "Name of a schedule.")
            )
            choice = {"--preset", "--method", "--knowledge", "--role"} & set(param.opts)
            if (stored_name or choice) and param._custom_shell_complete is None:
                missing.append((path, param.name))
    assert missing == []
    assert root_command()


@pytest.mark.parametrize(
    ("error", "meant"),
    [
        (missing_subject("network", "wikki"), "wiki"),
        (missing_subject("network", "Friend"), "friends"),
        (missing_subject("table", "survy"), "survey"),
        (missing_subject("schedule", "weekly2"), "weekly"),
        (missing_subject("network", "qqq"), None),
        (missing_subject("export", "wiki"), None),
        (NotFound("something else"), None),
    ],
)
def test_a_wrong_name_suggests_the_one_that_is_meant(error: NotFound, meant: str | None) -> None:
    context: Any = SimpleNamespace(store=STORE)
    told = str(with_suggestion(error, context))
    assert told == (str(error) if meant is None else f"{error}; did you mean {meant!r}?")


def test_a_network_or_file_that_is_neither_suggests_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "friends.csv").touch()
    context: Any = SimpleNamespace(store=STORE)
    for said, meant in (("wikki", "wiki"), ("frends.csv", "friends.csv")):
        with pytest.raises(NotFound) as caught:
            find_network(context, said)
        assert str(with_suggestion(caught.value, context)).endswith(f"; did you mean {meant!r}?")


def test_a_suggestion_that_cannot_be_made_does_not_hide_the_error() -> None:
    class Away:
        @property
        def store(self) -> Any:
            raise RuntimeError

    away: Any = Away()
    assert str(with_suggestion(missing_subject("network", "wikki"), away)).endswith("'auditor network list'")
