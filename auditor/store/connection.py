"""Connection to the Neo4j that holds the data: the driver, its transactions, and its errors in the auditor's words.

Only this module and the modules with queries know the driver. What a query raised is told by its kind alone, never in
the server's words: those may quote a protected value.
"""

import contextlib
import logging
import random
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from auditor.config import Settings
from auditor.core.errors import StoreUnavailable
from auditor.core.loading import without
from auditor.core.progress import Progress
from auditor.core.spans import span
from auditor.store.link import FixedLink, Link, LocalLink
from auditor.store.local import ServerState

# the driver would spend 0.5 s on both, to support types that we never send
with without("pandas", "pyarrow"):
    import neo4j
    from neo4j import Driver, GraphDatabase, ManagedTransaction, Query, Record, Session

    from auditor.store.driver_errors import OF_STORE, Words, translated_errors, unusable_address

T = TypeVar("T")

# the driver tells of retries and lost connections on stderr where nobody listens; what matters of it is raised
logging.getLogger("neo4j").addHandler(logging.NullHandler())

_OLDEST = (5, 26)
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 2.0


class QueryNotification(UserWarning):
    """The server noticed something about a query: a fault of ours. Warned of when the settings are strict."""


class Connection:
    """An open connection to the store; a context manager.

    Every method raises a `StoreError`, mostly one of its kinds (:mod:`auditor.core.errors`), and never an error of the
    driver. One connection may be used by several threads.

    Examples
    --------
    ::

        with Connection.open(settings) as connection:
            names = [record["name"] for record in connection.read("MATCH (n:AuditorNetwork) RETURN n.name AS name")]
    """

    def __init__(self, link: Link, settings: Settings, words: Words = OF_STORE) -> None:
        self._link, self._words = link, words
        self._database = settings.store.database
        self._timeout = settings.store.transaction_timeout
        self._retry_time = settings.store.retry_time

    @property
    def url(self) -> str:
        """Address of the server; the local one has another one after each start."""
        return self._link.url

    @classmethod
    def open(cls, settings: Settings, *, progress: Progress | None = None, words: Words = OF_STORE) -> "Connection":
        """Connect to the store that the settings name; the local one is installed and started if need be.

        Parameters
        ----------
        settings : Settings
        progress : callable, optional
            Told what a local store is waited for.
        words : Words, optional
            What errors advise, where it is no store that is connected to.

        Raises
        ------
        StoreUnavailable
            If the server does not answer, refuses the log-in, or is too old.
        """
        store = settings.store
        if not store.is_local:
            driver = _open_driver(settings, store.url, store.user, store.read_password(), words)
            return cls(FixedLink(driver, store.url), settings, words)

        def connect(server: ServerState) -> Driver:
            return _open_driver(settings, server.url, server.user, server.password)

        return cls(LocalLink(settings, connect, progress=progress), settings)

    def __enter__(self) -> "Connection":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the server."""
        self._link.close()

    def read(self, query: str, /, **parameters: Any) -> list[Record]:
        """Return all records of a reading query, in one transaction that is retried when the server asks for it."""
        return self.read_transaction(lambda transaction: list(transaction.run(query, parameters)))

    def read_transaction(self, work: Callable[[ManagedTransaction], T]) -> T:
        """Return what `work` returns, run in a reading transaction; it may be run more than once."""
        unit = neo4j.unit_of_work(timeout=self._timeout)(work)
        return self._retried(neo4j.READ_ACCESS, lambda session: session.execute_read(unit))

    def write(self, work: Callable[[ManagedTransaction], T]) -> T:
        """Return what `work` returns, run in a writing transaction that is committed at its end.

        Notes
        -----
        `work` is run again when the server asks for it, and when the local server ended and another one was started,
        but not where the connection was lost in the very moment of the commit (`CommitUnknown`): where that does
        nothing twice, :func:`auditor.store.repository.settled` repeats it. An error that `work` raises rolls everything
        back.
        """
        unit = neo4j.unit_of_work(timeout=self._timeout)(work)
        return self._retried(neo4j.WRITE_ACCESS, lambda session: session.execute_write(unit))

    def execute(self, query: str, /, **parameters: Any) -> list[Record]:
        """Return the records of a writing query that brings its own transactions: schema, ``CALL … IN TRANSACTIONS``.

        It is never retried.
        """
        access = neo4j.WRITE_ACCESS
        with span("store", {"access": _words_of(access)}), self._translated(), self._session(access) as session:
            return list(session.run(self._query(query), parameters))

    def stream(self, query: str, /, **parameters: Any) -> Iterator[Record]:
        """Yield the records of a reading query one by one, as the server sends them; it is never retried."""
        with self._translated(), self._session(neo4j.READ_ACCESS) as session:
            yield from session.run(self._query(query), parameters)

    def _retried(self, access: str, transaction: Callable[[Session], T]) -> T:
        """Return what a transaction returns, tried again for a while as the server, or its end, asks for it."""
        driver, begin, pause = None, 0.0, _FIRST_PAUSE
        with span("store", {"access": _words_of(access), "tries": 0}) as told, self._translated():
            while True:
                told["tries"] += 1
                before, driver = driver, self._link.driver()
                if driver is not before:
                    # another server, and as much patience with it
                    begin, pause = time.monotonic(), _FIRST_PAUSE
                try:
                    with self._session(access, driver) as session:
                        return transaction(session)
                except (neo4j.exceptions.Neo4jError, neo4j.exceptions.DriverError) as error:
                    if not (error.is_retryable() or self._is_of_another(error, driver)):
                        raise
                    if time.monotonic() - begin > self._retry_time:
                        raise
                # not all that wait come back at once
                time.sleep(pause * random.uniform(0.8, 1.2))
                pause = min(2 * pause, _LONGEST_PAUSE)

    def _is_of_another(self, error: Exception, driver: Driver) -> bool:
        """Whether a log-in was refused by another server that took the port of the one that ended."""
        return isinstance(error, neo4j.exceptions.AuthError) and self._link.is_outdated(driver)

    def _session(self, access: str, driver: Driver | None = None) -> Session:
        driver = self._link.driver() if driver is None else driver
        return driver.session(database=self._database, default_access_mode=access)

    def _query(self, query: str) -> Query:
        return Query(query, timeout=self._timeout)

    def _translated(self) -> contextlib.AbstractContextManager[None]:
        return translated_errors(self.url, timeout=self._timeout, database=self._database, words=self._words)


def _words_of(access: str) -> str:
    return "read" if access == neo4j.READ_ACCESS else "write"


def _open_driver(settings: Settings, url: str, user: str, password: str | None, words: Words = OF_STORE) -> Driver:
    """Return a driver that has reached the server and looked at its version."""
    limit = settings.store.connection_timeout
    try:
        with translated_errors(url, timeout=limit, database=settings.store.database, words=words):
            driver = GraphDatabase.driver(
                url,
                auth=None if password is None else (user, password),
                user_agent="disclosure-auditor",
                connection_timeout=limit,
                connection_acquisition_timeout=2 * limit,
                # the connection tries again itself: only it knows when the local server has another address
                max_transaction_retry_time=0,
                telemetry_disabled=True,
                **_notifications(strict=settings.store.strict_notifications),
            )
            try:
                _check_version(str(driver.get_server_info().agent), url)
            except BaseException:
                driver.close()
                raise
    except ValueError as error:
        # So the driver says that an address cannot be parsed or looked up.
        raise unusable_address(url, words) from error
    return driver


def _notifications(*, strict: bool) -> dict[str, Any]:
    """Options of the driver: no notifications about queries, or a warning of each."""
    # the driver's own warnings cost a walk of the whole stack in every query, whether it is warned of or not
    options: dict[str, Any] = {"notifications_min_severity": "OFF", "warn_notification_severity": "OFF"}
    if strict:
        log = logging.getLogger("neo4j.notifications")
        if not any(isinstance(handler, _Warning) for handler in log.handlers):
            log.addHandler(_Warning())
        log.setLevel(logging.INFO)
        options["notifications_min_severity"] = "INFORMATION"
        # On an emptied store labels are unknown and constraints exist already: no fault of the query.
        options["notifications_disabled_classifications"] = ["UNRECOGNIZED", "SCHEMA"]
    return options


class _Warning(logging.Handler):
    """Makes a warning of what the driver says that the server noticed about a query."""

    def emit(self, record: logging.LogRecord) -> None:
        warnings.warn(record.getMessage(), QueryNotification, stacklevel=2)


def _check_version(agent: str, url: str) -> None:
    """Refuse a server older than the queries were written for; an agent that is not Neo4j's own is let through."""
    name, _, version = agent.partition("/")
    numbers = version.split(".")[:2]
    if name == "Neo4j" and all(number.isdigit() for number in numbers) and tuple(map(int, numbers)) < _OLDEST:
        raise StoreUnavailable(f"{url} is Neo4j {version}; Neo4j {_OLDEST[0]}.{_OLDEST[1]} or later is needed")
