"""A terminal on which a process asks, and that answers."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
_SECONDS = 120


def converse(
    command: Sequence[str], answers: Sequence[tuple[str, str]], *, cwd: Path, env: Mapping[str, str]
) -> tuple[str, int]:
    """Run a command on a terminal, answer each question in its turn, and return what it wrote and its exit code."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(cwd)
        os.execvpe(command[0], list(command), dict(env))
    written, since, waiting = "", 0, list(answers)
    while select.select([terminal], [], [], _SECONDS)[0]:
        try:
            part = os.read(terminal, 1 << 16)
        except OSError:
            # Linux says so where the other side is closed
            break
        written += part.decode(errors="replace")
        if waiting and waiting[0][0] in written[since:]:
            since = len(written)
            os.write(terminal, waiting.pop(0)[1].encode() + b"\n")
    else:
        # it waits for an answer that nobody has
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    assert not waiting, (waiting, written[-2000:])
    return _ESCAPES.sub("", written).replace("\r\n", "\n"), os.waitstatus_to_exitcode(status)
