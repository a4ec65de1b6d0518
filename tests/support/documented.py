"""Commands of a page of the documents, run as they stand."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from auditor.config import Settings
from tests.support import forked_auditor
from tests.support.commands import command_server

__all__ = ["run_block", "variables_of"]


def variables_of(settings: Settings, home: Path | None = None) -> dict[str, str]:
    """Return the variables with which `auditor` uses a store; the command need not import anything."""
    return {
        "PATH": f"{_commands()}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "AUDITOR_HOME": str(home or settings.home),
        "AUDITOR_CACHE": str(settings.cache),
        "AUDITOR_CONFIG": "",
        "NEO4J_URI": "local",
        "NO_COLOR": "1",
    }


def run_block(block: str, folder: Path, home: Path, settings: Settings) -> str:
    """Run a block as a shell does that stops at the first failure."""
    environ = os.environ | variables_of(settings, home)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block], cwd=folder, env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{block}\n{done.stdout}{done.stderr}"
    return done.stdout


@cache
def _commands() -> Path:
    """Return a folder with the command `auditor`."""
    address, _ = command_server()
    command = Path(address).with_name("auditor")
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -E "{forked_auditor.__file__}" "{address}" "$@"\n')
    command.chmod(0o700)
    return command.parent
