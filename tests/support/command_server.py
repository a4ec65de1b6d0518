"""Commands without their start-up: a process that has imported all of the program and forks itself for each command.

The forked process is a process of its own: arguments, environment, folder and streams are what a new one would have,
and it ends as `auditor` ends. It only spares the imports, 0.5 s and more of each of a thousand commands.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import selectors
import signal
import socket
import sys
import threading
import traceback
from typing import Any

import igraph

import auditor
import cli.app
import graphkit

LONGEST_REQUEST = 1 << 20
_FEWEST_STREAMS = 2


def import_everything() -> None:
    """Import what commands import, the driver first, as they do; and load the engines' compiled code."""
    importlib.import_module("auditor.store.connection")
    for package in (graphkit, auditor, cli):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    from graphkit.networks import anonymize

    anonymize(igraph.Graph.Ring(40), 3, effort=1)


def serve(listener: socket.socket) -> dict[str, Any] | None:
    """Fork for each request until nobody can ask any more; return the request in the process that is to do it."""
    waiting = selectors.DefaultSelector()
    waiting.register(listener, selectors.EVENT_READ)
    waiting.register(sys.stdin, selectors.EVENT_READ)
    while True:
        for key, _ in waiting.select():
            if key.fileobj is sys.stdin:
                # its end: those who ask have gone
                return None
            if key.fileobj is listener:
                asking, _ = listener.accept()
                sent, streams, _, _ = socket.recv_fds(asking, LONGEST_REQUEST, _FEWEST_STREAMS + 1)
                if (pid := os.fork()) == 0:
                    waiting.close()
                    listener.close()
                    asking.close()
                    become(streams)
                    return json.loads(sent)
                for stream in streams:
                    os.close(stream)
                asking.sendall(f"{pid}\n".encode())
                waiting.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, asking))
            else:
                pid, asking = key.data
                _, status = os.waitpid(pid, 0)
                waiting.unregister(key.fileobj)
                os.close(key.fd)
                with contextlib.suppress(OSError):  # nobody waits for it
                    asking.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
                asking.close()


def become(streams: list[int]) -> None:
    """Take these streams for standard output and error, and a third one, or nothing, for standard input."""
    if len(streams) == _FEWEST_STREAMS:
        streams.append(os.open(os.devnull, os.O_RDONLY))
    for number, stream in zip((1, 2, 0), streams, strict=True):
        os.dup2(stream, number)
        os.close(stream)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, (name, mode) in enumerate({"stdin": "r", "stdout": "w", "stderr": "w"}.items()):
        setattr(sys, name, open(number, mode, closefd=False))  # noqa: SIM115 (for the whole life of the process)


def run(request: dict[str, Any]) -> int:
    """Do what a new process would, and return its exit code."""
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    sys.argv = ["auditor", *request["arguments"]]
    try:
        cli.app.main()
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
        code = 1
    # as an interpreter ends, but for the freeing of all that was imported
    threading._shutdown()
    atexit._run_exitfuncs()
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    return code if isinstance(code, int) else int(code is not None)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    import_everything()
    # what is there by now is shared by all: no collection of garbage looks at it
    gc.collect()
    gc.freeze()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(sys.argv[1])
        listener.listen(64)
        print("ready", flush=True)
        request = serve(listener)
    if request is not None:
        os._exit(run(request))
