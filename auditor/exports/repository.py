"""Exports in the store: what was published of a network, what it claims, and which published id was whose."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.approvals.record import Decision
from auditor.approvals.repository import decide_approval, want_approval, was_decided_by
from auditor.core.errors import StoreConflict
from auditor.core.names import is_name
from auditor.core.transactions import Transaction
from auditor.exports.keys import forget_key, read_relabelling, read_terms, write_relabelling
from auditor.exports.record import Export, NewExport
from auditor.store.records import columns, encode
from auditor.store.repository import NewEntry, Repository, find_one
from auditor.store.subjects import check_subject, check_unchanged, missing_subject

# write
_RECORD = """
MATCH (n:AuditorNetwork {name: $name})
CREATE (x:AuditorExport $values)-[:FROM]->(n)
"""
# write
_MARK = "MATCH (x:AuditorExport {id: $id}) SET x.state = 'published', x.published_at = $at"
# write
_LET_OUT = "MATCH (x:AuditorExport {id: $id}) SET x.state = 'recorded', x.let_out_at = $at"
_ALL = 2**31 - 1
_COLUMNS = f"RETURN {columns(Export, 'x')} AS export ORDER BY x.at DESC, x.id"
# read
_LIST = f"MATCH (x:AuditorExport) {_COLUMNS} SKIP $skip LIMIT $limit"
# read
_LIST_OF = f"MATCH (x:AuditorExport)-[:FROM]->(:AuditorNetwork {{name: $name}}) {_COLUMNS}"
# read: what a schedule made; few, and only the schedule's worker asks
_LIST_OF_SCHEDULE = f"MATCH (x:AuditorExport) WHERE properties(x)['schedule'] = $schedule {_COLUMNS}"
# read
_LIST_OF_TICK = f"MATCH (x:AuditorExport) WHERE properties(x)['tick'] = $tick {_COLUMNS}"
# read
_SHOW = f"MATCH (x:AuditorExport {{id: $id}}) {_COLUMNS}"
# read
_ORIGIN = "RETURN EXISTS { (:AuditorExport {id: $id})-[:FROM]->(:AuditorNetwork) } AS found"


class Exports(Repository):
    """The exports of a store."""

    def record(self, new: NewExport) -> None:
        """Record a verified export whose file is about to appear, and its entry in the ledger.

        Raises
        ------
        NotFound
            If there is no network of that name (any more).
        StoreConflict
            If there is another one under that name by now.
        """
        key = new.relabelling
        state = "recorded" if new.wanted is None else "pending"
        export = Export(
            new.id, self._ledger.clock(), f"network:{new.subject}", new.path, new.checksum, new.claim, state,
            new.verified_at, new.actor, key is not None,
        )  # fmt: skip
        values = encode(
            export,
            vertices=None if key is None else int(key.size),
            terms=None if key is None else new.terms,
            schedule=None if new.scheduled is None else new.scheduled.schedule,
            tick=None if new.scheduled is None else new.scheduled.run,
        )

        def work(tx: Transaction) -> NewEntry | None:
            if tx.run(_SHOW, id=new.id).single() is not None:
                return None
            check_unchanged(tx, export.subject, new.network)
            if new.scheduled is not None:
                new.scheduled.hold(tx)
            tx.run(_RECORD, name=new.subject, values=values).consume()
            if key is not None:
                write_relabelling(tx, new.id, key)
            if new.wanted is not None:
                want_approval(tx, self._ledger, new.wanted)
                return None
            return _entry(export, new.actor)

        self.change(work)

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

        def work(tx: Transaction) -> NewEntry | None:
            export = _known(tx, id)
            if export.state != "pending" and was_decided_by(tx, approving):
                return None
            if not tx.run(_ORIGIN, id=id).single(strict=True)["found"]:
                raise StoreConflict(f"the network that the export {id} was made from is gone; reject it")
            decide_approval(tx, self._ledger, approving)
            tx.run(_LET_OUT, id=id, at=self._ledger.now()).consume()
            if not keep_key:
                forget_key(tx, id)
            return _entry(replace(export, key_kept=keep_key), approving.actor, approval=approving.approval)

        self.change(work)

    def mark_published(self, id: str) -> None:
        """Note that the file of an export is in its place; once is enough.

        Raises
        ------
        NotFound
            If there is no export of that id.
        """

        def work(tx: Transaction) -> None:
            if _known(tx, id).state != "published":
                tx.run(_MARK, id=id, at=self._ledger.now()).consume()

        self.locked(work)

    def forget_key(self, id: str, *, actor: str) -> None:
        """Delete the relabelling of an export and its terms; from then on only the file's own claim can be checked.

        Raises
        ------
        NotFound
            If there is no export of that id.
        """

        def work(tx: Transaction) -> NewEntry | None:
            export = _known(tx, id)
            if not export.key_kept:
                return None
            forget_key(tx, id)
            return NewEntry("key_forgotten", {"export": id}, actor, export.subject)

        self.change(work)

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
            return self._all(Export, _LIST, limit=limit, skip=skip)
        check_subject(self._connection, f"network:{subject}")
        return self._all(Export, _LIST_OF, name=subject)

    def of_schedule(self, schedule: str) -> Sequence[Export]:
        """Return what was made in the ticks of a schedule, newest first."""
        return self._all(Export, _LIST_OF_SCHEDULE, schedule=schedule)

    def of_run(self, run: str) -> Sequence[Export]:
        """Return what was made in a tick, newest first; more than one where a worker died over it."""
        return self._all(Export, _LIST_OF_TICK, tick=run)

    def show(self, id: str) -> Export:
        """Return an export.

        Raises
        ------
        NotFound
            If there is none of that id.
        """
        return self._connection.read_transaction(lambda tx: _known(tx, id))

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


def _entry(export: Export, actor: str, **approval: str) -> NewEntry:
    """Return the entry that says that an export is about to appear."""
    payload = {"export": export.id, "checksum": export.checksum, "claim": export.claim, "key_kept": export.key_kept}
    return NewEntry("export", {**payload, **approval}, actor, export.subject)


def _known(tx: Transaction, id: str) -> Export:
    found = find_one(tx, Export, _SHOW, id=id) if is_name(id) else None
    if found is None:
        raise missing_subject("export", id)
    return found
