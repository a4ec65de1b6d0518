"""Backup, restore and copy on a real store: the same content, the same chain."""

from __future__ import annotations

import multiprocessing
import stat
import threading
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from neo4j import ManagedTransaction

from auditor.access.tokens import Tokens
from auditor.approvals.conversation import Conversation
from auditor.approvals.record import NewApproval
from auditor.approvals.repository import Approvals, want_approval
from auditor.audits.record import Audit, NewAudit
from auditor.audits.repository import Audits
from auditor.audits.subjects import find_subject
from auditor.audits.waivers import Waivers
from auditor.config import Settings
from auditor.core.errors import AlreadyExists, BadFile, BadInput, NotDelivered, StoreError, StoreLocked
from auditor.core.finding import Finding
from auditor.exports.record import NewExport
from auditor.exports.repository import Exports
from auditor.notifications.outbox import Outbox, write_messages
from auditor.notifications.record import NewMessage
from auditor.policy import Policy
from auditor.schedules.plan import Step
from auditor.schedules.repository import Schedules
from auditor.schedules.runs import Runs
from auditor.store.backups import restoring as restore
from auditor.store.backups import writing as backup
from auditor.store.backups.file import check_backup, read_records
from auditor.store.backups.restoring import copy_store, restore_backup
from auditor.store.opening import Store, open_store, restore_store
from auditor.store.owner import Owner
from auditor.store.policies import policy_text
from auditor.store.schema.contents import hidden_kinds, label_of, node_keys, node_relations
from auditor.store.schema.head import SCHEMA_VERSION, ensure_schema, lock_store
from auditor.subjects.networks import backed_up
from auditor.subjects.networks import parts as network_parts
from auditor.subjects.networks.repository import Networks
from auditor.subjects.tables.repository import Tables
from auditor.subjects.tables.stored import cells as table_cells
from auditor.subjects.tables.stored.marginals import StoredMarginal, write_marginal
from auditor.subjects.tables.stored.releases import Releases
from auditor.subjects.tables.stored.rows import lock_table
from auditor.subjects.tables.stored.simulated import write_simulated
from tests.support.emptying import empty
from tests.support.schedules import add_schedule
from tests.support.store_samples import random_network, same_network
from tests.support.stored_records import add_records
from tests.support.table_samples import loaded_table, same_table
from tests.support.waiting import wait_until

pytestmark = pytest.mark.neo4j

NETWORKS = {
    "a": random_network(1),
    "b 'quoted'": random_network(2, text_labels=True, attributes=2),
    "empty": random_network(3, n=0, m=0),
}
TABLES = {"t 'quoted'": loaded_table(1), "other": loaded_table(2, (4,))}
LATER = datetime(2100, 1, 1, tzinfo=UTC)
KEY = np.random.default_rng(5).permutation(30)


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make everything take several transactions."""
    monkeypatch.setattr(network_parts, "_STEP", 3)
    monkeypatch.setattr(backed_up, "_VERTICES", 10)
    monkeypatch.setattr(backed_up, "_EDGES", 4)
    monkeypatch.setattr(restore, "_BATCH", 3)
    monkeypatch.setattr(restore, "_DELETED", 20)
    monkeypatch.setattr(restore, "_BATCH_BYTES", 60)
    monkeypatch.setattr(table_cells, "_CHUNK", 2)


@pytest.fixture
def filled(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store with something of everything, and a removed network."""
    for name, network in NETWORKS.items():
        Networks(store).add(name, network, source="f", actor="ada")
    Networks(store).add("gone", random_network(4), source="f", actor="ada")
    finding = Finding("rule", "degrees", "violation", 0.1 + 0.2, 0, "message")
    for findings in ([finding, finding], []):
        audit = _audit(store, "network", "a", findings)
        for known in audit.findings[:1]:
            Waivers(store).add(known.fingerprint, reason="known", until=LATER, actor="ada")
    add_records(store, "people", tmp_path_factory.mktemp("home"))
    for subject in ("network:a", "network:gone", "microdata:people"):
        Exports(store).record(
            NewExport(
                id=str(uuid.uuid4()),
                subject=subject,
                path="/out",
                checksum="c",
                claim={"k": 2},
                verified_at=datetime.now(UTC),
                relabelling=KEY,
                actor="ada",
            )
        )
    Networks(store).remove("gone", actor="ada")
    Tokens(store).create(person="ann", role="viewer", expires_at=LATER, actor="ada")
    _audit(store, "export", Exports(store).list("network:a")[0].id, [])
    _add_tables(store)
    _audit(store, "microdata", "people", [])
    _add_schedules(store)
    wanted = NewApproval("marginal", "table:other", "ann", "G", {"answer": "release"}, "it", Policy(), id="w")
    store.connection.write(lambda tx: want_approval(tx, store.ledger, wanted))
    Conversation(store).add("w", actor="bob", text="Why?\nAnd when?")
    message = NewMessage("msg_1", "office", "file", "finding-new", "network:a", "{}", "h")
    store.connection.write(lambda tx: write_messages(tx, [message], store.ledger.now()))
    return store


