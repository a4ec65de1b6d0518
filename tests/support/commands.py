"""Run `auditor` as a user does: in a process of its own, or in this one where many runs are needed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Finished", "environment", "run_auditor", "start_auditor"]


@dataclass(frozen=True)
class Finished:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one object on stdout."""
        return json.loads(self.out)


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return an environment in which everything of the auditor lies in `home`."""
    dropped = ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "AUDITOR_CONFIG", "AUDITOR_DEBUG")
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    return {**kept, "AUDITOR_HOME": str(home), "NO_COLOR": "1", "AUDITOR_ACTOR": "tester", **more}


def start_auditor(arguments: Sequence[object], home: Path, **more: str) -> subprocess.Popen[str]:
    """Start a command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "cli.app", *map(str, arguments)],
        env=environment(home, **more),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run_auditor(arguments: Sequence[object], home: Path, **more: str) -> Finished:
    """Run a command to its end."""
    process = start_auditor(arguments, home, **more)
    out, err = process.communicate(timeout=300)
    return Finished(process.returncode, out, err)
