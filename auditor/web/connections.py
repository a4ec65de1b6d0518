"""Connections that only wait do not keep others out: they end after a while, and make room when there are too many."""

import asyncio
import resource
from contextlib import suppress
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 10.0
"""Seconds that a client has for the head of a request, and for each piece of its body."""
_LEAST_BYTES = 10_000
"""Of a body, in that time."""
_MOST = 500
# of the files that a process may have open, so many are for something else: the store, uploads, the processes of jobs
_OTHER_FILES = 200
_WANTED_FILES = 4096


class CarefulProtocol(H11Protocol):
    """A connection that is closed when its client sends nothing.

    Notes
    -----
    Who connects and sends no head of a request within :data:`PATIENCE`, or a body too slowly, is disconnected, whether
    nothing comes or a letter now and then. When there are too many connections, the one that has waited longest without
    a request under way is closed for the new one; where all have one, the new one is.
    """

    patience: ClassVar[float] = PATIENCE
    """In seconds."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._timer: asyncio.TimerHandle | None = None
        self._since = 0.0
        self._came = 0

    @property
    def is_idle(self) -> bool:
        """Whether no request is under way."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Make room, and begin to wait for a request."""
        super().connection_made(transport)
        self._wait()
        if len(self.connections) > most_connections():
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """Take what comes; it ends no waiting for the rest."""
        self._came += len(data)
        super().data_received(data)

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        self._wait()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._since, self._came = self.loop.time(), 0
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(self.patience, self._look)

    def _look(self) -> None:
        """Close the connection if its client let the time pass."""
        if self.transport.is_closing():
            return
        if self.is_idle or (self._is_awaited() and self._came < _LEAST_BYTES):
            self.transport.abort()
            return
        self._came = 0
        self._timer = self.loop.call_later(self.patience, self._look)

    def _is_awaited(self) -> bool:
        """Whether more of a body is to come, and nothing here keeps the client from sending it."""
        return self.cycle.more_body and not self.flow.read_paused and not self.cycle.waiting_for_100_continue

    def _make_room(self) -> None:
        others = [one for one in self.connections if isinstance(one, CarefulProtocol) and one is not self]
        idle = [one for one in others if one.is_idle and not one.transport.is_closing()]
        closed = min(idle, key=lambda one: one._since, default=self)
        closed.transport.abort()


def most_connections() -> int:
    """Return how many connections there may be, as far as the system lets a process have so many files open."""
    return max(1, min(_MOST, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - _OTHER_FILES))


def raise_file_limit() -> None:
    """Let this process have as many files open as the system allows it to, up to a few thousand."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _WANTED_FILES if hard == resource.RLIM_INFINITY else min(_WANTED_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