def _add_schedules(store: Store) -> None:
    """One with a tick that was taken, and one that was removed with its tick."""
    for name in ("kept", "removed"):
        schedule = add_schedule(store, name, subjects=("network:a",))
        due = schedule.settled_until + timedelta(days=1)
        Runs(store).claim(
            schedule.id, Step(due, None), seen=schedule.settled_until, worker="w", lease=timedelta(minutes=1)
        )
    Schedules(store).remove("removed", actor="ada")


def _audit(store: Store, family: str, name: str, findings: list[Finding]) -> Audit:
    subject = find_subject(store, family, name)
    return Audits(store).record(NewAudit(subject, findings, "h", "t", trigger="command", seconds=0.1, actor="ada"))


def _add_tables(store: Store) -> None:
    """Two names, one of them removed, something that is out, and the record of a release."""
    for name, table in TABLES.items():
        Tables(store).add(name, table, source="f", actor="ada")
    Tables(store).add("left", loaded_table(3, prefix="w"), source="f", actor="ada")

    def let_out(tx: ManagedTransaction) -> None:
        row = lock_table(tx, "t 'quoted'")
        counts = TABLES["t 'quoted'"].table.marginal([0])
        out = StoredMarginal((0,), "released", datetime.now(UTC), counts.cells, counts.counts)
        for marginal in (out, StoredMarginal(())):
            write_marginal(tx, row, marginal)
        write_simulated(tx, row, TABLES["t 'quoted'"].table, "2026-01-01T00:00:00.000000Z")

    store.connection.write(let_out)
    store.connection.execute(
        "MATCH (m:AuditorMarginal {status: 'released'}) MATCH (e:AuditorEntry {seq: 1}) "
        "MATCH (p:AuditorPolicy) WITH m, e, p LIMIT 1 "
        "CREATE (r:AuditorRelease {id: 'r'}) CREATE (r)-[:OF]->(m) CREATE (r)-[:RECORDED]->(e) CREATE (r)-[:UNDER]->(p)"
    )
    for name in ("left", "t 'quoted'"):
        _audit(store, "table", name, [])
    Tables(store).remove("left", actor="ada")


def _content(store: Store) -> dict[str, object]:
    """Everything that users see of a store, the ledger aside."""
    return {
        "networks": Networks(store).list(),
        "schedules": [Schedules(store).show(name) for name in ("kept", "removed")],
        "ticks": [Runs(store).of_schedule(Schedules(store).show(name).id, 10) for name in ("kept", "removed")],
        "audits": Audits(store).list(),
        "audits of a": Audits(store).list("network:a"),
        "policy": policy_text(store, "h"),
        "exports": Exports(store).list(),
        "messages": Outbox(store).list(),
        "approvals": Approvals(store).list(),
        "conversation": Conversation(store).about("w"),
        "tables": Tables(store).list(),
        "released": [Tables(store).released(name) for name in TABLES],
        "exports of some": [Exports(store).list(subject) for subject in ("network:a", "microdata:people")],
        "keys": [
            None if (key := Exports(store).relabelling(export.id)) is None else key.tolist()
            for export in Exports(store).list()
        ],
    }


