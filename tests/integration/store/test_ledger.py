"""The ledger on a real store: whatever is done to it behind its back is found, and where."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from auditor.errors import AlreadyExists, BadInput
from auditor.ledger_chain import GENESIS, ChainCheck, EntryRecord
from auditor.store import ledger as ledger_module
from auditor.store.opening import Store
from graphkit.errors import BrokenClaim

pytestmark = pytest.mark.neo4j


def _append(store: Store, count: int) -> None:
    for i in range(count):
        store.connection.write(lambda tx, i=i: store.ledger.append(tx, "audit", {"i": i, "é": [None]}, actor="ada"))


@pytest.fixture
def filled(store: Store, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store with nine entries, read in pages of two."""
    monkeypatch.setattr(ledger_module, "_PAGE", 2)
    _append(store, 9)
    assert store.ledger.verify().intact
    return store


@pytest.mark.parametrize(
    ("tampering", "seqs"),
    [
        ("MATCH (e:Entry {seq: 4}) SET e.actor = 'eve'", [4]),
        ("MATCH (e:Entry {seq: 4}) SET e.at = '2020-01-01T00:00:00.000000Z'", [4]),
        ("MATCH (e:Entry {seq: 4}) SET e.kind = 'export'", [4]),
        ("MATCH (e:Entry {seq: 4}) SET e.subject = 'network:x'", [4]),
        ("MATCH (e:Entry {seq: 4}) SET e.payload = '{}'", [4]),
        ("MATCH (e:Entry {seq: 4}) SET e.payload = e.payload + ' '", [4]),
        ("MATCH (e:Entry {seq: 4}) SET e.hash = reverse(e.hash)", [4, 5]),
        ("MATCH (e:Entry {seq: 4}) SET e.previous = reverse(e.previous)", [4]),
        ("MATCH (e:Entry {seq: 1}) DETACH DELETE e", [1]),
        ("MATCH (e:Entry {seq: 4}) DETACH DELETE e", [4]),
        ("MATCH (e:Entry) WHERE e.seq IN [4, 5, 6] DETACH DELETE e", [4]),
        ("MATCH (e:Entry) WHERE e.seq > 7 DETACH DELETE e", [8]),
        ("MATCH (e:Entry) DETACH DELETE e", [1]),
        ("MATCH (s:Store) SET s.entries = 8", [9]),
        ("MATCH (s:Store) SET s.hash = reverse(s.hash)", [9]),
        ("MATCH (e:Entry {seq: 4}) SET e.seq = -4", [0, 4]),
        ("CREATE (:Entry {seq: 10, at: '', actor: 'eve', kind: 'x', payload: '{}', previous: '', hash: ''})", [10]),
        (
            "MATCH (a:Entry {seq: 3}) MATCH (b:Entry {seq: 6}) SET a.seq = 99 WITH a, b SET b.seq = 3 "
            "WITH a SET a.seq = 6",
            [3, 4, 6, 7],
        ),
    ],
)
def test_tampering_is_found_where_it_was_done(filled: Store, tampering: str, seqs: list[int]) -> None:
    filled.connection.execute(tampering)
    report = filled.ledger.verify()
    assert not report.intact
    assert sorted({fault.seq for fault in report.faults}) == seqs


def test_a_rewritten_chain_has_another_head(filled: Store) -> None:
    before = filled.ledger.verify().head
    filled.connection.execute("MATCH (e:Entry {seq: 9}) DETACH DELETE e")
    last = filled.ledger.show(1)[0]
    filled.connection.execute("MATCH (s:Store) SET s.entries = 8, s.hash = $hash", hash=last.hash)
    report = filled.ledger.verify()
    # nothing in the store itself can tell: that is what a head kept elsewhere is for
    assert report.intact
    assert report.head != before


def test_an_append_is_undone_with_its_transaction(store: Store) -> None:
    class Undo(Exception):
        pass

    def work(tx: object) -> None:
        store.ledger.append(tx, "audit", {}, actor="ada")  # type: ignore[arg-type]
        raise Undo

    with pytest.raises(Undo):
        store.connection.write(work)
    report = store.ledger.verify()
    assert (report.entries, report.head, report.intact) == (0, GENESIS, True)


def test_several_entries_in_one_transaction_are_linked(store: Store) -> None:
    def work(tx: object) -> None:
        for i in range(3):
            store.ledger.append(tx, "audit", {"i": i}, actor="ada")  # type: ignore[arg-type]

    store.connection.write(work)
    assert [entry.seq for entry in store.ledger.show()] == [3, 2, 1]
    assert store.ledger.verify().intact


def test_floats_are_refused(store: Store) -> None:
    with pytest.raises(BrokenClaim):
        store.connection.write(lambda tx: store.ledger.append(tx, "audit", {"share": 0.1}, actor="ada"))
    assert store.ledger.verify().entries == 0


def test_show_pages_backwards(filled: Store) -> None:
    assert [entry.seq for entry in filled.ledger.show(limit=3)] == [9, 8, 7]
    assert [entry.seq for entry in filled.ledger.show(limit=3, before=7)] == [6, 5, 4]
    assert filled.ledger.show(before=1) == []
    with pytest.raises(BadInput):
        filled.ledger.show(limit=0)


def test_the_exported_ledger_can_be_verified_without_the_store(filled: Store, tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    assert filled.ledger.export(path) == 9
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    report = filled.ledger.verify()
    check = ChainCheck()
    for line in path.read_text(encoding="utf-8").splitlines():
        assert isinstance(json.loads(line)["payload"], dict)
        check.feed(EntryRecord.from_json_line(line))
    check.finish(report.entries, report.head)
    assert check.faults == []
    with pytest.raises(AlreadyExists):
        filled.ledger.export(path)
    _append(filled, 1)
    assert filled.ledger.export(path, force=True) == 10
    assert [file.name for file in tmp_path.iterdir()] == ["ledger.jsonl"]
    with pytest.raises(BadInput):
        filled.ledger.export(tmp_path / "missing" / "ledger.jsonl")
