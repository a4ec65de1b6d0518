"""How `--help` reads: every command, at 80 columns."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from cli.app import root_command, run
from cli.reference import commands
from cli.terminal.help import LONG, PANELS

COMMANDS = dict(commands())
COMMON = {option.name for option in root_command().params}
PANEL_OF = {name: panel for panel, names in PANELS.items() for name in names}


def own_options(command: Any) -> list[Any]:
    options = [param for param in command.params if param.param_type_name == "option" and not param.hidden]
    return [option for option in options if option.name not in COMMON or option.rich_help_panel is None]


def shown(path: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    monkeypatch.setenv("COLUMNS", "80")
    assert run([*path.split(), "--help"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("path", ["", *COMMANDS])
def test_no_type_and_no_cut_name_is_shown(
    path: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(path, monkeypatch, capsys)
    assert not re.search(r"<\w+", text)
    assert not re.search(r"--[\w-]*…", text)
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("path", ["network anonymize", "serve", "table bounds"])
def test_a_long_command_has_panels(
    path: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(path, monkeypatch, capsys)
    titles = re.findall(r"╭─ ([^─]+) ─", text)
    wanted = {PANEL_OF.get(option.name, "Options") for option in own_options(COMMANDS[path])}
    assert set(titles) == wanted | {"Options", "Everywhere (before or after the command)"} | set(titles) & {"Arguments"}
    assert len(wanted) >= 3


def test_panels_name_options_of_long_commands_alone() -> None:
    known = {option.name for command in COMMANDS.values() if len(own := own_options(command)) >= LONG for option in own}
    assert PANEL_OF.keys() <= known


def test_an_option_that_takes_a_value_has_a_placeholder() -> None:
    for path, command in COMMANDS.items():
        for option in own_options(command):
            assert bool(option.metavar) == (not option.is_flag), f"{path} {option.opts}"


def test_a_paragraph_is_wrapped_to_the_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [line.strip() for line in shown("serve", monkeypatch, capsys).splitlines()]
    begin = next(number for number, line in enumerate(lines) if line.startswith("It listens"))
    paragraph = lines[begin : lines.index("", begin)]
    assert len(paragraph) >= 3
    # a word that does not fit goes to the next line, nothing else does
    for line, following in pairwise(paragraph):
        assert len(line) + len(following.split()[0]) >= 77
