"""Which Python has a peer, and what it answers there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PYTHONS = "AUDITOR_BENCH_PEERS"
"""Variable with the Pythons that have the peers, if they are not this one: some need versions that others exclude."""


def asked(script: str, peer: str, words: dict[str, Any], timeout: float | None = None) -> dict[str, Any] | None:
    """Return what a peer answers, or None where it is not installed.

    Parameters
    ----------
    script : str
        File that is run: reads `words` and the name of the peer as JSON, and prints JSON.
    peer : str
        Module of the peer.
    words : dict
    timeout : float, optional
        Seconds.

    Raises
    ------
    RuntimeError
        If the peer fails: with the last line that it wrote.
    subprocess.TimeoutExpired
        If it takes longer.
    """
    for python in _pythons():
        if subprocess.run([python, "-c", f"import {peer}"], capture_output=True, check=False).returncode:
            continue
        text = json.dumps({"peer": peer, **words})
        command = [python, str(Path(script))]
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=timeout, check=False)
        if done.returncode:
            raise RuntimeError(f"{peer}: {(done.stderr.strip().splitlines() or ['no word'])[-1]}")
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return found
    return None


def _pythons() -> Iterator[str]:
    yield from filter(None, os.environ.get(PYTHONS, sys.executable).split(os.pathsep))
