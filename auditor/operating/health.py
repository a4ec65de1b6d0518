"""Whether a process lives, and whether it can do its work: for probes, without addresses and secrets."""

from auditor.core.errors import StoreCorrupt, StoreError, StoreLocked, StoreUnavailable
from auditor.store import Store
from auditor.store.schema.head import SCHEMA_VERSION, read_head

# an error's own message names the address: that is for the log of the operator, not for whoever asks
_WORDS: tuple[tuple[type[StoreError], str], ...] = (
    (StoreUnavailable, "the graph database does not answer"),
    (StoreLocked, "the graph database is locked by another process"),
    (StoreCorrupt, "the store has lost its own node"),
    (StoreError, "the graph database could not complete the operation"),
)


def is_alive() -> bool:
    """Whether this process answers: it does if this returns.

    It asks nothing of the store on purpose. A process whose database is away must not be restarted for that: it would
    not help, and the database would have to serve many that begin anew at once.
    """
    return True


def readiness(store: Store) -> tuple[str, ...]:
    """Return what keeps the service from doing its work, in words; nothing if it is ready.

    Parameters
    ----------
    store : Store
        As it was opened; it is asked one small question.
    """
    try:
        head = read_head(store.connection)
    except StoreError as error:
        return (next(words for kind, words in _WORDS if isinstance(error, kind)),)
    found = []
    if head.restoring is not None:
        found.append("a restore of the store is under way or was not finished")
    if head.schema > SCHEMA_VERSION:
        found.append("the store was written by a newer version of the program")
    elif head.schema < SCHEMA_VERSION:
        found.append("the store was not brought to the schema of this version yet")
    return tuple(found)
