"""The ledger: one chain of entries a store, from its first change on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.errors import BadInput
from auditor.ledger_chain import ChainCheck, EntryRecord, Fault, make_entry
from auditor.staging import written_aside
from auditor.store.clock import Clock, time_text, utc_now
from auditor.store.schema import lock_store, read_head

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from auditor.store.connection import Connection

__all__ = ["Ledger", "LedgerReport"]

_PAGE = 5_000

# write: the head is locked by the caller
_APPEND = """
MATCH (s:Store {key: 1})
CREATE (e:Entry {seq: $seq, at: $at, actor: $actor, kind: $kind, subject: $subject, payload: $payload,
                 previous: $previous, hash: $hash})
SET s.entries = $seq, s.hash = $hash
"""
# write: the relation locks the subject
_ABOUT_NETWORK = "MATCH (e:Entry {seq: $seq}) MATCH (n:Network {name: $name}) CREATE (e)-[:ABOUT]->(n)"
# write: a table that was removed keeps its node
_ABOUT_TABLE = """
MATCH (e:Entry {seq: $seq}) MATCH (t:Table|RemovedTable {name: $name}) CREATE (e)-[:ABOUT]->(t)
"""
_ABOUT = {"network": _ABOUT_NETWORK, "table": _ABOUT_TABLE}

# in the order of EntryRecord; one list of lists a page is several times faster to read than records
_PACKED = "RETURN collect([e.seq, e.at, e.actor, e.kind, e.subject, e.payload, e.previous, e.hash]) AS entries"
# read
_AFTER = f"MATCH (e:Entry) WHERE e.seq > $after WITH e ORDER BY e.seq LIMIT $limit {_PACKED}"
# read
_BEFORE = f"MATCH (e:Entry) WHERE e.seq < $before WITH e ORDER BY e.seq DESC LIMIT $limit {_PACKED}"
# read: an entry without a place in the order
_MISPLACED = "MATCH (e:Entry) WHERE NOT coalesce(e.seq >= 1, false) RETURN count(e) AS entries"


@dataclass(frozen=True, slots=True)
class LedgerReport:
    """What a verification of the ledger found."""

    entries: int
    """Entries that the head counts."""
    head: str
    """Hash of the last entry. Kept elsewhere, it lets a later verification find a chain that was written anew."""
    faults: tuple[Fault, ...]

    @property
    def intact(self) -> bool:
        """Whether no fault was found."""
        return not self.faults


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
        tx: ManagedTransaction,
        kind: str,
        payload: Mapping[str, Any],
        *,
        actor: str,
        subject: str | None = None,
    ) -> EntryRecord:
        """Append an entry inside the caller's transaction: it exists exactly if the transaction's other changes do.

        Parameters
        ----------
        tx : ManagedTransaction
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
            at=time_text(self.clock()),
            actor=actor,
            kind=kind,
            subject=subject,
            payload=payload,
            previous=head.hash,
        )
        values = {name: getattr(entry, name) for name in EntryRecord.__slots__}
        tx.run(_APPEND, values).consume()
        family, _, name = (subject or "").partition(":")
        if family in _ABOUT:
            tx.run(_ABOUT[family], seq=entry.seq, name=name).consume()
        return entry

    def verify(self) -> LedgerReport:
        """Check every entry and the head.

        Returns
        -------
        LedgerReport
            Its faults name edited, removed, moved and added entries by their position, and a cut end.

        Notes
        -----
        O(entries) time, constant memory. Entries appended meanwhile are checked, too.
        """
        check = ChainCheck()
        while True:
            head = read_head(self._connection)
            for entry in self._entries(after=check.last_seq):
                check.feed(entry)
            # whatever was appended while the last page was read moved the head
            if read_head(self._connection) == head:
                break
        check.finish(head.entries, head.hash)
        misplaced = self._connection.read(_MISPLACED)[0]["entries"]
        if misplaced:
            check.faults.append(Fault(0, f"entries without a valid position: {misplaced}"))
        return LedgerReport(head.entries, head.hash, tuple(check.faults))

    def show(self, limit: int = 20, before: int | None = None) -> list[EntryRecord]:
        """Return the newest entries, newest first.

        Parameters
        ----------
        limit : int
            At most so many.
        before : int, optional
            Only entries at positions below this one.

        Raises
        ------
        BadInput
            If `limit` is below 1.
        """
        if limit < 1:
            raise BadInput(f"limit ({limit}) must be at least 1")
        last = before if before is not None else 2**62
        (page,) = self._connection.read(_BEFORE, before=last, limit=limit)
        return sorted((EntryRecord(*values) for values in page["entries"]), key=_position, reverse=True)

    def export(self, path: Path, *, force: bool = False) -> int:
        """Write the ledger to a file, one entry a line as canonical JSON, and return how many there are.

        Raises
        ------
        AlreadyExists
            If there is such a file and `force` was not said.
        BadInput
            If the folder does not exist.
        NotDelivered
            If the file system refuses; nothing is at `path` then.
        """
        count = 0
        with written_aside(path, force=force) as stream:
            for entry in self._entries():
                stream.write(entry.json_line().encode("utf-8") + b"\n")
                count += 1
        return count

    def _entries(self, after: int = 0) -> Iterator[EntryRecord]:
        while True:
            (page,) = self._connection.read(_AFTER, after=after, limit=_PAGE)
            entries = sorted((EntryRecord(*values) for values in page["entries"]), key=_position)
            if not entries:
                return
            yield from entries
            after = entries[-1].seq


def _position(entry: EntryRecord) -> int:
    return entry.seq
