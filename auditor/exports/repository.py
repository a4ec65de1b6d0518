"""Exports in the store: what was published of a network, what it claims, and which published id was whose."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from auditor.approvals.repository import decide_approval, want_approval, was_decided_by
from auditor.core.clock import time_text
from auditor.core.errors import StoreConflict
from auditor.core.names import is_name
from auditor.exports.keys import forget_key, read_relabelling, read_terms, write_relabelling
from auditor.exports.record import EXPORT_COLUMNS, Export, ScheduledExport, parse_export
from auditor.ledger.chain import canonical_json
from auditor.store.repository import Repository
from auditor.store.schema.head import lock_store
from auditor.store.subjects import check_subject, check_unchanged, missing_subject

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from auditor.approvals.record import Decision, NewApproval

# read, under the store's lock
_STATE = """
MATCH (x:AuditorExport {id: $id})
RETURN x.state AS state, x.subject AS subject, x.key_kept AS key_kept, x.checksum AS checksum, x.claim AS claim
"""
# write
_RECORD = """
MATCH (n:AuditorNetwork {name: $name})
CREATE (x:AuditorExport {id: $id, at: $at, subject: $subject, path: $path, checksum: $checksum, claim: $claim,
                  state: $state, verified_at: $verified_at, actor: $actor, key_kept: $key_kept,
                  vertices: $vertices, terms: $terms})
