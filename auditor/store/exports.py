"""Exports in the store: what was published of a network, what it claims, and which published id was whose."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from auditor.errors import NotFound, StoreCorrupt
from auditor.ledger_chain import canonical_json
from auditor.store.clock import parse_time, time_text
from auditor.store.ledger import Ledger
from auditor.store.names import is_name
from auditor.store.schema import lock_store
from auditor.store.subjects import check_subject, check_unchanged

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from auditor.store.connection import Connection

__all__ = ["Export", "Exports"]

_PART = 1 << 20
"""Bytes of the relabelling a node."""

# read, under the store's lock
_STATE = "MATCH (x:Export {id: $id}) RETURN x.state AS state, x.subject AS subject, x.key_kept AS key_kept"
# write
_RECORD = """
MATCH (n:Network {name: $name})
CREATE (x:Export {id: $id, at: $at, subject: $subject, path: $path, checksum: $checksum, claim: $claim,
                  state: 'recorded', verified_at: $verified_at, actor: $actor, key_kept: $key_kept,
                  vertices: $vertices, terms: $terms})
CREATE (x)-[:FROM]->(n)
"""
# write
_RECORD_PART = """
CREATE (:RelabellingPart {id: $id + '/' + toString($part), export: $id, part: $part, published: $published})
"""
# write
_MARK = "MATCH (x:Export {id: $id}) SET x.state = 'published', x.published_at = $at"
# write
_FORGET = """
MATCH (x:Export {id: $id}) SET x.key_kept = false, x.terms = null
WITH x MATCH (p:RelabellingPart {export: x.id}) DELETE p
"""

_COLUMNS = """
RETURN x.id AS id, x.at AS at, x.subject AS subject, x.path AS path, x.checksum AS checksum, x.claim AS claim,
       x.state AS state, x.verified_at AS verified_at, x.actor AS actor, x.key_kept AS key_kept