def test_a_restored_store_is_the_store_that_was_backed_up(filled: Store, tmp_path: Path) -> None:
    path = tmp_path / "store.backup"
    before, ledger = _content(filled), filled.ledger.show(100)
    digest = filled.backup(path, actor="bob")
    assert check_backup(path)[1] == digest
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    (entry,) = filled.ledger.show(1)
    assert (entry.kind, entry.actor) == ("backup", "bob")
    assert digest in entry.payload
    empty(filled.connection)
    restore_backup(filled.connection, path, actor="eve")
    assert _content(filled) == before
    for name, network in NETWORKS.items():
        assert same_network(Networks(filled).load(name), network)
    for name, table in TABLES.items():
        assert same_table(Releases(filled).state(name).table, table.table)
    # a table that was removed before the backup is known after it
    with pytest.raises(AlreadyExists):
        Tables(filled).add("left", loaded_table(4, prefix="w"), source="f", actor="ada")
    # the chain is the same to the byte, and goes on
    last, *rest = filled.ledger.show(100)
    assert rest == ledger
    assert (last.kind, last.actor) == ("restore", "eve")
    assert filled.ledger.verify().intact
    # numbers are not given twice
    numbers = {info.id for info in Networks(filled).list()}
    assert Networks(filled).add("new", NETWORKS["a"], source="f", actor="ada").id == 5
    assert 5 not in numbers


def test_a_backup_of_a_restored_store_holds_the_same_lines(filled: Store, tmp_path: Path) -> None:
    filled.backup(tmp_path / "first", actor="ada")
    empty(filled.connection)
    restore_backup(filled.connection, tmp_path / "first", actor="ada")
    filled.backup(tmp_path / "second", actor="ada")
    first, second = (
        [
            {key: sorted(map(repr, value)) if isinstance(value, list) else value for key, value in record.items()}
            for record in read_records(tmp_path / name)
            if record["kind"] in ("relation", "vertices", "edges")
        ]
        for name in ("first", "second")
    )
    # the entry about the restore is not about a network
    assert first == second


def test_a_backup_from_before_tables_is_restored(store: Store, tmp_path: Path) -> None:
    Networks(store).add("a", NETWORKS["a"], source="f", actor="ada")
    store.connection.execute("MATCH (s:AuditorStore) SET s.schema = 1")
    store.backup(tmp_path / "old", actor="ada")
    assert check_backup(tmp_path / "old")[0]["schema"] == 1
    empty(store.connection)
    restore_backup(store.connection, tmp_path / "old", actor="ada")
    assert store.info().schema == SCHEMA_VERSION
    Tables(store).add("t", TABLES["other"], source="f", actor="ada")
    assert same_network(Networks(store).load("a"), NETWORKS["a"])


def test_backups_follow_everything_that_is_in_a_store(filled: Store) -> None:
    labels = {
        label for record in filled.connection.read("MATCH (n) RETURN DISTINCT labels(n) AS l") for label in record["l"]
    }
    assert labels == set(map(label_of, {*node_keys(), "Store", "Vertex"}))
    assert labels <= set(map(label_of, {*node_keys(), "Store", *hidden_kinds()}))
    found = filled.connection.read(
        "MATCH (a)-[r]->(b) RETURN DISTINCT labels(a)[0] AS a, type(r) AS r, labels(b)[0] AS b, keys(r) AS k"
    )
    relations = {(record["a"], record["r"], record["b"]) for record in found}
    known = {
        (label_of(start), name, label_of(end)) for start, name, end in (*node_relations(), ("Vertex", "TIE", "Vertex"))
    }
    assert relations == known
    assert all(record["k"] == [] for record in found)


def test_only_an_empty_store_is_filled(filled: Store, tmp_path: Path) -> None:
    path = tmp_path / "backup"
    filled.backup(path, actor="ada")
    before = _content(filled)
    with pytest.raises(AlreadyExists):
        restore_backup(filled.connection, path, actor="ada")
    with pytest.raises(AlreadyExists):
        copy_store(filled.connection, filled.connection, actor="ada")
    assert _content(filled) == before
    assert filled.ledger.verify().intact
    empty(filled.connection)
    ensure_schema(filled.connection)
    with pytest.raises(BadInput):
        copy_store(filled.connection, filled.connection, actor="ada")


