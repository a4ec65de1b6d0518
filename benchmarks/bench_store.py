"""The store by itself: a large network in and out, its backup, and a long ledger."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from auditor.subjects.networks.repository import Networks
from benchmarks.networks import load, private_store
from benchmarks.row import Row
from benchmarks.timing import seconds_of
from graphkit.networks.graphs.graph import SimpleGraph

if TYPE_CHECKING:
    from auditor.store import Store

_NAME = "coAuthorsDBLP"
_ENTRIES = 100_000
_LENGTHEN = """
UNWIND $rows AS row CREATE (e:AuditorEntry) SET e = row
WITH count(*) AS added MATCH (s:AuditorStore {key: 1}) SET s.entries = $entries, s.hash = $hash
"""


def run(data_dir: Path | None) -> list[Row]:
    """Measure coAuthorsDBLP (299 067 vertices, 977 676 edges) where it is at hand, and the ledger in any case."""
    from auditor.config import load_settings
    from auditor.store import open_store

    rows: list[Row] = []
    graph = load(data_dir, _NAME)
    with private_store() as environment:
        settings = load_settings(environ={**os.environ, **environment})
        with open_store(settings) as store:
            if graph is not None:
                rows += _network(store, graph, "numbers as labels", np.arange(graph.n) * 3)
                labels = np.array([f"author {vertex}" for vertex in range(graph.n)], dtype=object)
                rows += _network(store, graph, "text as labels", labels)
            rows += _ledger(store)
    return rows


def _network(store: Store, graph: SimpleGraph, what: str, labels: np.ndarray) -> list[Row]:
    from auditor.formats.networks.loaded import LoadedNetwork
    from auditor.subjects.networks.checksum import network_checksum

    network = LoadedNetwork(graph, labels)
    add = seconds_of(lambda: Networks(store).add(what, network, source="benchmark", actor="benchmark"))
    read = seconds_of(lambda: Networks(store).load(what))
    assert network_checksum(Networks(store).load(what)) == network_checksum(network)
    count = seconds_of(lambda: Networks(store).block_sequence(what))
    assert np.array_equal(Networks(store).block_sequence(what), np.bincount(graph.degrees()))
    with tempfile.TemporaryDirectory() as folder:
        backup = seconds_of(lambda: store.backup(Path(folder) / "backup", actor="benchmark"))
    remove = seconds_of(lambda: Networks(store).remove(what, actor="benchmark"))
    return [
        Row(f"add {_NAME}, {what}, already read", add, "s", bar=35.0),
        Row(f"load {_NAME}, {what}, with its checksum", read, "s", bar=10.0),
        Row(f"block sequence of {_NAME}, counted in the database", count, "s", bar=2.0),
        Row(f"back up a store with {_NAME}", backup, "s"),
        Row(f"remove {_NAME}", remove, "s"),
    ]


def _ledger(store: Store) -> list[Row]:
    """Lengthen the chain behind the ledger's back: a hundred thousand transactions are not what is measured."""
    from auditor.ledger.chain import EntryRecord, make_entry

    known = store.ledger.verify()
    seq, head = known.entries, known.head
    while seq < _ENTRIES:
        rows = []
        for _ in range(min(5_000, _ENTRIES - seq)):
            seq += 1
            entry = make_entry(
                seq=seq, at="2026-01-01T00:00:00.000000Z", actor="benchmark", kind="audit", subject="network:friends",
                payload={"audit": str(seq), "policy": head, "verdict": "passed"}, previous=head,
            )  # fmt: skip
            head = entry.hash
            rows.append({name: getattr(entry, name) for name in EntryRecord.__slots__})
        store.connection.execute(_LENGTHEN, rows=rows, entries=seq, hash=head)
    verify = seconds_of(store.ledger.verify)
    assert store.ledger.verify().intact
    return [Row(f"verify a ledger of {_ENTRIES} entries", verify, "s", bar=5.0)]
