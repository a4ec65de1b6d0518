"""Somebody ends a command while it works: it cleans up, says at most one line, and tells by its exit code."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

# a command that says when it works, then waits for input that never comes
WAITING = """
import signal, sys, types, typer
from pathlib import Path
from cli import app as program
from cli.terminal.lazy import LazyCommand

# a run in the background may have been told to ignore it, and hands that down
signal.signal(signal.SIGINT, signal.default_int_handler)
module = types.ModuleType("waiting")
module.app = typer.Typer()

@module.app.command()
def wait(marker: Path) -> None:
    try:
        print("ready", flush=True)
        sys.stdin.read()
    finally:
        marker.touch()

sys.modules["waiting"] = module
program.Root.members = {"wait": LazyCommand("waiting", "For tests.")}
sys.argv = ["auditor", "wait", *sys.argv[1:]]
program.main()
"""


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize(
    ("number", "code", "said"),
    [
        (signal.SIGTERM, 143, "asked to end"),
        (signal.SIGHUP, 129, "asked to end"),
        (signal.SIGINT, 130, "interrupted"),
    ],
)
def test_a_command_that_is_ended_cleans_up(number: int, code: int, said: str, as_json: bool, tmp_path: Path) -> None:
    marker = tmp_path / "cleaned-up"
    process = subprocess.Popen(
        [sys.executable, "-c", WAITING, str(marker), *(["--json"] if as_json else [])],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
    finally:
        process.kill()
    shown = {"error": {"kind": "Interrupted", "message": said, "exit_code": code}}
    assert (process.returncode, err) == (code, f"{json.dumps(shown) if as_json else f'auditor: {said}'}\n")
    assert marker.exists()
