"""Write the whole store to one file, as it is at one moment."""

import secrets
from collections.abc import Iterator
from pathlib import Path

from auditor import __version__
from auditor.core.kinds import large_contents
from auditor.core.staging import written_aside
from auditor.core.transactions import Transaction
from auditor.store.backups.file import FORMAT_VERSION, NONCE, Record, write_records
from auditor.store.connection import Connection
from auditor.store.ledger import Ledger
from auditor.store.schema.contents import label_of, node_keys, node_relations
from auditor.store.schema.head import StoreHead, lock_store

# read: labels and properties are from the list of contents, never from a user
_NODES = "MATCH (n:{label}) RETURN properties(n) AS properties ORDER BY n.{key}"
# read
_RELATED = """
MATCH (a:{start})-[:{type}]->(b:{end})
RETURN a.{start_key} AS a, b.{end_key} AS b ORDER BY a, b
"""
# read
_COUNTER = "MATCH (s:AuditorStore {key: 1}) RETURN s.networks AS networks"


def write_backup(connection: Connection, ledger: Ledger, path: Path, *, actor: str, force: bool = False) -> str:
    """Write everything in the store to a file and return the SHA-256 of its text.

    Parameters
    ----------
    connection : Connection
        The store.
    ledger : Ledger
        Where the backup is recorded; the file itself ends before that entry.
    path : Path
        The file appears when it is whole, readable by its owner only: it is as protected as the store.
    actor : str
        Who takes it.
    force : bool
        Whether an existing file may be replaced.

    Raises
    ------
    AlreadyExists, BadInput, NotDelivered
        If the file cannot be written; nothing is at `path` then.
    StoreError
        If the store fails, or a transaction may not take that long (``store.transaction_timeout``).

    Notes
    -----
    One transaction holds the store's lock all the time, so whatever would change what others see waits (until the
    transaction timeout, and then says so). Reading goes on, and so does loading a network, up to its last step. When
    this process dies, the server lets the lock go.
    """

    def work(tx: Transaction) -> str:
        head = lock_store(tx)
        # a retry begins the file anew
        stream.seek(0)
        stream.truncate()
        digest = write_records(all_records(connection, head, ledger.now()), stream)
        # recorded before the file appears: nothing is out without a record
        ledger.append(tx, "backup", {"sha256": digest, "entries": head.entries, "head": head.hash}, actor=actor)
        return digest

    with written_aside(path, force=force) as stream:
        return connection.write(work)


def all_records(connection: Connection, head: StoreHead, at: str) -> Iterator[Record]:
    """Yield everything that a locked store holds, as a backup holds it; networks that are not whole are left out."""
    yield {
        "kind": "backup",
        "version": FORMAT_VERSION,
        "schema": head.schema,
        "created_at": at,
        "made_by": f"disclosure-auditor {__version__}",
        # the ledger has the digest of the text: with this in it, nobody without the file can test guesses by that
        NONCE: secrets.token_hex(32),
    }
    networks = connection.read(_COUNTER)[0]["networks"]
    yield {"kind": "store", "entries": head.entries, "hash": head.hash, "networks": networks}
    keys = node_keys()
    for kind, key in keys.items():
        for record in connection.stream(_NODES.format(label=label_of(kind), key=key)):
            yield {"kind": "node", "label": kind, "properties": record["properties"]}
    for start, name, end in node_relations():
        ends = {"start": label_of(start), "start_key": keys[start], "end": label_of(end), "end_key": keys[end]}
        for record in connection.stream(_RELATED.format(type=name, **ends)):
            yield {"kind": "relation", "type": name, "from": [start, record["a"]], "to": [end, record["b"]]}
    for large in large_contents():
        yield from large.read(connection)
