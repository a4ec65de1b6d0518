"""The ledger on a real store: whatever is done to it behind its back is found, and where."""

from __future__ import annotations

import json
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from auditor.core.errors import AlreadyExists, BadInput, NotFound
from auditor.ledger.chain import GENESIS
from auditor.ledger.checkpoint import head_anchor
from auditor.ledger.file import verify_file
from auditor.ledger.keys import create_key, read_private_key, sign_report
from auditor.ledger.verification import Anchor
from auditor.ledger.verifier import main
from auditor.store import ledger as ledger_module
from auditor.store.backups.restoring import restore_backup
from auditor.store.opening import Store
from auditor.subjects.tables.repository import Tables
from graphkit.errors import BrokenClaim
from tests.support.emptying import empty
from tests.support.ledgers import relinked
from tests.support.table_samples import loaded_table

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
        ("MATCH (e:AuditorEntry {seq: 4}) SET e.actor = 'eve'", [4]),
        ("MATCH (e:AuditorEntry {seq: 4}) SET e.at = '2020-01-01T00:00:00.000000Z'", [4]),
        ("MATCH (e:AuditorEntry {seq: 4}) SET e.kind = 'export'", [4]),
        ("MATCH (e:AuditorEntry {seq: 4}) SET e.subject = 'network:x'", [4]),
        ("MATCH (e:AuditorEntry {seq: 4}) SET e.payload = '{}'", [4]),
        ("MATCH (e:AuditorEntry {seq: 4}) SET e.payload = e.payload + ' '", [4]),
        ("MATCH (e:AuditorEntry {seq: 4}) SET e.hash = reverse(e.hash)", [4]),
        ("MATCH (e:AuditorEntry {seq: 4}) SET e.payload = 5", [4]),
        ("MATCH (e:AuditorEntry {seq: 4}) SET e.payload = 'no JSON'", [4]),
        ("MATCH (e:AuditorEntry {seq: 4}) SET e.actor = 0.5", [4]),
        ("MATCH (e:AuditorEntry {seq: 4}) SET e.at = datetime(e.at)", [4]),
        ("MATCH (e:AuditorEntry {seq: 4}) SET e.hash = null", [4]),
        ("MATCH (e:AuditorEntry {seq: 4}) SET e.seq = '4'", [0, 4]),
        ("MATCH (e:AuditorEntry {seq: 4}) SET e.seq = 4.5", [4]),
        ("MATCH (e:AuditorEntry {seq: 4}) SET e.previous = reverse(e.previous)", [4]),
        ("MATCH (e:AuditorEntry {seq: 1}) DETACH DELETE e", [1]),
        ("MATCH (e:AuditorEntry {seq: 4}) DETACH DELETE e", [4]),
        ("MATCH (e:AuditorEntry) WHERE e.seq IN [4, 5, 6] DETACH DELETE e", [4]),
        ("MATCH (e:AuditorEntry) WHERE e.seq > 7 DETACH DELETE e", [8]),
        ("MATCH (e:AuditorEntry) DETACH DELETE e", [1]),
        ("MATCH (s:AuditorStore) SET s.entries = 8", [9]),
        ("MATCH (s:AuditorStore) SET s.hash = reverse(s.hash)", [9]),
        ("MATCH (e:AuditorEntry {seq: 4}) SET e.seq = -4", [0, 4]),
        (
            "CREATE (:AuditorEntry {seq: 10, at: '', actor: 'eve', kind: 'x', payload: '{}', previous: '', hash: ''})",
            [10],
        ),
        (
            "MATCH (a:AuditorEntry {seq: 3}) MATCH (b:AuditorEntry {seq: 6}) SET a.seq = 99 WITH a, b SET b.seq = 3 "
            "WITH a SET a.seq = 6",
            [3, 6],
        ),
    ],
)
def test_tampering_is_found_where_it_was_done(filled: Store, tampering: str, seqs: list[int]) -> None:
    filled.connection.execute(tampering)
    report = filled.ledger.verify()
    assert not report.intact
    assert sorted({fault.seq for fault in report.faults}) == seqs


