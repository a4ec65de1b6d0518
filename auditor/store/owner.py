"""Who works on something that takes longer than one transaction, and whether that process still lives.

A load or a restore is marked with its owner. Whoever finds the mark tells an abandoned work from a running one by the
lease that the owner renews with every batch, and on the same machine at once, by looking for the process.
"""

import json
import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache

from auditor.store.local.state import boot_id, process_identity

LEASE_MILLISECONDS = 600_000
"""For how long an owner may count as alive after its last batch, by the database's clock."""

_ours: set[str] = set()
"""Tokens of the works that go on in this process."""


@dataclass(frozen=True, slots=True)
class Owner:
    """One piece of work of one process."""

    machine: str
    pid: int
    started: str
    """When the process started, as its system tells it: a reused pid is another process."""
    token: str
    """Random; tells apart two works of one process."""

    @classmethod
    @contextmanager
    def working(cls) -> "Iterator[Owner]":
        """Give a new owner that lives until the block ends, however it ends."""
        owner = cls(_machine(), os.getpid(), process_identity(os.getpid()) or "", secrets.token_hex(16))
        _ours.add(owner.token)
        try:
            yield owner
        finally:
            _ours.discard(owner.token)

    @classmethod
    def parse(cls, text: str) -> "Owner":
        """Return the owner that :attr:`text` describes."""
        return cls(**json.loads(text))

    @property
    def text(self) -> str:
        """The owner as the store keeps it."""
        return json.dumps(asdict(self), sort_keys=True)

    def lives(self, lease_left: int) -> bool:
        """Whether the work goes on, given the milliseconds that its lease has left.

        Examples
        --------
        >>> with Owner.working() as owner:
        ...     print(owner.lives(lease_left=1), owner.lives(lease_left=-1))
        True False
        >>> owner.lives(lease_left=1)
        False
        """
        if lease_left <= 0:
            return False
        if self.machine == _machine() and self.pid == os.getpid():
            return self.token in _ours
        return self.machine != _machine() or process_identity(self.pid) == self.started


@cache
def _machine() -> str:
    """Return what two processes share exactly if they see each other's pids: host, boot and pid namespace."""
    try:
        return f"{socket.gethostname()} {boot_id()} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return socket.gethostname()
