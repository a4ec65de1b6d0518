"""Somebody ends a command while it works: it cleans up, says at most one line, and tells by its exit code."""

from __future__ import annotations

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
sys.argv = ["auditor", "wait", sys.argv[1]]
program.main()
"""


@pytest.mark.parametrize(
    ("number", "code", "said"), [(signal.SIGTERM, 143, ""), (signal.SIGINT, 130, "auditor: interrupted\n")]
)
def test_a_command_that_is_ended_cleans_up(number: int, code: int, said: str, tmp_path: Path) -> None:
    marker = tmp_path / "cleaned-up"
    process = subprocess.Popen(
        [sys.executable, "-c", WAITING, str(marker)],
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
    assert (process.returncode, err) == (code, said)
    assert marker.exists()
