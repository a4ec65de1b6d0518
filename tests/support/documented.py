"""Commands of a page of the documents, run as they stand."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from auditor.config import Settings

__all__ = ["run_block"]


def run_block(block: str, folder: Path, home: Path, settings: Settings) -> str:
    """Run a block as a shell does that stops at the first failure."""
    environ = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "AUDITOR_HOME": str(home),
        "AUDITOR_CACHE": str(settings.cache),
        "AUDITOR_CONFIG": "",
        "NEO4J_URI": "local",
        "NO_COLOR": "1",
    }
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block], cwd=folder, env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{block}\n{done.stdout}{done.stderr}"
    return done.stdout