CREATE (x)-[:FROM]->(n)
"""
# write
_MARK = "MATCH (x:AuditorExport {id: $id}) SET x.state = 'published', x.published_at = $at"
# write
_LET_OUT = "MATCH (x:AuditorExport {id: $id}) SET x.state = 'recorded', x.let_out_at = $at"
# write
_OF_TICK = "MATCH (x:AuditorExport {id: $id}) SET x.schedule = $schedule, x.tick = $tick"
_ALL = 2**31 - 1
# read
_LIST = f"MATCH (x:AuditorExport) {EXPORT_COLUMNS} SKIP $skip LIMIT $limit"
# read
_LIST_OF = f"MATCH (x:AuditorExport)-[:FROM]->(:AuditorNetwork {{name: $name}}) {EXPORT_COLUMNS}"
# read: what a schedule made; few, and only the schedule's worker asks
_LIST_OF_SCHEDULE = f"MATCH (x:AuditorExport) WHERE properties(x)['schedule'] = $schedule {EXPORT_COLUMNS}"
# read
_LIST_OF_TICK = f"MATCH (x:AuditorExport) WHERE properties(x)['tick'] = $tick {EXPORT_COLUMNS}"
# read
_SHOW = f"MATCH (x:AuditorExport {{id: $id}}) {EXPORT_COLUMNS}"
# read
_ORIGIN = "RETURN EXISTS { (:AuditorExport {id: $id})-[:FROM]->(:AuditorNetwork) } AS found"


class Exports(Repository):
    """The exports of a store."""

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
        wanted: NewApproval | None = None,
        scheduled: ScheduledExport | None = None,
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
        wanted : NewApproval, optional
            What it waits for: its entry is written when it is let out.
        scheduled : ScheduledExport, optional
            The tick that it is made in, which must still be held.

        Raises
        ------
        NotFound
            If there is no network of that name (any more).
        StoreConflict
            If there is another one under that name by now.
        """
        values = {
            "id": id,
            "at": self._ledger.now(),
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
            "state": "recorded" if wanted is None else "pending",
        }
        self._connection.write(lambda tx: self._record(tx, values, relabelling, wanted, scheduled))

    def let_out(self, id: str, approving: Decision, *, keep_key: bool) -> None:
        """Record that an export that waited is about to appear, with the end of its approval, in one transaction.

        Parameters
        ----------
        id : str
        approving : Decision
            Who lets it out.
        keep_key : bool
            Whether the relabelling stays.

        Raises
        ------
        NotFound
            If there is no such export or approval.
        Refused
            If it is not pending any more, or may not be approved by this person.
        StoreConflict
            If the network that it was made from is gone.
        """

        def work(tx: ManagedTransaction) -> None:
            state = _state(tx, id)
            if state["state"] != "pending" and was_decided_by(tx, approving):
                return
            if not tx.run(_ORIGIN, id=id).single(strict=True)["found"]:
                raise StoreConflict(f"the network that the export {id} was made from is gone; reject it")
            decide_approval(tx, self._ledger, approving)
            tx.run(_LET_OUT, id=id, at=self._ledger.now()).consume()
            if not keep_key:
                forget_key(tx, id)
            self._append(tx, id, dict(state) | {"key_kept": keep_key}, approving.actor, approval=approving.approval)

        self._connection.write(work)

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
                tx.run(_MARK, id=id, at=self._ledger.now()).consume()

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
                forget_key(tx, id)
                self._ledger.append(tx, "key_forgotten", {"export": id}, actor=actor, subject=state["subject"])

        self._connection.write(work)

    def list(self, subject: str | None = None, *, limit: int = _ALL, skip: int = 0) -> Sequence[Export]:
        """Return exports, newest first: all, or those of the network that has this name now.

        Parameters
        ----------
        subject : str, optional
            Name of a stored network.
        limit, skip : int, optional
            How many, after so many that are left out; for all networks only.

        Raises
        ------
        NotFound
            If there is no network of that name.
        """
        if subject is None:
            records = self._connection.read(_LIST, limit=limit, skip=skip)
            return [parse_export(dict(record)) for record in records]
        check_subject(self._connection, f"network:{subject}")
        return [parse_export(dict(record)) for record in self._connection.read(_LIST_OF, name=subject)]

    def of_schedule(self, schedule: str) -> Sequence[Export]:
        """Return what was made in the ticks of a schedule, newest first."""
        return [parse_export(dict(record)) for record in self._connection.read(_LIST_OF_SCHEDULE, schedule=schedule)]

    def of_run(self, run: str) -> Sequence[Export]:
        """Return what was made in a tick, newest first; more than one where a worker died over it."""
        return [parse_export(dict(record)) for record in self._connection.read(_LIST_OF_TICK, tick=run)]

    def show(self, id: str) -> Export:
        """Return an export.

        Raises
        ------
        NotFound
            If there is none of that id.
        """
        records = self._connection.read(_SHOW, id=id) if is_name(id) else []
        if not records:
            raise missing_subject("export", id)
        return parse_export(dict(records[0]))

    def is_of_present(self, id: str) -> bool:
        """Whether the network that an export was made from is still in the store."""
        return bool(self._connection.read(_ORIGIN, id=id)[0]["found"])

    def relabelling(self, id: str) -> NDArray[np.int64] | None:
        """Return the published id of every vertex, or None if the store does not hold it (any more).

        Raises
        ------
        NotFound
            If there is no export of that id.
        StoreCorrupt
            If parts of it are missing.
        """
        return self._connection.read_transaction(lambda tx: read_relabelling(tx, id))

    def terms(self, id: str) -> Mapping[str, Any] | None:
        """Return what was promised to the owner alone, or None if the store does not hold it (any more).

        Raises
        ------
        NotFound
            If there is no export of that id.
        """
        return self._connection.read_transaction(lambda tx: read_terms(tx, id))

    def _record(
        self,
        tx: ManagedTransaction,
        values: dict[str, Any],
        relabelling: NDArray[np.int64] | None,
        wanted: NewApproval | None,
        scheduled: ScheduledExport | None,
    ) -> None:
        lock_store(tx)
        if tx.run(_STATE, id=values["id"]).single() is not None:
            # this is a retry, and the first try was committed
            return
        check_unchanged(tx, values["subject"], values["network"])
        if scheduled is not None:
            scheduled.hold(tx)
        tx.run(_RECORD, values).consume()
        if scheduled is not None:
            tx.run(_OF_TICK, id=values["id"], schedule=scheduled.schedule, tick=scheduled.run).consume()
        if relabelling is not None:
            write_relabelling(tx, values["id"], relabelling)
        if wanted is not None:
            want_approval(tx, self._ledger, wanted)
        else:
            self._append(tx, values["id"], values, values["actor"])

    def _append(
        self, tx: ManagedTransaction, id: str, values: Mapping[str, Any], actor: str, approval: str | None = None
    ) -> None:
        """Append the entry that says that an export is about to appear."""
        payload = {
            "export": id,
            "checksum": values["checksum"],
            "claim": json.loads(values["claim"]),
            "key_kept": values["key_kept"],
            **({} if approval is None else {"approval": approval}),
        }
        self._ledger.append(tx, "export", payload, actor=actor, subject=values["subject"])


def _state(tx: ManagedTransaction, id: str) -> Any:
    """Return the state of an export, with the store locked."""
    lock_store(tx)
    record = tx.run(_STATE, id=id).single()
    if record is None:
        raise missing_subject("export", id)
    return record
