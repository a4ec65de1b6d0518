"""Run `auditor` as a user does, in a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["Finished", "ForkedCommand", "command_server", "environment", "run_auditor", "start_auditor"]

ROOT = Path(__file__).resolve().parents[2]


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


class ForkedCommand:
    """A command in a process of its own that did not have to import anything: see :mod:`tests.support.command_server`.

    Parameters
    ----------
    arguments : sequence
    home : Path
        Where everything of the auditor lies.
    **more : str
        Variables of the environment.
    """

    def __init__(self, arguments: Sequence[object], home: Path, **more: str) -> None:
        self._out, self._err = (tempfile.TemporaryFile() for _ in range(2))  # noqa: SIM115 (as long as the command)
        self._server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._server.connect(command_server()[0])
        request = {
            "arguments": [str(argument) for argument in arguments],
            "environment": environment(home, **more),
            "folder": str(Path.cwd()),
        }
        socket.send_fds(self._server, [json.dumps(request).encode()], [self._out.fileno(), self._err.fileno()])
        self._answers = self._server.makefile()
        self._pid = int(self._answers.readline())

    def wait(self, timeout: float) -> None:
        """Return when the command has ended, or else after so many seconds."""
        self._server.settimeout(timeout)
        with contextlib.suppress(TimeoutError):
            self._server.recv(1, socket.MSG_PEEK)
        self._server.settimeout(None)

    def kill(self) -> None:
        """End the process, if it has not ended; it hears nothing of it."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)

    def finished(self) -> Finished:
        """Return how it ended, once it has."""
        code = int(self._answers.readline())
        texts = []
        for file in (self._out, self._err):
            file.seek(0)
            texts.append(file.read().decode())
            file.close()
        self._answers.close()
        self._server.close()
        return Finished(code, *texts)


@cache
def command_server() -> tuple[str, subprocess.Popen[str]]:
    """Return the address of the server of commands, started when first needed; it ends when this process does."""
    address = f"{tempfile.mkdtemp(prefix='auditor-commands-')}/socket"
    # the pipe to its input is never written to: it closes with this process
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.support.command_server", address],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    assert server.stdout.readline() == "ready\n"
    return address, server


def run_auditor(arguments: Sequence[object], home: Path, **more: str) -> Finished:
    """Run a command to its end."""
    return ForkedCommand(arguments, home, **more).finished()
