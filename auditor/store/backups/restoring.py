"""Fill an empty store from a backup or from another store, whole or not at all."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from auditor.core.errors import AlreadyExists, BadFile, BadInput, StoreConflict, StoreCorrupt, StoreError, StoreLocked
from auditor.core.kinds import LargeContent, large_contents
from auditor.core.progress import Progress
from auditor.core.transactions import Transaction
from auditor.store.backups.file import NONCE, Record, check_backup, read_records
from auditor.store.backups.writing import all_records
from auditor.store.connection import Connection
from auditor.store.ledger import Ledger
from auditor.store.owner import LEASE_MILLISECONDS, Owner
from auditor.store.schema.contents import hidden_kinds, label_of, node_keys, node_relations
from auditor.store.schema.head import SCHEMA_VERSION, ensure_schema, lock_store, read_head

_BATCH = 2_000
_BATCH_BYTES = 8_000_000
_DELETED = 10_000

# read: whether nothing is in the store but its own node; labels from the list of contents
_OCCUPIED = "MATCH (n:{labels}) RETURN count(n) AS nodes"
# read, under the store's lock
_LEASE = "MATCH (s:AuditorStore {key: 1}) RETURN s.lease - timestamp() AS lease_left"
# write
_CLAIM = "MATCH (s:AuditorStore {key: 1}) SET s.restoring = $owner, s.lease = timestamp() + $lease"
# write: also locks the node, so that nobody can take over while a batch is written
_RENEW = """
MATCH (s:AuditorStore {key: 1}) WHERE s.restoring = $owner SET s.lease = timestamp() + $lease
RETURN count(s) AS held
"""
# write: labels from the list of contents
_DELETE_NODES = "MATCH (n:{labels}) WITH n LIMIT $limit DETACH DELETE n RETURN count(*) AS deleted"
# write: label from the list of contents
_CREATE_NODES = "UNWIND $rows AS properties CREATE (n:{label}) SET n = properties"
# write: labels, keys and type from the list of contents
_CREATE_RELATIONS = """
UNWIND $rows AS row
MATCH (a:{start} {{{start_key}: row[0]}})
MATCH (b:{end} {{{end_key}: row[1]}})
CREATE (a)-[:{type}]->(b)
"""
# read: label from the list of contents
_COUNT = "MATCH (n:{label}) RETURN count(n) AS found"
# write
_FINISH = """
MATCH (s:AuditorStore {key: 1})
SET s.schema = $schema, s.entries = $entries, s.hash = $hash, s.networks = $networks
REMOVE s.restoring, s.lease
"""


def restore_backup(connection: Connection, path: Path, *, actor: str, progress: Progress | None = None) -> None:
    """Fill an empty store from a backup; the ledger goes on with an entry about it.

    Parameters
    ----------
    connection : Connection
        The store; its schema need not exist yet.
    path : Path
        The backup. It is checked from the first to the last line before the store is touched.
    actor : str
        Who restores.
    progress : callable, optional
        Told what is being done.

    Raises
    ------
    BadFile
        If the backup is not whole or was written by a newer version.
    AlreadyExists
        If the store holds something.
    StoreLocked
        If another process is restoring it.

    Notes
    -----
    From the first change to the last the store is marked, and nobody else may use it. A restore that was killed is
    begun anew by the next one, which deletes what it finds.
    """
    if progress is not None:
        progress("check the backup", 0, 0)
    header, digest = check_backup(path)
    if header["schema"] > SCHEMA_VERSION:
        raise BadFile(f"{path} has schema {header['schema']}, this program knows {SCHEMA_VERSION}; install a newer one")
    with Owner.working() as owner:
        # the digest of a backup without a nonce could be used to test guesses about what is in it
        origin = {"sha256": digest} if NONCE in header else {"backup_of": header["created_at"]}
        _Restore(connection, owner, actor, progress).run(lambda: read_records(path), origin)


def copy_store(source: Connection, target: Connection, *, actor: str, progress: Progress | None = None) -> None:
    """Copy everything in a store into an empty one; both ledgers get an entry about it.

    Raises
    ------
    AlreadyExists
        If the target holds something.
    BadInput
        If the source holds nothing.
    StoreLocked
        If another process is restoring it.

    Notes
    -----
    The source is locked meanwhile, as for a backup.
    """
    ledger = Ledger(source)
    if read_head(source).entries == 0:
        raise BadInput("the store to copy from is empty")
    # before the source is locked: a store that is copied into itself would wait for itself
    _check_before_copy(target)

    def work(tx: Transaction) -> None:
        head = lock_store(tx)
        ledger.append(tx, "copy", {"entries": head.entries, "head": head.hash}, actor=actor)
        at = ledger.now()
        _Restore(target, owner, actor, progress).run(lambda: all_records(source, head, at), {"copied": head.hash})

    with Owner.working() as owner:
        source.write(work)


class _Restore:
    """One restore: claims the store, fills it, checks the counts and lets go."""

    def __init__(self, connection: Connection, owner: Owner, actor: str, progress: Progress | None) -> None:
        self._connection, self._owner, self._actor, self._progress = connection, owner, actor, progress
        self._large = large_contents()
        self._writes = _Writes(self._large)

    def run(self, records: Callable[[], Iterator[Record]], origin: dict[str, str]) -> None:
        ensure_schema(self._connection, allow_unfinished_restore=True)
        self._connection.write(self._claim)
        self._delete_everything()
        counts: Counter[str] = Counter()
        head = self._fill(self._counted(records(), counts))
        self._check(counts)
        self._connection.write(lambda tx: self._finish(tx, head, origin))
        # an older backup is brought to the schema of today
        ensure_schema(self._connection)

    def _claim(self, tx: Transaction) -> None:
        head = lock_store(tx, allow_unfinished_restore=True)
        if head.restoring is None:
            _check_empty(tx)
        elif head.restoring != self._owner.text:
            lease_left = tx.run(_LEASE).single(strict=True)["lease_left"]
            if Owner.parse(head.restoring).lives(lease_left):
                raise StoreLocked("another process is restoring this store; wait until it is done")
        tx.run(_CLAIM, owner=self._owner.text, lease=LEASE_MILLISECONDS).consume()

    def _delete_everything(self) -> None:
        large = [query for content in self._large for query in content.deletions]
        for query in (*large, _DELETE_NODES.format(labels=_all_labels())):
            while self._write(query, limit=_DELETED):
                self._tell("delete what an unfinished restore left", 0)

    def _fill(self, records: Iterator[Record]) -> Record:
        """Write all records; return the first two, which describe the store itself."""
        header, store = next(records), next(records)
        written = 0
        for kind, batch in _batches(records):
            self._tell("restore", written)
            for query, parameters in self._writes.statements(kind, batch):
                self._write(query, **parameters)
            written += len(batch)
        return {**store, "schema": header["schema"]}

    def _counted(self, records: Iterable[Record], counts: Counter[str]) -> Iterator[Record]:
        for record in records:
            if record["kind"] == "node":
                counts[record["label"]] += 1
            elif record["kind"] in self._writes.large:
                kind, number = self._writes.large[record["kind"]].counted(record)
                counts[kind] += number
            yield record

    def _write(self, query: str, **parameters: Any) -> int:
        def work(tx: Transaction) -> int:
            renewed = tx.run(_RENEW, owner=self._owner.text, lease=LEASE_MILLISECONDS).single(strict=True)
            if not renewed["held"]:
                raise StoreConflict("this restore was taken for abandoned by another process; run it again")
            record = tx.run(query, parameters).single()
            return 0 if record is None else int(record["deleted"])

        return self._connection.write(work)

    def _check(self, counts: Counter[str]) -> None:
        """Compare how much is in the store with how much was to be."""
        self._tell("check", 0)
        query = self._connection.read
        found = {kind: query(_COUNT.format(label=label_of(kind)))[0]["found"] for kind in node_keys()}
        for content in self._large:
            found |= content.present(self._connection)
        if any(number != counts[kind] for kind, number in found.items()):
            raise StoreCorrupt("the store does not hold what was restored; run the restore again")

    def _finish(self, tx: Transaction, head: Record, origin: dict[str, str]) -> None:
        if lock_store(tx, allow_unfinished_restore=True).restoring != self._owner.text:
            raise StoreConflict("this restore was taken for abandoned by another process; run it again")
        values = {key: head[key] for key in ("schema", "entries", "hash", "networks")}
        tx.run(_FINISH, values).consume()
        Ledger(self._connection).append(tx, "restore", {**origin, "entries": head["entries"]}, actor=self._actor)

    def _tell(self, what: str, done: int) -> None:
        if self._progress is not None:
            self._progress(what, done, 0)


def _check_before_copy(target: Connection) -> None:
    """Refuse a target that holds something, unless it is what an unfinished restore left."""
    ensure_schema(target, allow_unfinished_restore=True)
    if read_head(target).restoring is None:
        target.read_transaction(_check_empty)


def _check_empty(tx: Transaction) -> None:
    if tx.run(_OCCUPIED.format(labels=_all_labels())).single(strict=True)["nodes"]:
        raise AlreadyExists("the store is not empty; restore into a new one (another AUDITOR_HOME or --store)")


def _batches(records: Iterator[Record]) -> Iterator[tuple[tuple[str, ...], list[Record]]]:
    """Put together what one statement can write: nodes of one label, relations of one type; others stand alone."""
    for kind, group in groupby(records, key=_kind):
        limit = _BATCH if kind[0] in ("node", "relation") else 1
        batch: list[Record] = []
        room = _BATCH_BYTES
        for record in group:
            batch.append(record)
            room -= _size(record)
            if len(batch) == limit or room <= 0:
                yield kind, batch
                batch, room = [], _BATCH_BYTES
        if batch:
            yield kind, batch


def _size(record: Record) -> int:
    """About how many bytes the lists of a node take: the part of a relabelling is a megabyte, so is one of a table."""
    values = record.get("properties", {}).values()
    return sum(
        len(value) * (8 if isinstance(value, list) else 1) for value in values if isinstance(value, list | bytes)
    )


def _kind(record: Record) -> tuple[str, ...]:
    if record["kind"] == "node":
        return ("node", record["label"])
    if record["kind"] == "relation":
        return ("relation", record["from"][0], record["type"], record["to"][0])
    return (record["kind"],)


class _Writes:
    """The queries that write records; what the kinds of subjects say of them is asked once."""

    def __init__(self, large: Iterable[LargeContent]) -> None:
        self.large = {kind: content for content in large for kind in content.records}
        self._keys, self._relations = node_keys(), set(node_relations())

    def statements(self, kind: tuple[str, ...], batch: list[Record]) -> Iterator[tuple[str, dict[str, Any]]]:
        match kind:
            case ("node", label) if label in self._keys:
                yield _CREATE_NODES.format(label=label_of(label)), {"rows": [record["properties"] for record in batch]}
            case ("relation", start, name, end) if (start, name, end) in self._relations:
                keys = {"start_key": self._keys[start], "end_key": self._keys[end]}
                yield (
                    _CREATE_RELATIONS.format(type=name, start=label_of(start), end=label_of(end), **keys),
                    {"rows": [[record["from"][1], record["to"][1]] for record in batch]},
                )
            case ("end",):
                return
            case (packed,) if packed in self.large:
                for record in batch:
                    yield from self.large[packed].written(record)
            case _:
                raise StoreError("the backup holds something that this version does not know; install a newer version")


def _all_labels() -> str:
    return "|".join(map(label_of, [*node_keys(), *hidden_kinds()]))
