"""What every repository is made of: the connection of a store, and the ledger that records its changes."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from auditor.core.errors import CommitUnknown, StoreUnavailable
from auditor.core.transactions import Transaction
from auditor.store.records import decode
from auditor.store.schema.head import lock_store

if TYPE_CHECKING:
    from auditor.store.connection import Connection
    from auditor.store.ledger import Ledger

T = TypeVar("T")

# read, under the store's lock
_ENTRIES = "MATCH (s:AuditorStore {key: 1}) RETURN s.entries AS entries"
# read, under the store's lock: among what was appended since the transaction was run first
_VIEWED = "MATCH (e:AuditorEntry) WHERE e.seq > $after AND e.payload CONTAINS $view RETURN count(e) > 0 AS found"


class OpenStore(Protocol):
    """What a repository needs of a store: :class:`auditor.store.Store`."""

    @property
    def connection(self) -> Connection:
        """To the database."""

    @property
    def ledger(self) -> Ledger:
        """Where changes are recorded; its clock tells all times."""


@dataclass(frozen=True, slots=True)
class NewEntry:
    """What the ledger is to say of a change; see :meth:`auditor.store.ledger.Ledger.append`."""

    kind: str
    payload: Mapping[str, Any]
    actor: str
    subject: str | None = None


def settled(write: Callable[[], T]) -> T:
    """Return what a transaction returns, run again where its connection was lost during the commit.

    Parameters
    ----------
    write : callable
        Runs a transaction that does nothing where it was committed already.

    Raises
    ------
    CommitUnknown
        If the connection was lost again, or there is no store to look into.
    """
    try:
        return write()
    except CommitUnknown as unknown:
        try:
            return write()
        except StoreUnavailable:
            raise unknown from None


class Repository:
    """The queries about one concept; cheap to make, so callers make one where they need it.

    Parameters
    ----------
    store : OpenStore
    """

    def __init__(self, store: OpenStore) -> None:
        self._connection = store.connection
        self._ledger = store.ledger

    def locked(self, work: Callable[[Transaction], T]) -> T:
        """Return what `work` returns, run in a transaction that holds the store's lock: nobody else changes anything.

        Notes
        -----
        The transaction may be run again even though it was committed (:func:`settled`). So `work` looks first whether
        its change is there already (by a random id that was drawn before the transaction, or by the state that it
        makes) and does nothing then.
        """

        def under_lock(tx: Transaction) -> T:
            lock_store(tx)
            return work(tx)

        return settled(lambda: self._connection.write(under_lock))

    def change(self, work: Callable[[Transaction], NewEntry | None]) -> None:
        """Make a change under the store's lock (:meth:`locked`), and append its entry in the same transaction.

        Parameters
        ----------
        work : callable
            Makes the change and returns its entry; None where there is nothing (more) to do.
        """

        def recorded(tx: Transaction) -> None:
            entry = work(tx)
            if entry is not None:
                self._ledger.append(tx, entry.kind, entry.payload, actor=entry.actor, subject=entry.subject)

        self.locked(recorded)

    def record_view(self, entry: NewEntry, check: Callable[[Transaction], object] = lambda _: None) -> None:
        """Append the entry of a disclosure view, once, before anything is shown; its payload gets a random ``view``.

        Parameters
        ----------
        entry : NewEntry
        check : callable, optional
            Raises, under the store's lock, where there is nothing to view any more.
        """
        view, begun = str(uuid.uuid4()), []

        def work(tx: Transaction) -> NewEntry | None:
            begun.append(tx.run(_ENTRIES).single(strict=True)["entries"])
            if len(begun) > 1 and tx.run(_VIEWED, after=begun[0], view=view).single(strict=True)["found"]:
                return None
            check(tx)
            return replace(entry, payload={**entry.payload, "view": view})

        self.change(work)

    def _all(self, cls: type[T], query: str, /, **parameters: Any) -> list[T]:
        """Return all records of a reading query whose one column is a map of the fields of a dataclass."""
        return [decode(cls, record[0]) for record in self._connection.read(query, **parameters)]


def find_one(tx: Transaction, cls: type[T], query: str, /, **parameters: Any) -> T | None:
    """Return the record of a query, as :meth:`Repository._all` reads them; None if there is none."""
    record = tx.run(query, parameters).single()
    return None if record is None else decode(cls, record[0])
