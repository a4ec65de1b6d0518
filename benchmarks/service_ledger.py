"""A ledger of a hundred thousand entries, verified in its store, as a file, and by the program that is handed over."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeVar

from auditor.ledger.chain import GENESIS, EntryRecord, make_entry
from benchmarks.networks import private_store
from benchmarks.row import Row

if TYPE_CHECKING:
    from auditor.store import Store

T = TypeVar("T")

_ENTRIES = 100_000
_BATCH = 5_000
_ROUNDS = 3

# write
_CREATE = "UNWIND $rows AS row CREATE (e:AuditorEntry) SET e = row"
# write
_HEAD = "MATCH (s:AuditorStore {key: 1}) SET s.entries = $entries, s.hash = $hash"


def run_ledger(data_dir: Path | None) -> list[Row]:
    """Measure the verification of 100 000 entries of the size of an audit's."""
    from auditor.config import load_settings
    from auditor.ledger import verifier as ledger_verifier
    from auditor.ledger.file import verify_file
    from auditor.store import open_store

    with private_store() as environment, TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.jsonl"
        with open_store(load_settings(environ={**os.environ, **environment})) as store:
            add_entries(store, _ENTRIES)
            in_store, report = _timed(store.ledger.verify)
            export, _ = _timed(lambda: store.ledger.export(path, force=True))
        if not report.intact or report.entries != _ENTRIES:
            raise RuntimeError("this is no figure: the ledger is not intact")
        in_file, found = _timed(lambda: verify_file(path))
        if not found.intact or found.head != report.head:
            raise RuntimeError("this is no figure: the file is not the ledger")
        program = [sys.executable, "-I", ledger_verifier.__file__, str(path), "--noted", str(_ENTRIES), report.head]
        alone, _ = _timed(lambda: subprocess.run(program, check=True, stdout=subprocess.DEVNULL))
    work = f"service: ledger of {_ENTRIES} entries"
    return [
        Row(f"{work}: verify", in_store, "s", bar=5.0),
        Row(f"{work}: verify the exported file", in_file, "s", bar=5.0),
        Row(f"{work}: verify it by the program of one file", alone, "s", bar=5.0),
        Row(f"{work}: export", export, "s"),
    ]


def add_entries(store: Store, count: int) -> None:
    """Fill an empty ledger with entries like those of audits, past the program: a transaction each would take hours."""
    batch: list[dict[str, object]] = []
    last = GENESIS
    for entry in _entries(count):
        batch.append({name: getattr(entry, name) for name in EntryRecord.__slots__})
        last = entry.hash
        if len(batch) == _BATCH or entry.seq == count:
            store.connection.execute(_CREATE, rows=batch)
            batch = []
    store.connection.execute(_HEAD, entries=count, hash=last)


def _entries(count: int) -> Iterator[EntryRecord]:
    previous = GENESIS
    for seq in range(1, count + 1):
        payload = {
            "audit": f"00000000-0000-4000-8000-{seq:012}",
            "policy": f"{seq % 9:064x}",
            "verdict": "violated" if seq % 3 else "passed",
            "trigger": "schedule",
            "violated": ["network.k", "network.attribute"] if seq % 3 else [],
            "waived": [],
            "repeats": bool(seq % 2),
        }
        entry = make_entry(
            seq=seq,
            at=f"2026-01-01T{seq // 3600 % 24:02}:{seq // 60 % 60:02}:{seq % 60:02}.000000Z",
            actor="scheduler",
            kind="audit",
            subject=f"network:friends {seq % 200}",
            payload=payload,
            previous=previous,
        )
        previous = entry.hash
        yield entry


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    """Return the best time of a few rounds: others use the same machine."""
    times = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        found = work()
        times.append(time.perf_counter() - start)
    return min(times), found