ORDER BY at DESC, id
"""
# read
_LIST = f"MATCH (x:Export) {_COLUMNS}"
# read
_LIST_OF = f"MATCH (x:Export)-[:FROM]->(:Network {{name: $name}}) {_COLUMNS}"
# read
_SHOW = f"MATCH (x:Export {{id: $id}}) {_COLUMNS}"
# read
_KEY = """
MATCH (x:Export {id: $id})
OPTIONAL MATCH (p:RelabellingPart {export: x.id})
WITH x, p ORDER BY p.part
RETURN x.key_kept AS kept, x.vertices AS vertices, collect(p.published) AS parts
"""
# read; x.terms would be warned about in a store where no export has terms
_TERMS = "MATCH (x:Export {id: $id}) RETURN properties(x)['terms'] AS terms"


@dataclass(frozen=True, slots=True)
class Export:
    """An export that was recorded."""

    id: str
    """Random; stands in the manifest beside the file."""
    at: datetime
    subject: str
    """``network:NAME``, the name at the time."""
    path: str
    checksum: str
    """SHA-256 of the file."""
    claim: Mapping[str, Any]
    state: str
    """``recorded`` before the file appeared, ``published`` after."""
    verified_at: datetime
    actor: str
    key_kept: bool
    """Whether the store holds the relabelling."""


class Exports:
    """The exports of a store.

    Parameters
    ----------
    connection : Connection
        The store.
    ledger : Ledger, optional
        Where exports are recorded; the store's own by default.
    """

    def __init__(self, connection: Connection, ledger: Ledger | None = None) -> None:
        self._connection = connection
        self._ledger = ledger if ledger is not None else Ledger(connection)

    def record(
        self,
        *,
        id: str,
        subject: str,
        path: str,
        checksum: str,
        claim: Mapping[str, Any],
        verified_at: datetime,
        relabelling: NDArray[np.int64] | None,
        actor: str,
        network: int | None = None,
        terms: Mapping[str, Any] | None = None,
    ) -> None:
        """Record a verified export whose file is about to appear, and its entry in the ledger.

        Parameters
        ----------
        id : str
            Random id from the operating system.
        subject : str
            Name of the network.
        path : str
            Where the file will be.
        checksum : str
            SHA-256 of the file.
        claim : mapping
            What the file claims; nothing protected, no floats.
        verified_at : datetime
            When the file was read back and verified.
        relabelling : ndarray of int64, shape (n,), or None
            ``relabelling[v]`` is the published id of vertex v; None keeps it out of the store.
        actor : str
            Who exports.
        network : int, optional
            Number (:attr:`NetworkInfo.id`) of the network that was exported, to be sure that it is still the one.
        terms : mapping, optional
            What was promised to the owner alone; kept where the relabelling is, and never in the ledger.

        Raises
        ------
        NotFound
            If there is no network of that name (any more).
        StoreConflict
            If there is another one under that name by now.
        """
        values = {
            "id": id,
            "at": time_text(self._ledger.clock()),
            "name": subject,
            "network": network,
            "subject": f"network:{subject}",
            "path": path,
            "checksum": checksum,
            "claim": canonical_json(claim),
            "verified_at": time_text(verified_at),
            "actor": actor,
            "key_kept": relabelling is not None,
            "vertices": None if relabelling is None else int(relabelling.size),
            "terms": None if relabelling is None or terms is None else canonical_json(terms),
        }
        key = b"" if relabelling is None else _packed(relabelling)
        self._connection.write(lambda tx: self._record(tx, values, key))

    def mark_published(self, id: str) -> None:
        """Note that the file of an export is in its place; once is enough.

        Raises
        ------
        NotFound
            If there is no export of that id.
        """

        def work(tx: ManagedTransaction) -> None:
            state = _state(tx, id)
            if state["state"] != "published":
                tx.run(_MARK, id=id, at=time_text(self._ledger.clock())).consume()

        self._connection.write(work)

    def forget_key(self, id: str, *, actor: str) -> None:
        """Delete the relabelling of an export and its terms; from then on only the file's own claim can be checked.

        Raises
        ------
        NotFound
            If there is no export of that id.
        """

        def work(tx: ManagedTransaction) -> None:
            state = _state(tx, id)
            if state["key_kept"]:
                tx.run(_FORGET, id=id).consume()
                self._ledger.append(tx, "key_forgotten", {"export": id}, actor=actor, subject=state["subject"])

        self._connection.write(work)

    def list(self, subject: str | None = None) -> Sequence[Export]:
        """Return exports, newest first: all, or those of the network that has this name now.

        Raises
        ------
        NotFound
            If there is no network of that name.
        """
        if subject is None:
            return [_export(dict(record)) for record in self._connection.read(_LIST)]
        check_subject(self._connection, subject)
        return [_export(dict(record)) for record in self._connection.read(_LIST_OF, name=subject)]

    def show(self, id: str) -> Export:
        """Return an export.

        Raises
        ------
        NotFound
            If there is none of that id.
        """
        records = self._connection.read(_SHOW, id=id) if is_name(id) else []
        if not records:
            raise _no_export(id)
        return _export(dict(records[0]))

    def relabelling(self, id: str) -> NDArray[np.int64] | None:
        """Return the published id of every vertex, or None if the store does not hold it (any more).

        Raises
        ------
        NotFound
            If there is no export of that id.
        StoreCorrupt
            If parts of it are missing.
        """
        records = self._connection.read(_KEY, id=id)
        if not records:
            raise _no_export(id)
        record = records[0]
        if not record["kept"]:
            return None
        key = np.frombuffer(b"".join(record["parts"]), dtype="<i8").astype(np.int64)
        if key.size != record["vertices"]:
            raise StoreCorrupt(f"parts of the relabelling of export {id} are missing; restore the store from a backup")
        return key

    def terms(self, id: str) -> Mapping[str, Any] | None:
        """Return what was promised to the owner alone, or None if the store does not hold it (any more).

        Raises
        ------
        NotFound
            If there is no export of that id.
        """
        records = self._connection.read(_TERMS, id=id)
        if not records:
            raise _no_export(id)
        text = records[0]["terms"]
        return None if text is None else dict(json.loads(text))

    def _record(self, tx: ManagedTransaction, values: dict[str, Any], key: bytes) -> None:
        lock_store(tx)
        if tx.run(_STATE, id=values["id"]).single() is not None:
            # this is a retry, and the first try was committed
            return
        check_unchanged(tx, values["name"], values["network"])
        tx.run(_RECORD, values).consume()
        for part, start in enumerate(range(0, len(key), _PART)):
            tx.run(_RECORD_PART, id=values["id"], part=part, published=key[start : start + _PART]).consume()
        payload = {
            "export": values["id"],
            "checksum": values["checksum"],
            "claim": json.loads(values["claim"]),
            "key_kept": values["key_kept"],
        }
        self._ledger.append(tx, "export", payload, actor=values["actor"], subject=values["subject"])


def _state(tx: ManagedTransaction, id: str) -> Any:
    """Return the state of an export, with the store locked."""
    lock_store(tx)
    record = tx.run(_STATE, id=id).single()
    if record is None:
        raise _no_export(id)
    return record


def _no_export(id: str) -> NotFound:
    return NotFound(f"there is no export {id!r} in the store")


def _packed(relabelling: NDArray[np.int64]) -> bytes:
    return np.ascontiguousarray(relabelling, dtype="<i8").tobytes()


def _export(record: dict[str, Any]) -> Export:
    times = {key: parse_time(record[key]) for key in ("at", "verified_at")}
    return Export(**{**record, **times, "claim": json.loads(record["claim"])})
