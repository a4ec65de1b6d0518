"""Nodes that several processes change by turns: each under its own lock, which is taken before it is read."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from auditor.core.transactions import Transaction
from auditor.store.repository import Repository, find_one, settled

T = TypeVar("T")
Values = dict[str, Any]
"""Properties to set."""

# write: takes the node's lock for the rest of the transaction, as that of the store is taken
_LOCK = "MATCH (n:{label} {{id: $id}}) SET n.locked = true"
# read
_READ = "MATCH (n:{label} {{id: $id}}) RETURN n {{.*}} AS record"
# write
_SET = "MATCH (n:{label} {{id: $id}}) SET n += $values"


class NodeRepository(Repository, Generic[T]):
    """The nodes of one label, known by their ids; where the store's lock is taken, too, it comes first."""

    _label: str
    _record: type[T]

    def _find(self, id: str) -> T | None:
        """Return a node as it is; None if there is none."""
        return self._connection.read_transaction(lambda tx: self._read(tx, id))

    def _read(self, tx: Transaction, id: str) -> T | None:
        return find_one(tx, self._record, _READ.format(label=self._label), id=id)

    def _locked(self, tx: Transaction, id: str) -> T | None:
        """Lock a node for the rest of the transaction, and return it as it is."""
        tx.run(_LOCK.format(label=self._label), id=id).consume()
        # a second statement: what the first one reads, it may have read before it had the lock
        return self._read(tx, id)

    def _set(self, tx: Transaction, id: str, values: Values) -> None:
        tx.run(_SET.format(label=self._label), id=id, values=values).consume()

    def _changed(self, tx: Transaction, id: str, change: Callable[[T | None], Values | None]) -> T | None:
        """Set what `change` returns of a node, given it under its lock, and return the node as it is then.

        None where `change` returns None: nothing is set. Where it finds that the transaction is a repeated one and
        its first try was committed, it returns an empty mapping.
        """
        values = change(self._locked(tx, id))
        if values is None:
            return None
        self._set(tx, id, values)
        return self._read(tx, id)

    def _change(self, id: str, change: Callable[[T | None], Values | None]) -> T | None:
        """Change a node as :meth:`_changed` does, in a transaction of its own."""
        return settled(lambda: self._connection.write(lambda tx: self._changed(tx, id, change)))
