"""Exports in the store: what was published of a subject, what it claims, and which published id was whose."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.approvals.record import Decision
from auditor.approvals.repository import decide_approval, want_approval, was_decided_by
from auditor.core.errors import StoreConflict
from auditor.core.kinds import kind_named
from auditor.core.names import SHORTEST_ID, is_name, one_of_ids
from auditor.core.subject import AuditSubject, parse_subject
from auditor.core.transactions import Transaction
from auditor.exports.keys import forget_key, read_relabelling, read_terms, write_relabelling
from auditor.exports.record import OUT, Export, NewExport
from auditor.store.records import columns, encode
from auditor.store.repository import NewEntry, Repository, find_one
from auditor.store.subjects import check_subject, check_unchanged, missing_subject

# write
_RECORD = """
MATCH NODE
CREATE (x:AuditorExport $values)-[:FROM]->(s)
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
_LIST_OF = f"MATCH NODE MATCH (x:AuditorExport)-[:FROM]->(s) {_COLUMNS}"
# read
_OUT_OF = "MATCH NODE MATCH (x:AuditorExport)-[:FROM]->(s) WHERE x.state IN $out RETURN collect(x.id) AS ids"
# read: what a schedule made; few, and only the schedule's worker asks
_LIST_OF_SCHEDULE = f"MATCH (x:AuditorExport) WHERE properties(x)['schedule'] = $schedule {_COLUMNS}"
# read
_LIST_OF_TICK = f"MATCH (x:AuditorExport) WHERE properties(x)['tick'] = $tick {_COLUMNS}"
# read
_SHOW = f"MATCH (x:AuditorExport {{id: $id}}) {_COLUMNS}"
# read: two that begin alike are rare, more than two next to impossible
_ALIKE = "MATCH (x:AuditorExport) WHERE x.id STARTS WITH $begin RETURN x.id AS id"
# read: few are asked about, those whose files are not what they were
_WRITTEN_OVER = """
MATCH (x:AuditorExport {id: $id}) MATCH (y:AuditorExport)
WHERE y.path = x.path AND y.at > x.at AND y.state IN $out
RETURN y.id AS id ORDER BY y.at DESC LIMIT 1
"""
# read
_ORIGIN = "MATCH NODE MATCH (:AuditorExport {id: $id})-[:FROM]->(s) RETURN NUMBER AS number"


