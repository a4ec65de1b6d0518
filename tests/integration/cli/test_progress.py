"""What a person at a terminal sees of a search, and that nobody else sees it."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import igraph
import pytest

from tests.support.commands import environment, run_auditor

ROOT = Path(__file__).parents[3]
ARGUMENTS = ("network", "anonymize", "karate.csv", "--k", "3", "--dry-run", "--gap", "1%", "--json")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lines = [f"{a},{b}" for a, b in igraph.Graph.Famous("Zachary").get_edgelist()]
    (tmp_path / "karate.csv").write_text("\n".join(["a,b", *lines]) + "\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


def seen_on_a_terminal(folder: Path, *more: str) -> str:
    """What appears on a terminal that is standard error, where a pipe takes the answer."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "cli.app", *ARGUMENTS, *more],
        env=environment(folder / "home", TERM="xterm", COLUMNS="200"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    )
    os.close(theirs)
    seen = b""
    while True:
        try:
            block = os.read(ours, 65536)
        except OSError:  # the other side is closed: Linux says so with an error
            break
        if not block:
            break
        seen += block
    os.close(ours)
    assert process.wait(timeout=60) == 0
    return seen.decode()


def test_a_terminal_shows_best_bound_and_gap(folder: Path) -> None:
    seen = seen_on_a_terminal(folder)
    assert "anonymize: " in seen
    assert all(word in seen for word in ("best ", "proven ≥ ", "gap "))


def test_quiet_shows_nothing(folder: Path) -> None:
    assert seen_on_a_terminal(folder, "--quiet") == ""


def test_a_pipe_shows_nothing(folder: Path) -> None:
    ended = run_auditor(ARGUMENTS, folder / "home")
    assert ended.err == ""
    assert ended.json["gap"] == pytest.approx(
        (ended.json["edges_added"] - ended.json["lower_bound"]) / ended.json["edges_added"]
    )