def test_a_damaged_backup_is_refused_before_the_store_is_touched(filled: Store, tmp_path: Path) -> None:
    path = tmp_path / "backup"
    filled.backup(path, actor="ada")
    whole = path.read_bytes()
    empty(filled.connection)
    damaged = {
        "cut": whole[: len(whole) // 2],
        "cut at the end": whole[:-20],
        "flipped": whole[:200] + bytes([whole[200] ^ 1]) + whole[201:],
        "empty": b"",
        "no backup": b"hello",
    }
    for content in damaged.values():
        path.write_bytes(content)
        with pytest.raises(BadFile):
            restore_backup(filled.connection, path, actor="ada")
    with pytest.raises(BadFile):
        restore_backup(filled.connection, tmp_path / "missing", actor="ada")
    assert filled.connection.read("MATCH (n) RETURN count(n) AS n")[0]["n"] == 0


def test_a_backup_never_replaces_a_file_unasked_and_leaves_nothing_behind(
    filled: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "backup"
    path.write_text("mine")
    with pytest.raises(AlreadyExists):
        filled.backup(path, actor="ada")

    def full(*_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backup, "write_records", full)
    entries = filled.ledger.verify().entries
    with pytest.raises(NotDelivered):
        filled.backup(path, actor="ada", force=True)
    monkeypatch.undo()
    assert path.read_text() == "mine"
    assert [file.name for file in tmp_path.iterdir()] == ["backup"]
    assert filled.ledger.verify().entries == entries
    filled.backup(path, actor="ada", force=True)
    check_backup(path)


def test_whoever_writes_waits_until_the_backup_is_done(filled: Store) -> None:
    """The store's lock is held; another session's removal is seen to be blocked, and goes on afterwards."""
    removal = threading.Thread(target=Networks(filled).remove, args=("a",), kwargs={"actor": "eve"})

    def work(tx: object) -> None:
        lock_store(tx)  # type: ignore[arg-type]
        removal.start()
        blocked = "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN count(*) AS n"
        wait_until(lambda: filled.connection.read(blocked)[0]["n"] > 0)
        # reading goes on, and nothing has changed
        assert Networks(filled).exists("a")

    filled.connection.write(work)
    removal.join(60)
    assert not Networks(filled).exists("a")


def _restore_and_die(settings: Settings, path: Path, writes: int) -> None:
    """Restore in this process, which kills itself at its n-th write."""
    import os
    import signal

    from auditor.store.connection import Connection

    write = Connection.write
    count = 0

    def counted(self: Connection, work: object) -> object:
        nonlocal count
        count += 1
        if count == writes:
            os.kill(os.getpid(), signal.SIGKILL)
        return write(self, work)  # type: ignore[arg-type]

    Connection.write = counted  # type: ignore[assignment,method-assign]
    restore_store(settings, path, actor="ada")
    os._exit(0)


def test_a_killed_restore_locks_the_store_until_it_is_done_again(
    filled: Store, neo4j_settings: Settings, tmp_path: Path
) -> None:
    path = tmp_path / "backup"
    before, ledger = _content(filled), filled.ledger.show(100)
    filled.backup(path, actor="ada")
    died = 0
    for writes in (1, 2, 4, 9, 15, 30, 60, 1000):
        empty(filled.connection)
        ensure_schema(filled.connection)
        process = multiprocessing.get_context("fork").Process(
            target=_restore_and_die, args=(neo4j_settings, path, writes)
        )
        process.start()
        process.join(60)
        died += process.exitcode != 0
        if process.exitcode != 0 and writes > 2:
            with pytest.raises(StoreError, match="restore"):
                open_store(neo4j_settings)
            with pytest.raises(StoreError, match="restore"):
                Networks(filled).add("x", NETWORKS["a"], source="f", actor="ada")
        if process.exitcode != 0:
            restore_backup(filled.connection, path, actor="ada")
        assert _content(filled) == before
        assert filled.ledger.show(100)[1:] == ledger
        assert filled.ledger.verify().intact
        assert same_network(Networks(filled).load("a"), NETWORKS["a"])
    assert 5 <= died < 8


def test_a_restore_that_goes_on_is_not_taken_over(filled: Store, tmp_path: Path) -> None:
    path = tmp_path / "backup"
    filled.backup(path, actor="ada")
    empty(filled.connection)
    told: list[str] = []

    def progress(what: str, done: int, total: int) -> None:
        if what == "restore" and not told:
            with pytest.raises(StoreLocked) as refused:
                restore_backup(filled.connection, path, actor="eve")
            told.append(str(refused.value))

    restore_backup(filled.connection, path, actor="ada", progress=progress)
    assert len(told) == 1
    assert filled.ledger.verify().intact
    with Owner.working() as owner:
        assert owner.lives(1)
