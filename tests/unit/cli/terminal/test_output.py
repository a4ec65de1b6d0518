"""What goes where, and in which form."""

from __future__ import annotations

import io
import json
import re
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.core.plain import plain
from cli.terminal.output import Output, Progress, printable


class Colour(Enum):
    RED = "red"


@dataclass
class Pair:
    left: float
    right: object


def test_everything_a_command_answers_has_a_json_form(capsys: pytest.CaptureFixture[str]) -> None:
    data: dict[Any, Any] = {
        "array": np.array([[1, 2], [3, 4]]),
        "number": np.float64(0.5),
        "missing": float("nan"),
        "infinite": np.inf,
        "where": Path("a") / "b",
        "when": datetime(2026, 1, 2, tzinfo=UTC),
        "pair": Pair(1.0, {2}),
        "colour": Colour.RED,
        1: None,
    }
    Output(json=True).answer(data, "not shown")
    assert json.loads(capsys.readouterr().out) == {
        "array": [[1, 2], [3, 4]],
        "number": 0.5,
        "missing": None,
        "infinite": None,
        "where": "a/b",
        "when": "2026-01-02T00:00:00+00:00",
        "pair": {"left": 1.0, "right": [2]},
        "colour": "red",
        "1": None,
    }


def test_what_has_no_json_form_is_our_fault() -> None:
    with pytest.raises(TypeError, match="object has no JSON form"):
        plain({"x": object()})


@given(st.text())
def test_printable_text_moves_no_cursor(text: str) -> None:
    assert all(c.isprintable() or c in "\n\t" for c in printable(text))


@given(st.text(st.characters(categories=["L", "N", "P", "Zs"], codec="ascii")))
def test_harmless_text_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


def test_names_are_not_read_as_markup(capsys: pytest.CaptureFixture[str]) -> None:
    output = Output()
    output.answer({}, "[red]x[/red] :smile:", output.table(["name", "n"], [["[bold]a[/bold]", 12345], ["\x1b[2J", 1]]))
    out = capsys.readouterr().out
    assert "[red]x[/red] :smile:" in out
    assert "[bold]a[/bold]" in out
    assert "12,345" in out
    assert "\x1b" not in out


def test_no_cell_is_cut_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    output = Output()
    output.answer({}, output.table(["a", "b"], [["x" * 300, "y" * 300]]))
    assert [len(cell) for cell in capsys.readouterr().out.splitlines()[-1].split()] == [300, 300]


def test_a_table_without_rows_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    output = Output()
    output.answer({}, output.table(["name", "vertices"], []))
    first, *_, last = capsys.readouterr().out.split()
    assert (first, last) == ("name", "none")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_shows_phase_incumbent_and_bound_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    with Output().progress("friends") as progress:
        progress.phase("block DP", total=10)
        progress.done(5)
        progress.bounds("realize", 893, 880)
    shown = terminal.getvalue()
    assert "friends: realize" in shown
    assert "best 893, proven ≥ 880, gap 1.46 %" in shown


def shown_after(terminal: Terminal, *reports: tuple[str, int | None, int | None]) -> str:
    """The last line of a bar to which a search has reported."""
    with Output().progress("friends") as progress:
        progress.phase("read")
        for report in reports:
            progress.bounds(*report)
    return [line for line in re.split(r"[\r\n]", terminal.getvalue()) if "friends" in line][-1]


@pytest.mark.parametrize(
    ("reports", "detail"),
    [
        ([("bound", None, None)], ""),
        ([("bound", None, None), ("sequence", None, 880)], "proven ≥ 880"),
        ([("sequence", 893, None)], "best 893"),
        ([("sequence", 893, 880), ("cuts", None, None)], "best 893, proven ≥ 880, gap 1.46 %"),
        ([("sequence", 893, 880), ("cuts", 890, 889), ("cuts", 889, None)], "best 889, proven ≥ 889, gap 0 %"),
        ([("sequence", 21_961, 21_960)], "best 21,961, proven ≥ 21,960, gap < 0.01 %"),
        ([("sequence", 10_000_001, 0)], "best 10,000,001, proven ≥ 0, gap 100 %"),
        ([("sequence", 0, 0)], "best 0, proven ≥ 0"),
    ],
)
def test_a_bar_keeps_the_best_answer_and_the_bound_through_all_phases_of_a_search(
    reports: list[tuple[str, int | None, int | None]], detail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")
    line = shown_after(terminal, *reports)
    assert f"friends: {reports[-1][0]} " in line
    # spaces are a part of the pulsing bar
    assert re.search(rf"━[ ━]* {re.escape(detail)} ?0:00:00", line), line


def test_the_next_phase_of_a_command_forgets_the_figures_of_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with Output().progress("friends") as progress:
        progress.bounds("realize", 893, 880)
        progress.phase("write")
    assert "best" not in terminal.getvalue().split("friends: ")[-1]


def test_an_answer_takes_the_bar_away_and_a_note_stands_above_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    output = Output()
    with output.progress("friends") as progress:
        progress.phase("read")
        output.note("3 duplicate edges")
        output.answer({}, "the answer")
    text = terminal.getvalue()
    # what comes before on the same line is a bar, unless the line was wiped
    assert all(text.split(words)[0].endswith(("\x1b[2K", "\n", "\r")) for words in ("3 duplicate", "the answer"))
    assert "friends" not in text.split("the answer")[1]


def test_a_bar_within_a_bar_is_one_more_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    output = Output()
    with output.progress("add") as outer:
        with output.progress("store") as inner:
            assert inner is outer
            inner.report("fetching", 1, 10)
        outer.report("load", 0, 0)
    with output.progress("next") as third:
        assert third is not outer
    assert "add: fetching" in terminal.getvalue()


def test_no_bar_without_a_terminal_or_when_quiet(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Output().progress("friends") as progress:
        progress.phase("block DP")
        progress.bounds("realize", 893, 880)
    assert capsys.readouterr().err == ""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with Output(quiet=True).progress("friends") as progress:
        progress.done(1)
    assert terminal.getvalue() == ""
    Progress().phase("nothing")


def test_a_remark_about_the_input_comes_with_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    output = Output()
    output.note_with_answer("read as csv")
    assert capsys.readouterr().err == ""
    output.answer({}, "done")
    output.answer({}, "again")
    told = capsys.readouterr()
    assert (told.err, told.out) == ("read as csv\n", "done\nagain\n")
