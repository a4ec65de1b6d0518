"""Steps of the tests that run, kill and look at a local Neo4j."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

from auditor.config import Settings
from auditor.store.connection import Connection
from auditor.store.local.layout import Layout
from auditor.store.local.state import ServerState, read_state
from tests.support.waiting import wait_until

__all__ = ["marks", "pid_of", "start_command", "state_of", "until", "write_mark"]

STARTER = """
import json, sys
from pathlib import Path
from auditor.config import Settings
from auditor.store.local import ensure_running
print("begun", flush=True)
print(ensure_running(Settings.model_validate_json(sys.argv[1])).url, flush=True)
"""


def start_command(settings: Settings) -> subprocess.Popen[str]:
    """A process that starts the server, as a command does."""
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", STARTER, settings.model_dump_json()]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ)


def until(condition: Callable[[], bool], seconds: float = 240, found: Callable[[], object] | None = None) -> None:
    """Wait as long as a server on a busy machine may take: see :func:`tests.support.waiting.wait_until`."""
    wait_until(condition, seconds, pause=0.02, found=found)


def state_of(settings: Settings) -> ServerState | None:
    return read_state(Layout.of(settings).state)


def pid_of(settings: Settings) -> int:
    state = state_of(settings)
    assert state is not None
    return state.pid


def write_mark(settings: Settings, mark: str) -> None:
    with Connection.open(settings) as connection:
        connection.write(lambda transaction: transaction.run("MERGE (:Mark {name: $name})", name=mark).consume())


def marks(settings: Settings) -> set[str]:
    with Connection.open(settings) as connection:
        return {record["name"] for record in connection.read("MATCH (m:Mark) RETURN m.name AS name")}