class Exports(Repository):
    """The exports of a store."""

    def record(self, new: NewExport) -> None:
        """Record a verified export whose file is about to appear, and its entry in the ledger.

        Raises
        ------
        NotFound
            If there is no subject of that name (any more).
        StoreConflict
            If there is another one under that name by now, or another export of it.
        """
        key = new.relabelling
        state = "recorded" if new.wanted is None else "pending"
        export = Export(
            new.id, self._ledger.clock(), new.subject, new.path, new.checksum, new.claim, state,
            new.verified_at, new.actor, key is not None, new.name,
        )  # fmt: skip
        values = encode(
            export,
            vertices=None if key is None else int(key.size),
            terms=None if key is None else new.terms,
            schedule=None if new.scheduled is None else new.scheduled.schedule,
            tick=None if new.scheduled is None else new.scheduled.run,
        )

        kind, name = parse_subject(new.subject)

        def work(tx: Transaction) -> NewEntry | None:
            if tx.run(_SHOW, id=new.id).single() is not None:
                return None
            check_unchanged(tx, export.subject, new.number)
            if new.beside is not None:
                _check_beside(tx, new.subject, new.beside)
            if new.scheduled is not None:
                new.scheduled.hold(tx)
            tx.run(_about(_RECORD, kind), name=name, values=values).consume()
            if key is not None:
                write_relabelling(tx, new.id, key)
            if new.wanted is not None:
                want_approval(tx, self._ledger, new.wanted)
                return None
            return _entry(export, new.actor, **({} if new.purpose is None else {"purpose": new.purpose}))

        self.change(work)

    def let_out(self, id: str, approving: Decision, *, keep_key: bool, beside: frozenset[str]) -> None:
        """Record that an export that waited is about to appear, with the end of its approval, in one transaction.

        Parameters
        ----------
        id : str
        approving : Decision
            Who lets it out.
        keep_key : bool
            Whether the relabelling stays.
        beside : frozenset of str
            Ids of the exports of its subject that were out when it was verified, of :meth:`out_of`.

        Raises
        ------
        NotFound
            If there is no such export or approval.
        Refused
            If it is not pending any more, or may not be approved by this person.
        StoreConflict
            If what it was made from is gone, or another export of it came out meanwhile.
        """

        def work(tx: Transaction) -> NewEntry | None:
            export = _known(tx, id)
            if export.state != "pending" and was_decided_by(tx, approving):
                return None
            query, parameters = _origin(export)
            if tx.run(query, parameters).single() is None:
                raise StoreConflict(f"what the export {id} was made from is gone; reject it")
            _check_beside(tx, export.subject, beside)
            decide_approval(tx, self._ledger, approving)
            tx.run(_LET_OUT, id=id, at=self._ledger.now()).consume()
            if not keep_key:
                forget_key(tx, id)
            # what somebody agreed to before, its requester carries out
            actor = approving.actor if approving.agreement is None else export.actor
            return _entry(replace(export, key_kept=keep_key), actor, approval=approving.approval)

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
        """Return exports, newest first: all, or those of the subject that has this name now.

        Parameters
        ----------
        subject : str, optional
            ``kind:name``.
        limit, skip : int, optional
            How many, after so many that are left out; for all subjects only.

        Raises
        ------
        NotFound
            If there is no subject of that name.
        """
        if subject is None:
            return self._all(Export, _LIST, limit=limit, skip=skip)
        check_subject(self._connection, subject)
        kind, name = parse_subject(subject)
        return self._all(Export, _about(_LIST_OF, kind), name=name)

    def recognized(self, subject: str, checksum: str) -> Export | None:
        """Return the newest export of a subject whose main file has this checksum, and whose key is kept.

        Raises
        ------
        NotFound
            If there is no subject of that name.
        """
        found = (export for export in self.list(subject) if export.checksum == checksum and export.key_kept)
        return next(found, None)

    def of_schedule(self, schedule: str) -> Sequence[Export]:
        """Return what was made in the ticks of a schedule, newest first."""
        return self._all(Export, _LIST_OF_SCHEDULE, schedule=schedule)

    def of_run(self, run: str) -> Sequence[Export]:
        """Return what was made in a tick, newest first; more than one where a worker died over it."""
        return self._all(Export, _LIST_OF_TICK, tick=run)

    def out_of(self, subject: str) -> frozenset[str]:
        """Return the ids of the exports of a subject that are out, or about to be."""
        return self._connection.read_transaction(lambda tx: _out_of(tx, subject))

    def show(self, id: str) -> Export:
        """Return an export, by its id or by at least 8 characters with which only its id begins.

        Raises
        ------
        NotFound
            If there is none of that id.
        BadInput
            If several begin so.
        """

        def work(tx: Transaction) -> Export:
            alike = [record["id"] for record in tx.run(_ALIKE, begin=id)] if len(id) >= SHORTEST_ID else []
            return _known(tx, one_of_ids(alike, id, "exports") or id)

        return self._connection.read_transaction(work)

    def written_over(self, id: str) -> str | None:
        """Return the newest export whose file took the place of that of an earlier one; None if there is none."""
        found = self._connection.read(_WRITTEN_OVER, id=id, out=[*OUT])
        return str(found[0]["id"]) if found else None

    def origin(self, export: Export) -> AuditSubject | None:
        """Return what an export was made from, None if it is not in the store any more."""
        query, parameters = _origin(export)
        found = self._connection.read(query, **parameters)
        kind, name = parse_subject(export.subject)
        return AuditSubject(kind, name, export.subject, "", found[0]["number"]) if found else None

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


def _entry(export: Export, actor: str, **more: str) -> NewEntry:
    """Return the entry that says that an export is about to appear."""
    payload = {"export": export.id, "checksum": export.checksum, "claim": export.claim, "key_kept": export.key_kept}
    called = {} if export.name is None else {"name": export.name}
    return NewEntry("export", {**payload, **called, **more}, actor, export.subject)


def _origin(export: Export) -> tuple[str, dict[str, Any]]:
    """Return the query, with its parameters, that finds what an export was made from."""
    kind, name = parse_subject(export.subject)
    return _about(_ORIGIN, kind), {"id": export.id, "name": name}


def _out_of(tx: Transaction, subject: str) -> frozenset[str]:
    kind, name = parse_subject(subject)
    return frozenset(tx.run(_about(_OUT_OF, kind), name=name, out=OUT).single(strict=True)["ids"])


def _check_beside(tx: Transaction, subject: str, seen: frozenset[str]) -> None:
    if _out_of(tx, subject) != seen:
        raise StoreConflict(f"another export of {subject} came out meanwhile; run this again")


def _about(query: str, kind: str) -> str:
    """Return a query about subjects of a kind: what NODE and NUMBER stand for is in the registry."""
    found = kind_named(kind)
    return query.replace("NODE", found.node).replace("NUMBER", found.number)


def _known(tx: Transaction, id: str) -> Export:
    found = find_one(tx, Export, _SHOW, id=id) if is_name(id) else None
    if found is None:
        raise missing_subject("export", id)
    return found