def test_each_kind_of_tampering_is_told(filled: Store) -> None:
    filled.connection.execute(
        "MATCH (a:AuditorEntry {seq: 2}) MATCH (b:AuditorEntry {seq: 4}) "
        "SET a.seq = 99 WITH a, b SET b.seq = 2 WITH a SET a.seq = 4"
    )
    filled.connection.execute("MATCH (e:AuditorEntry {seq: 6}) SET e.actor = 'eve'")
    filled.connection.execute("MATCH (e:AuditorEntry {seq: 9}) DETACH DELETE e")
    assert [(fault.seq, fault.what) for fault in filled.ledger.verify().faults] == [
        (2, "moved: this is entry 4"),
        (4, "moved: this is entry 2"),
        (6, "edited: its content does not give its hash"),
        (9, "missing: the end was cut off"),
    ]


def test_what_was_edited_can_still_be_looked_at_and_exported(filled: Store, tmp_path: Path) -> None:
    filled.connection.execute(
        "MATCH (e:AuditorEntry {seq: 4}) SET e.payload = 'no JSON', e.at = datetime(), e.actor = 0.5"
    )
    assert [entry.seq for entry in filled.ledger.show()] == [*range(9, 0, -1)]
    filled.ledger.export(tmp_path / "ledger.jsonl")
    assert [(fault.seq, fault.kind) for fault in verify_file(tmp_path / "ledger.jsonl").faults] == [(4, "edited")]


def _rewrite(store: Store, start: int, count: int) -> None:
    """Forge an entry and all after it, the head included, and leave `count` entries."""
    entries = store.ledger.show(limit=100)[::-1]
    entries[start - 1] = replace(entries[start - 1], actor="eve")
    forged = relinked(entries, start)[:count]
    rows = [
        {"seq": entry.seq, "actor": entry.actor, "previous": entry.previous, "hash": entry.hash} for entry in forged
    ]
    store.connection.execute("UNWIND $rows AS row MATCH (e:AuditorEntry {seq: row.seq}) SET e += row", rows=rows)
    store.connection.execute("MATCH (e:AuditorEntry) WHERE e.seq > $count DETACH DELETE e", count=count)
    store.connection.execute(
        "MATCH (s:AuditorStore) SET s.entries = $count, s.hash = $hash", count=count, hash=forged[-1].hash
    )


@pytest.mark.parametrize(("start", "count"), [(1, 9), (5, 9), (9, 9), (5, 6), (7, 8)])
def test_a_rewritten_chain_is_found_by_what_was_kept_elsewhere(
    filled: Store, tmp_path: Path, start: int, count: int
) -> None:
    hashes = [entry.hash for entry in filled.ledger.show()][::-1]
    kept = [Anchor(seq, hashes[seq - 1], f"at {seq}") for seq in (3, 6, 9)]
    assert filled.ledger.verify(kept).intact
    _rewrite(filled, start, count)
    # nothing in the store itself can tell
    assert filled.ledger.verify().intact
    first = min(seq for seq in (3, 6, 9) if seq >= start)
    filled.ledger.export(tmp_path / "ledger.jsonl")
    for report in (filled.ledger.verify(kept), verify_file(tmp_path / "ledger.jsonl", kept)):
        assert report.faults == ()
        assert report.rewriting is not None
        assert report.rewriting.origin == f"at {first}"
        assert report.rewriting.first == first - 2
        assert report.rewriting.first <= start <= report.rewriting.last


def test_a_chain_that_went_on_fits_what_was_kept(filled: Store) -> None:
    report = filled.ledger.verify()
    kept = head_anchor(report.entries, report.head)
    _append(filled, 3)
    assert filled.ledger.verify(kept).intact


