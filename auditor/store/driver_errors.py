"""What the Neo4j driver raised, said in the auditor's words: the kind of error and what to do, never the server's text.

The server's messages quote what they are about, such as the value that breaks a constraint, and that may be protected.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from neo4j import exceptions as raised

from auditor.core.errors import CommitUnknown, StoreConflict, StoreError, StoreLocked, StoreUnavailable


class QueryRefused(StoreError):
    """The server does not take a query: a bug of ours, or what the owner of a graph had put into it."""


@dataclass(frozen=True, slots=True)
class Words:
    """What messages advise, by what a database is for."""

    log_in: str = "check NEO4J_USERNAME and NEO4J_PASSWORD, or [store] in the configuration"
    database: str = "check NEO4J_DATABASE"
    rights: str = "grant the user reading and writing"
    address: str = "check --store and NEO4J_URI"


OF_STORE = Words()
OF_GRAPH = Words(
    log_in="check AUDITOR_GRAPH_USERNAME and AUDITOR_GRAPH_PASSWORD, or [graph] in the configuration",
    database="end the address with another name, or check AUDITOR_GRAPH_DATABASE",
    rights="grant the user what is asked for",
    address="it must look like neo4j://host:7687/database",
)


@contextlib.contextmanager
def translated_errors(
    url: str, *, timeout: float, database: str | None = None, words: Words = OF_STORE
) -> Iterator[None]:
    """Turn every error of the driver that is raised inside into a `StoreError` of one line.

    Parameters
    ----------
    url : str
        Address of the server, for the message.
    timeout : float
        Seconds that a transaction may take, for the message.
    database : str or None
        Name of the database, for the message.
    words : Words, optional
        What the message advises.

    Raises
    ------
    StoreUnavailable
        No answer, log-in refused, no such database, unusable address.
    StoreConflict
        A uniqueness constraint was broken: somebody else was faster.
    StoreLocked
        Deadlocks or locks that did not end within the time for retries.
    CommitUnknown
        The connection was lost while a commit was waited for.
    QueryRefused
        The query is none.
    StoreError
        Everything else.
    """
    try:
        yield
    except (raised.Neo4jError, raised.DriverError) as error:
        raise _translate(error, url, timeout, database, words) from error


def _translate(
    error: raised.Neo4jError | raised.DriverError, url: str, timeout: float, database: str | None, words: Words
) -> StoreError:
    if isinstance(error, raised.Neo4jError):
        return _translate_answer(error, url, timeout, database, words)
    return _translate_silence(error, url, words)


def _translate_answer(
    error: raised.Neo4jError, url: str, timeout: float, database: str | None, words: Words
) -> StoreError:
    """The server answered, with an error; its code tells the kind, its text is not repeated."""
    code = error.code or "an error without a code"
    if isinstance(error, raised.AuthError):
        return StoreUnavailable(f"{url} refused the log-in; {words.log_in}")
    if isinstance(error, raised.Forbidden):
        return StoreUnavailable(f"{url} does not allow this user to do that; {words.rights}")
    if isinstance(error, raised.ConstraintError):
        return StoreConflict("another process recorded the same at the same time; run the command again")
    if "DatabaseNotFound" in code:
        name = "the default database" if database is None else f"a database named {database}"
        return StoreUnavailable(f"{url} has no such database: {name}; {words.database}")
    if "TransactionTimedOut" in code or "LockAcquisitionTimeout" in code:
        return StoreError(f"the database took longer than {timeout:g} s and gave up; raise store.transaction_timeout")
    if "OutOfMemory" in code:
        return StoreError("the database ran out of memory, nothing was recorded; raise store.heap, or the server's own")
    if isinstance(error, raised.DatabaseUnavailable | raised.NotALeader | raised.ForbiddenOnReadOnlyDatabase):
        return StoreUnavailable(f"the database at {url} is not available for this now; try again later")
    if isinstance(error, raised.TransientError):
        return StoreLocked("other commands held what this one needs for too long; run the command again")
    if "TransactionLogError" in code:
        return StoreError("the database could not write, nothing was recorded; make room on its disk, then run again")
    if isinstance(error, raised.DatabaseError):
        return StoreError(
            f"the database at {url} failed ({code}), nothing was recorded; its log and its disk may tell why"
        )
    return QueryRefused(
        f"the database at {url} refused a query ({code}); this is a bug in disclosure-auditor, please report it"
    )


def unusable_address(url: str, words: Words = OF_STORE) -> StoreUnavailable:
    """Return the error for an address that no server can have."""
    return StoreUnavailable(f"{url} cannot be used as the address of a Neo4j server; {words.address}")


def _translate_silence(error: raised.DriverError, url: str, words: Words) -> StoreError:
    """The driver itself gave up."""
    if isinstance(error, raised.IncompleteCommit):
        return CommitUnknown(
            f"the connection to {url} was lost during the commit; look whether it was recorded, then run again"
        )
    if isinstance(error, raised.ServiceUnavailable | raised.SessionExpired):
        return StoreUnavailable(
            f"Neo4j at {url} does not answer, or the connection was lost; check that it runs, then run again"
        )
    if isinstance(error, raised.ConnectionAcquisitionTimeoutError):
        return StoreUnavailable(
            f"Neo4j at {url} did not accept a connection in time; try again, or raise store.connection_timeout"
        )
    if isinstance(error, raised.ConfigurationError):
        return unusable_address(url, words)
    return StoreError(f"the connection to {url} failed ({type(error).__name__}); run the command again")
