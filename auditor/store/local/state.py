"""The state file of the local server: which process serves, on which port, with which password."""

import contextlib
import json
import os
import subprocess
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

from auditor.store.local.layout import Layout

Phase = Literal["starting", "ready", "stopping", "failed"]


@dataclass(frozen=True, slots=True)
class ServerState:
    """What the server says about itself.

    Parameters
    ----------
    pid : int
    identity : str
        Tells this process from a later one that was given the same pid.
    phase : {'starting', 'ready', 'stopping', 'failed'}
    since : float
        When the server was started, in seconds since 1970.
    version : str
        Version of Neo4j.
    port : int
        Bolt port on loopback, 0 until it is known.
    password : str
        Of the user; made anew at each start.
    reason : str
        Why the start failed, one line.
    heap : str
        Memory of its heap where that is more than the settings say; not in the file otherwise, as in older ones.
    """

    pid: int
    identity: str
    phase: Phase
    since: float
    version: str
    port: int = 0
    password: str = field(default="", repr=False)
    reason: str = ""
    heap: str = ""

    @property
    def url(self) -> str:
        """Where it is reached, once it is ready."""
        return f"bolt://127.0.0.1:{self.port}"

    @property
    def user(self) -> str:
        """Who logs in with the password."""
        return "neo4j"


def running_server(layout: Layout) -> ServerState | None:
    """Return what the server says of itself that lives in this home, in whatever phase; None if there is none."""
    state = read_state(layout.state)
    return state if state is not None and is_running(state) else None


def serving(layout: Layout) -> ServerState | None:
    """Return the server of this home; None if none is ready."""
    state = running_server(layout)
    return state if state is not None and state.phase == "ready" else None


def read_state(path: Path) -> ServerState | None:
    """Return the state in the file, or None when there is none or the file makes no sense."""
    try:
        values = json.loads(path.read_bytes())
        state = ServerState(**values)
    except (OSError, ValueError, TypeError):
        return None
    words = (state.identity, state.phase, state.version, state.password, state.reason, state.heap)
    numbers = isinstance(state.pid, int) and isinstance(state.port, int) and isinstance(state.since, int | float)
    fits = numbers and all(isinstance(word, str) for word in words)
    return state if fits and state.pid > 1 and 0 <= state.port < 65536 else None


def write_state(path: Path, state: ServerState) -> None:
    """Replace the state file at once, readable by its owner alone."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            json.dump({name: value for name, value in asdict(state).items() if name != "heap" or value}, stream)
        os.replace(aside, path)
    except OSError:
        with contextlib.suppress(OSError):
            aside.unlink()
        raise


def is_running(state: ServerState) -> bool:
    """Whether the process that wrote the state still runs, and not another one with its pid."""
    return process_identity(state.pid) == state.identity


def process_identity(pid: int) -> str | None:
    """Return what distinguishes the running process from every other one of the same pid, or None if none runs.

    Notes
    -----
    On Linux the boot and the clock tick of the start; elsewhere the start time that ``ps`` tells. A zombie does not
    run.
    """
    stat = Path(f"/proc/{pid}/stat")
    try:
        # The command, in parentheses, may itself hold spaces and parentheses.
        fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return None if Path("/proc/self/stat").exists() else _identity_by_ps(pid)
    if fields[0] in "ZX":
        return None
    return f"{boot_id()}:{fields[19]}"


def boot_id() -> str:
    """Return what tells this boot of the machine from others; nothing where that is not told."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _identity_by_ps(pid: int) -> str | None:
    command = ["ps", "-o", "state=,lstart=", "-p", str(pid)]
    answer = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}, check=False)
    condition, _, started = answer.stdout.strip().partition(" ")
    return started.strip() if answer.returncode == 0 and not condition.startswith("Z") else None
