"""The command `auditor` of a shell, without its start-up: it has the server of commands fork, and ends as that ends.

It imports little, since it is started for each command of a page.
"""

import os
import signal
import socket
import sys


def main(address: str, arguments: list[str]) -> int:
    """Run a command with the streams, the environment and the folder of this process; return its exit code."""
    import json

    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server.connect(address)
    request = {"arguments": arguments, "environment": dict(os.environ), "folder": os.getcwd()}
    socket.send_fds(server, [json.dumps(request).encode()], [1, 2, 0])
    answers = server.makefile()
    pid = int(answers.readline())
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, frame: os.kill(pid, number))
    # of a command that was killed: as a shell says it
    code = int(answers.readline())
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
