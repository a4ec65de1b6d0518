"""The shell of the command line: options anywhere, one handler for errors, nothing imported too early."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import typer

from auditor import __version__
from auditor.core.errors import NotDelivered, NotFound, Refused, StoreUnavailable
from cli import app as cli_app
from cli.app import Root, run
from cli.terminal.context import context_of
from cli.terminal.lazy import LazyCommand
from graphkit.errors import BrokenClaim, InvalidInput, LimitReached, SolverFailed


def probe(behaviour: Callable[[], None]) -> ModuleType:
    """A command group `probe` with commands that show their context or do what a test wants."""
    module = ModuleType("probe_of_the_tests")
    group = typer.Typer()

    @group.command()
    def show(ctx: typer.Context, name: str = "") -> None:
        """Show the context. Example: auditor probe show"""
        context = context_of(ctx)
        context.output.note("a note")
        context.output.answer(
            {"store": context.store_url, "config": context.config_file, "name": name}, f"store is {context.store_url}"
        )

    @group.command()
    def act() -> None:
        """Do something. Example: auditor probe act"""
        behaviour()

    module.app = group  # type: ignore[attr-defined]
    return module


@pytest.fixture
def with_probe(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    def install(behaviour: Callable[[], None]) -> None:
        monkeypatch.setitem(sys.modules, "probe_of_the_tests", probe(behaviour))
        members = {**Root.members, "probe": LazyCommand("probe_of_the_tests", "For tests.")}
        monkeypatch.setattr(Root, "members", members)

    install(lambda: None)
    return install


def raising(error: BaseException) -> Callable[[], None]:
    def behaviour() -> None:
        raise error

    return behaviour


@pytest.mark.parametrize(
    "line",
    [
        ["--json", "--store", "bolt://h:1", "--config", "c.toml", "probe", "show"],
        ["probe", "--json", "--store", "bolt://h:1", "--config", "c.toml", "show"],
        ["probe", "show", "--json", "--store", "bolt://h:1", "--config", "c.toml"],
        ["--store", "bolt://other", "probe", "--config=c.toml", "show", "--store=bolt://h:1", "--json"],
    ],
)
@pytest.mark.usefixtures("with_probe")
def test_common_options_are_taken_anywhere_and_the_last_one_counts(
    line: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(line) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == {"store": "bolt://h:1", "config": "c.toml", "name": ""}
    assert err == ""


@pytest.mark.usefixtures("with_probe")
def test_notes_go_to_stderr_and_quiet_silences_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["probe", "show"]) == 0
    assert capsys.readouterr() == ("store is None\n", "a note\n")
    assert run(["probe", "show", "-q"]) == 0
    assert capsys.readouterr() == ("store is None\n", "")


@pytest.mark.usefixtures("with_probe")
def test_an_option_value_may_look_like_a_common_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["probe", "show", "--json", "--name", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "--quiet"


ERRORS: list[tuple[BaseException, int, str]] = [
    (NotFound("no network 'x'"), 2, "no network 'x'"),
    (Refused("k is not reached"), 1, "k is not reached"),
    (StoreUnavailable("not running"), 3, "not running"),
    (NotDelivered("disk full"), 4, "disk full"),
    (InvalidInput("k (1) must be at least 2"), 2, "k (1) must be at least 2"),
    (LimitReached("nothing valid in time"), 3, "nothing valid in time"),
    (SolverFailed("no answer"), 3, "no answer"),
    (BrokenClaim("sum"), 3, "internal check failed (sum); this is a bug in disclosure-auditor, please report it"),
    (OSError(errno.ENOSPC, "No space left on device", "o.csv"), 4, "the output could not be written"),
    (PermissionError(errno.EACCES, "Permission denied", "i.csv"), 3, "Permission denied: i.csv"),
    (KeyboardInterrupt(), 130, "interrupted"),
    (MemoryError(), 3, "not enough memory"),
    (KeyError("Alice"), 3, "internal error (KeyError"),
    (NotFound("two\nlines and \x1b[2J"), 2, "two lines and \\x1b[2J"),
]


@pytest.mark.parametrize(("error", "code", "message"), ERRORS, ids=lambda v: type(v).__name__)
def test_an_error_is_one_line_and_a_code(
    error: BaseException, code: int, message: str, with_probe: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    with_probe(raising(error))
    assert run(["probe", "act"]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"auditor: {message}")
    assert err.count("\n") == 1
    assert "Alice" not in err


@pytest.mark.parametrize(("error", "code", "message"), ERRORS, ids=lambda v: type(v).__name__)
def test_with_json_an_error_is_one_object(
    error: BaseException, code: int, message: str, with_probe: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    with_probe(raising(error))
    assert run(["probe", "act", "--json"]) == code
    out, err = capsys.readouterr()
    assert out == ""
    shown = json.loads(err)
    assert shown["error"]["exit_code"] == code
    assert set(shown) == {"error"}
    assert set(shown["error"]) == {"kind", "message", "exit_code"}


def test_a_traceback_is_shown_only_on_request(
    with_probe: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_probe(raising(KeyError("Alice")))
    monkeypatch.setenv("AUDITOR_DEBUG", "1")
    assert run(["probe", "act"]) == 3
    assert "Traceback" in capsys.readouterr().err


def test_the_reader_of_the_output_may_leave(with_probe: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with_probe(raising(BrokenPipeError(errno.EPIPE, "Broken pipe")))
    assert run(["probe", "act"]) == 141
    assert capsys.readouterr() == ("", "")


def test_a_command_says_no_with_its_exit_code(with_probe: Any) -> None:
    with_probe(raising(typer.Exit(1)))
    assert run(["probe", "act"]) == 1


@pytest.mark.parametrize(
    "line",
    [
        ["nope"],
        ["--nope"],
        ["probe"],
        ["probe", "nope"],
        ["probe", "show", "extra"],
        ["--store"],
        ["probe", "show", "-z"],
    ],
)
@pytest.mark.usefixtures("with_probe")
def test_wrong_usage_is_2_and_names_the_help(line: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(line) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("auditor: ")
    assert err.count("\n") == 1
    assert "--help" in err


def test_an_option_that_was_begun_is_the_first_that_is_suggested(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["microdata", "audit", "people.csv", "--quasi", "age"]) == 2
    assert "did you mean --quasi-identifier or --quiet?; see" in capsys.readouterr().err


def test_a_rule_that_is_given_as_an_option_is_said_to_be_one_of_the_policy(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["table", "request", "survey", "sex", "--by", "ann", "--k", "5"]) == 2
    assert "table.threshold is a rule of the policy: --policy FILE" in capsys.readouterr().err


def test_what_has_no_report_is_said_to_be_shown_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", "table:survey", "--out", "page.html"]) == 2
    assert "not about tables; 'auditor table show NAME'" in capsys.readouterr().err


@pytest.mark.usefixtures("with_probe")
def test_wrong_usage_with_json_is_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["probe", "show", "extra", "--json"]) == 2
    assert json.loads(capsys.readouterr().err)["error"]["kind"] == "UsageError"


def test_without_a_command_the_overview_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    assert "Usage: auditor" in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"auditor {__version__}\n"


@pytest.mark.parametrize("name", sorted(Root.members))
def test_every_member_can_be_loaded(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name, "--help"]) == 0
    assert f"Usage: auditor {name}" in capsys.readouterr().out


def run_process(*line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cli.app", *line],
        capture_output=True,
        text=True,
        cwd=Path(cli_app.__file__).parents[1],
        env={**os.environ, **environment},
        check=False,
    )


def test_the_shell_completes_commands_without_importing_them() -> None:
    done = run_process(_AUDITOR_COMPLETE="complete_bash", COMP_WORDS="auditor ne", COMP_CWORD="1")
    assert done.stdout.split() == ["network"]


def test_the_shell_completes_options_of_a_command() -> None:
    done = run_process(_AUDITOR_COMPLETE="complete_bash", COMP_WORDS="auditor policy check --js", COMP_CWORD="3")
    assert done.stdout.split() == ["--json"]


def test_colour_is_not_used_where_it_is_not_wanted() -> None:
    assert "\x1b" not in run_process("--help", NO_COLOR="1", FORCE_COLOR="").stdout


def test_a_full_disk_under_stdout_is_not_delivered() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    with full.open("w") as sink:
        done = subprocess.run(
            [sys.executable, "-m", "cli.app", "--version"], stdout=sink, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 4
    assert done.stderr.startswith("auditor: the output could not be written")
    assert done.stderr.count("\n") == 1


def test_a_closed_pipe_ends_quietly() -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "cli.app", "--version"], stdout=write, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("arguments", [["--version", "--json"], ["--json", "--version"]])
def test_the_version_is_json_where_that_is_asked_for(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 0
    assert json.loads(capsys.readouterr().out) == {"name": "disclosure-auditor", "version": __version__}


def test_every_exit_code_is_in_the_table_of_the_documents() -> None:
    page = (Path(__file__).parents[3] / "docs/errors.md").read_text(encoding="utf-8")
    table = page.partition("## Exit codes")[2].partition("\n## ")[0]
    assert [code for code in (0, 1, 2, 3, 4, 130, 141, 143) if str(code) not in table] == []
