"""The ledger: one chain of entries a store, from its first change on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.core.clock import Clock, time_text, utc_now
from auditor.core.errors import NotFound
from auditor.core.kinds import KINDS, kind_named
from auditor.core.staging import written_aside
from auditor.core.transactions import Transaction
from auditor.ledger.chain import GENESIS, EntryRecord, make_entry
from auditor.ledger.check import Fault
from auditor.ledger.verification import Anchor, LedgerCheck, LedgerReport
from auditor.store.ledger_pages import ALL, PACKED, newest_query, read_page
from auditor.store.repository import NewEntry, Repository
from auditor.store.schema.head import lock_store, read_head

if TYPE_CHECKING:
    from auditor.ledger.checkpoint import Checkpoint
    from auditor.store.connection import Connection
    from auditor.store.repository import OpenStore

_PAGE = 5_000

# write: the head is locked by the caller
_APPEND = """
MATCH (s:AuditorStore {key: 1})
CREATE (e:AuditorEntry {seq: $seq, at: $at, actor: $actor, kind: $kind, subject: $subject, payload: $payload,
                 previous: $previous, hash: $hash})
SET s.entries = $seq, s.hash = $hash
"""
# write: the relation locks the subject; the node is from the registry of kinds
_ABOUT = "MATCH (e:AuditorEntry {{seq: $seq}}) MATCH {node} CREATE (e)-[:ABOUT]->(s)"

# read
_AFTER = f"MATCH (e:AuditorEntry) WHERE e.seq > $after WITH e ORDER BY e.seq LIMIT $limit {PACKED}"
# read: the history is from the registry of kinds
_HISTORY = """
{past}
MATCH (s)<-[:ABOUT]-(e:AuditorEntry) WHERE e.seq >= 1
WITH DISTINCT e ORDER BY e.seq DESC LIMIT $limit
"""
# read: an entry without a place in the order
_MISPLACED = "MATCH (e:AuditorEntry) WHERE NOT coalesce(e.seq >= 1, false) RETURN count(e) AS entries"
# write, under the store's lock; the time is there for whoever watches its age, and is not proven by anything
_SET_CHECKPOINT = "MATCH (s:AuditorStore {key: 1}) SET s.checkpoint_at = $at, s.checkpoint_mark = $mark"
# read, under the store's lock
_LAST_CHECKPOINT = "MATCH (s:AuditorStore {key: 1}) RETURN properties(s)['checkpoint_mark'] AS mark"


class Ledger:
    """The ledger of a store.

    Parameters
    ----------
    connection : Connection
        The store.
    clock : callable
        Tells the time of an entry.
    """

    def __init__(self, connection: Connection, clock: Clock = utc_now) -> None:
        self._connection, self.clock = connection, clock

    def append(
        self,
        tx: Transaction,
        kind: str,
        payload: Mapping[str, Any],
        *,
        actor: str,
        subject: str | None = None,
    ) -> EntryRecord:
        """Append an entry inside the caller's transaction: it exists exactly if the transaction's other changes do.

        Parameters
        ----------
        tx : Transaction
            May be run again by its driver: the position is taken anew each time.
        kind : str
            What happened, such as ``network_added``.
        payload : mapping
            Values that have canonical JSON (no floats). Never a protected value.
        actor : str
            Who did it.
        subject : str, optional
            ``network:NAME`` or ``table:NAME``; linked to the one of that name if there is one.

        Raises
        ------
        StoreError
            If a restore is under way.
        BrokenClaim
            If the payload has no canonical JSON.
        """
        head = lock_store(tx)
        entry = make_entry(
            seq=head.entries + 1,
            at=self.now(),
            actor=actor,
            kind=kind,
            subject=subject,
            payload=payload,
            previous=head.hash,
        )
        values = {name: getattr(entry, name) for name in EntryRecord.__slots__}
        tx.run(_APPEND, values).consume()
        kind, _, name = (subject or "").partition(":")
        if kind in KINDS and (node := kind_named(kind).about):
            tx.run(_ABOUT.format(node=node), seq=entry.seq, name=name).consume()
        return entry

    def verify(self, anchors: Iterable[Anchor] = ()) -> LedgerReport:
        """Check every entry and the head, and compare with what was kept elsewhere.

        Parameters
        ----------
        anchors : iterable of Anchor
            From checkpoints, or a head that was written down.

        Returns
        -------
        LedgerReport
            Its faults name edited, removed, moved and added entries by their position, and a cut end.

        Notes
        -----
        O(entries) time, constant memory. Entries appended meanwhile are checked, too.
        """
        check = LedgerCheck(anchors)
        while True:
            head = read_head(self._connection)
            for entry in self._entries(after=check.last_seq):
                check.feed(entry)
            # whatever was appended while the last page was read moved the head
            if read_head(self._connection) == head:
                break
        misplaced = self._connection.read(_MISPLACED)[0]["entries"]
        if misplaced:
            check.add(Fault(0, "misplaced", f"entries without a valid position: {misplaced}"))
        return check.report(head.entries, head.hash)

    def show(
        self,
        limit: int = 20,
        before: int | None = None,
        about: str | None = None,
        *,
        kinds: Sequence[str] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        by: str | None = None,
    ) -> list[EntryRecord]:
        """Return the newest entries, newest first.

        Parameters
        ----------
        limit : int
            At most so many.
        before : int, optional
            Only entries at positions below this one: the last one of the page before.
        about : str, optional
            Only entries about this, such as ``network:NAME``, ``schedule:NAME``, ``export:ID`` or ``token:ID``; it need
            not be there any more. See :func:`auditor.ledger.kinds.parse_about`.
        kinds : sequence of str, optional
            Only entries of these kinds (:data:`auditor.ledger.kinds.KINDS`).
        since, until : datetime, optional
            Only entries of this time, `until` not included.
        by : str, optional
            Only what this person did, under this name.

        Raises
        ------
        BadInput
            If `limit` is below 1, `about` is nothing that entries are about, or there is no such kind.
        """
        query, values = newest_query(about, kinds, since, until, by)
        return read_page(self._connection, query, limit, before=ALL if before is None else before, **values)[::-1]

    def of_subject(self, kind: str, name: str, limit: int | None = None) -> list[EntryRecord]:
        """Return the entries about a subject, and about what its kind counts as the same one, the oldest first.

        Parameters
        ----------
        kind, name : str
            Of a subject, or of one that was removed.
        limit : int, optional
            Only the newest so many.

        Raises
        ------
        NotFound
            If there never was a subject of that name.
        BadInput
            If `limit` is below 1.
        """
        query = _HISTORY.format(past=kind_named(kind).past) + PACKED
        entries = read_page(self._connection, query, ALL if limit is None else limit, name=name)
        if not entries:
            raise NotFound(f"there is and was no {kind} {name!r} in the store; see 'auditor {kind} list'")
        return entries

    def now(self) -> str:
        """Return the time that an entry would get now."""
        return time_text(self.clock())

    def export(self, path: Path, *, force: bool = False) -> tuple[int, str]:
        """Write the ledger to a file, one entry a line as canonical JSON.

        Returns
        -------
        int
            How many entries there are.
        str
            Hash of the last one; the file itself cannot tell whether its end was cut off.

        Raises
        ------
        AlreadyExists
            If there is such a file and `force` was not said.
        BadInput
            If the folder does not exist.
        NotDelivered
            If the file system refuses; nothing is at `path` then.
        """
        count, head = 0, GENESIS
        with written_aside(path, force=force) as stream:
            for entry in self._entries():
                stream.write(entry.json_line().encode("utf-8") + b"\n")
                count, head = count + 1, entry.hash
        return count, head

    def _entries(self, after: int = 0) -> Iterator[EntryRecord]:
        while entries := read_page(self._connection, _AFTER, _PAGE, after=after):
            yield from entries
            after = entries[-1].seq


def record_checkpoint(store: OpenStore, signed: Checkpoint, *, actor: str) -> None:
    """Record that the ledger was verified and signed; the checkpoint itself is kept elsewhere."""
    payload = {"entries": signed.entries, "head": signed.head, "key": signed.key}
    mark = f"{signed.entries} {signed.key} {signed.at}"

    def work(tx: Transaction) -> NewEntry | None:
        if tx.run(_LAST_CHECKPOINT).single(strict=True)["mark"] == mark:
            return None
        tx.run(_SET_CHECKPOINT, at=signed.at, mark=mark).consume()
        return NewEntry("checkpoint", payload, actor)

    Repository(store).change(work)
