"""Errors of the service, each with the exit code that the command line returns for it.

::

    AuditorError                     3
    ├── BadInput (also ValueError)   2  wrong usage or data, found before work began
    │   ├── BadFile                  2  a file cannot be read as what it should be
    │   ├── NotFound                 2  no subject, schedule, … of that name
    │   ├── AlreadyExists            2  a name or an output that must not be overwritten
    │   └── PolicyError              2  a policy or configuration does not fit its schema
    ├── Refused                      1  the answer is no
    ├── StoreError                   3
    │   ├── StoreUnavailable         3  not installed, not running, not reachable, log-in refused
    │   ├── StoreLocked              3  somebody else holds the lock
    │   ├── StoreConflict            3  the subject changed meanwhile; start over
    │   ├── CommitUnknown            3  the connection was lost in a commit; it is done or not
    │   └── StoreCorrupt             3  what was read contradicts what was recorded
    ├── MissingExtra (also ImportError)
    │                                3  an optional part is not installed; says what to install
    ├── EngineUnavailable            3  Spark did not start, is not reachable, or was lost
    ├── RoomExhausted                3  memory or temporary space for an edge table ran out
    ├── VerificationFailed           3  what was written does not satisfy its claim; nothing was published
    └── NotDelivered                 4  computed, but the output could not be written, or somebody took its name

No message may hold a protected value: no label, attribute or count of the data.
"""

from graphkit.errors import GraphkitError


class AuditorError(Exception):
    """Base of every error that the service raises on purpose; the message is one line that says what to do next."""

    exit_code = 3


class BadInput(AuditorError, ValueError):
    """Wrong usage or bad data, found before work began."""

    exit_code = 2


class BadFile(BadInput):
    """A file cannot be read as what it should be: names the file and, where known, the line."""


class NotFound(BadInput):
    """No subject of that name.

    Parameters
    ----------
    message : str
    wanted : (str, str), optional
        What was looked for: a family (``network``, ``table``, ``schedule``, ``file``) and a name.
    """

    def __init__(self, message: str = "", *, wanted: tuple[str, str] | None = None) -> None:
        super().__init__(message)
        self.wanted = wanted


class AlreadyExists(BadInput):
    """A name or an output exists and must not be overwritten."""


class PolicyError(BadInput):
    """A policy or a configuration does not fit its schema."""


class Refused(AuditorError):
    """The answer is no: policy violated, request refused, infeasible under the given constraints."""

    exit_code = 1


class StoreError(AuditorError):
    """The graph database could not do what was asked."""


class StoreUnavailable(StoreError):
    """The database is not installed, not running, not reachable, or refused the log-in."""


class StoreLocked(StoreError):
    """Another process holds the lock; try again when it is done."""


class StoreConflict(StoreError):
    """The subject changed while the answer was computed; start over."""


class CommitUnknown(StoreError):
    """The connection was lost during a commit: what was to be recorded is recorded or is not."""


class StoreCorrupt(StoreError):
    """What was read from the store contradicts what was recorded about it."""


class MissingExtra(AuditorError, ImportError):
    """Libraries of an extra of the distribution are not installed; the message says what to install."""


class EngineUnavailable(AuditorError):
    """The database that a command was to work in did not start, is not reachable, or was lost."""


class RoomExhausted(AuditorError):
    """Memory or temporary space for an edge table ran out; the message says which setting gives more."""


class VerificationFailed(AuditorError):
    """What was written does not satisfy its claim; nothing was published."""


class NotDelivered(AuditorError):
    """The result was computed but the output could not be written, or a file of its name appeared meanwhile."""

    exit_code = 4


def reason_of(error: BaseException) -> str:
    """Return why something failed, for a log: our own messages hold no protected value, others may quote data.

    Examples
    --------
    >>> reason_of(NotFound("there is no network 'friends'")), reason_of(KeyError("Ada Lovelace"))
    ("there is no network 'friends'", 'internal error (KeyError)')
    """
    if isinstance(error, AuditorError | GraphkitError):
        return " ".join(str(error).split())
    return f"internal error ({type(error).__name__})"