def test_an_older_copy_of_the_store_is_found_by_a_later_checkpoint(
    filled: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    create_key(tmp_path / "key")
    key = read_private_key(tmp_path / "key")
    filled.backup(tmp_path / "backup", actor="ada")
    _append(filled, 4)
    later = sign_report(filled.ledger.verify(), key, at=filled.ledger.now())
    (tmp_path / "later").write_text(f"{later.line()}\n")
    assert filled.ledger.verify(later.anchors()).intact
    empty(filled.connection)
    restore_backup(filled.connection, tmp_path / "backup", actor="eve")
    # in itself it is in order: nine entries, and one that says where they come from
    report = filled.ledger.verify()
    assert (report.intact, report.entries) == (True, 10)
    program = [str(tmp_path / "ledger"), "--checkpoint", str(tmp_path / "later")]
    program += ["--public-key", str(tmp_path / "key.pub")]
    for restored in (True, False):
        if not restored:
            # somebody put the files of the database back: no entry tells
            filled.connection.execute("MATCH (e:AuditorEntry) WHERE e.seq > 9 DETACH DELETE e")
            filled.connection.execute(
                "MATCH (e:AuditorEntry {seq: 9}) MATCH (s:AuditorStore) SET s.entries = 9, s.hash = e.hash"
            )
        filled.ledger.export(tmp_path / "ledger", force=True)
        kept = [Anchor(9, filled.ledger.show()[-9].hash, "before"), *later.anchors()]
        for found in (filled.ledger.verify(kept), verify_file(tmp_path / "ledger", kept)):
            assert found.rewriting is not None
            assert (found.rewriting.entries, found.rewriting.cut, found.rewriting.first) == (14, True, 10)
            assert found.rewriting.last == (11 if restored else 10)
        assert main(program) == 1
        ends = 10 if restored else 9
        assert f"entry 14: is missing, the ledger ends at {ends}" in capsys.readouterr().out


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


def test_entries_about_one_subject(filled: Store) -> None:
    for subject in ("network:a", "table:a", "network:b", "table:a"):
        filled.connection.write(
            lambda tx, subject=subject: filled.ledger.append(tx, "x", {}, actor="ada", subject=subject)
        )
    assert [entry.seq for entry in filled.ledger.show(about="table:a")] == [13, 11]
    assert [entry.seq for entry in filled.ledger.show(about="table:a", limit=1, before=13)] == [11]
    assert filled.ledger.show(about="table:b") == []
    assert filled.ledger.show(about="schedule:a") == []
    for about in ("a", "", "planet:a", "table:"):
        with pytest.raises(BadInput, match="table:NAME"):
            filled.ledger.show(about=about)


def test_the_history_of_a_table_follows_its_population(store: Store) -> None:
    first, other = loaded_table(1), loaded_table(2)
    Tables(store).add("a", first, source="f", actor="ada")
    Tables(store).add("b", first, source="f", actor="ada")
    Tables(store).add("other", loaded_table(3, (2, 2), prefix="w"), source="f", actor="ada")
    Tables(store).remove("a", actor="ada")
    Tables(store).add("b", other, source="f", actor="ada", new_version=True)
    for name in ("a", "b"):
        assert [(entry.seq, entry.kind, entry.subject) for entry in store.ledger.of_subject("table", name)] == [
            (1, "table_added", "table:a"),
            (2, "table_added", "table:b"),
            (4, "table_removed", "table:a"),
            (5, "table_added", "table:b"),
        ]
    assert [entry.seq for entry in store.ledger.of_subject("table", "b", limit=2)] == [4, 5]
    for name in ("c", "", "table:a"):
        with pytest.raises(NotFound, match="no table"):
            store.ledger.of_subject("table", name)
    with pytest.raises(BadInput):
        store.ledger.of_subject("table", "b", limit=0)


def test_the_exported_ledger_can_be_verified_without_the_store(filled: Store, tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    report = filled.ledger.verify()
    assert filled.ledger.export(path) == (9, report.head)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert isinstance(json.loads(path.read_text(encoding="utf-8").splitlines()[0])["payload"], dict)
    anchors = head_anchor(report.entries, report.head)
    assert verify_file(path, anchors) == filled.ledger.verify(anchors)
    with pytest.raises(AlreadyExists):
        filled.ledger.export(path)
    _append(filled, 1)
    assert filled.ledger.export(path, force=True)[0] == 10
    assert [file.name for file in tmp_path.iterdir()] == ["ledger.jsonl"]
    with pytest.raises(BadInput):
        filled.ledger.export(tmp_path / "missing" / "ledger.jsonl")
