"""Which driver reaches the server now: the local server may have ended, and another one have taken its place.

A local server that is started again has another port and another password. A process that goes on running would ask
the dead one for ever, so what holds a connection asks its link for the driver before every transaction.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from auditor.config import Settings
from auditor.core.errors import StoreError, StoreUnavailable
from auditor.core.progress import Progress
from auditor.store.local import ServerState, ensure_running, is_running

if TYPE_CHECKING:
    from neo4j import Driver

_LOG = logging.getLogger("auditor.store")
# a start that failed is not tried again at once by everybody who waited for it
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 5.0


class Link(Protocol):
    """Knows the server and how to reach it."""

    @property
    def url(self) -> str:
        """Address of the server."""

    def driver(self) -> Driver:
        """Return the driver to use for the next transaction.

        Raises
        ------
        StoreUnavailable
            If there is no server, and none can be started.
        """

    def is_outdated(self, driver: Driver) -> bool:
        """Whether this driver's server has ended: another driver may reach another server."""

    def close(self) -> None:
        """Let go of the server."""


@dataclass(frozen=True, slots=True)
class FixedLink:
    """To a server that somebody else runs."""

    _driver: Driver
    url: str

    def driver(self) -> Driver:
        """Return the one driver."""
        return self._driver

    def is_outdated(self, driver: Driver) -> bool:
        """No: its address and its log-in stay."""
        return False

    def close(self) -> None:
        """Close the driver."""
        self._driver.close()


class LocalLink:
    """To the local server, which is found again, or started again, whenever it has ended.

    Parameters
    ----------
    settings : Settings
    connect : callable
        Returns a driver that has reached the server.
    progress : callable, optional
        Told of the first start; later ones are logged.

    Notes
    -----
    Whether the server lives is read from the process table, which takes some hundredths of a millisecond. One thread
    looks for another server; the others wait for what it finds.
    """

    def __init__(
        self, settings: Settings, connect: Callable[[ServerState], Driver], *, progress: Progress | None = None
    ) -> None:
        self._settings, self._connect = settings, connect
        self._lock = threading.Lock()
        self._not_before, self._pause, self._reason = 0.0, _FIRST_PAUSE, ""
        self._current = self._opened(progress)

    @property
    def url(self) -> str:
        """Address of the server that was found last."""
        return self._current[0].url

    def driver(self) -> Driver:
        """Return a driver to the server that lives, which is started if there is none."""
        server, driver = self._current
        return driver if is_running(server) else self._renewed()

    def is_outdated(self, driver: Driver) -> bool:
        """Whether its server has ended."""
        server, current = self._current
        return driver is not current or not is_running(server)

    def close(self) -> None:
        """Close the driver."""
        self._current[1].close()

    def _renewed(self) -> Driver:
        with self._lock:
            server, old = self._current
            if is_running(server):
                # another thread was faster
                return old
            if time.monotonic() < self._not_before:
                raise StoreUnavailable(self._reason)
            try:
                self._current = self._opened(None)
            except StoreError as error:
                self._reason = str(error)
                self._not_before = time.monotonic() + self._pause
                self._pause = min(2 * self._pause, _LONGEST_PAUSE)
                raise
            self._pause = _FIRST_PAUSE
            # whoever still uses it talks to a dead server
            with contextlib.suppress(Exception):
                old.close()
            _LOG.warning("the local Neo4j had ended; another one runs now")
            return self._current[1]

    def _opened(self, progress: Progress | None) -> tuple[ServerState, Driver]:
        server = ensure_running(self._settings, progress=progress)
        try:
            return server, self._connect(server)
        except StoreUnavailable:
            # It may have stopped by itself between the look and the connection.
            server = ensure_running(self._settings, progress=progress)
        try:
            return server, self._connect(server)
        except StoreUnavailable as error:
            raise StoreUnavailable(
                "the local Neo4j runs but does not answer; end it with 'auditor store stop', then run again"
            ) from error
