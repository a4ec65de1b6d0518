"""Entries of every kind that is about data: no digest in them lets a reader of the ledger test a guess."""

from __future__ import annotations

import hashlib
import json
import re
import time
from datetime import timedelta
from pathlib import Path

import pytest

from auditor.approvals.deciding import approve, reject
from auditor.audits.record import NewAudit
from auditor.audits.repository import Audits
from auditor.audits.running import run_audit
from auditor.audits.waivers import Waivers
from auditor.config import Settings
from auditor.core.digests import file_digest
from auditor.exports.destination import Destination
from auditor.exports.publishing import Published
from auditor.exports.staged import held_folder
from auditor.formats.networks import read_network
from auditor.formats.tables.loaded import LoadedTable, TableNotes
from auditor.ledger.checkpoint import Checkpoint
from auditor.policy import ExportPolicy, Policy
from auditor.store.backups.file import NONCE, check_backup
from auditor.store.backups.restoring import restore_backup
from auditor.store.connection import Connection
from auditor.store.ledger import record_checkpoint
from auditor.store.opening import Store
from auditor.subjects.networks.exports.exporting import ExportRequest, StoredNetwork, export_network
from auditor.subjects.networks.policy import NetworkPolicy
from auditor.subjects.networks.repository import Networks
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.subjects.tables.repository import Tables
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable
from tests.support.emptying import empty

pytestmark = pytest.mark.neo4j

POLICY = Policy(network=NetworkPolicy(k=2))
TWO = POLICY.model_copy(update={"exports": ExportPolicy(approval="second-person")})
_DIGEST = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")


def export(store: Store, path: Path, policy: Policy) -> Published:
    path.parent.mkdir()
    request = ExportRequest(2, Destination(path), policy, "ann")
    done = export_network(StoredNetwork(store, Networks(store).show("six")), request).published
    assert done is not None
    return done


def digests_of(store: Store, *, after: int = 0) -> dict[str, set[str]]:
    """The digests in the payloads of the ledger, by kind of entry."""
    found: dict[str, set[str]] = {}
    for entry in store.ledger.show(1000):
        if entry.seq > after:
            found.setdefault(entry.kind, set()).update(_DIGEST.findall(entry.payload))
    return found


@pytest.fixture
def story(store: Store, tmp_path: Path) -> tuple[Store, set[str], set[str]]:
    """A store in which all was done that is about data; digests of protected data, and those that anybody may know."""
    source = tmp_path / "six.csv"
    # so many vertices that two exports under random ids are never the same file by chance
    more = "f,g\ng,h\nh,i\ni,j\nj,k\nk,l\nl,m\nm,g\n"
    source.write_text(f"a,b\nb,c\nc,d\nd,e\ne,a\na,c\na,f\n{more}", encoding="utf-8")
    loaded = read_network(source)
    info = Networks(store).add("six", loaded, source="six.csv", actor="ann", checksum=file_digest(source))
    secret = {info.checksum, str(info.source_checksum)}
    run_audit(store, "network:six", POLICY, trigger="command", actor="ann")
    finding = Audits(store).list("network:six")[0].findings[0]
    until = store.ledger.clock() + timedelta(days=3)
    Waivers(store).add(finding.fingerprint, reason="known", until=until, actor="ann")
    counts = ContingencyTable.from_dense(
        [[30, 41], [29, 57]], [Variable("sex", ("f", "m")), Variable("ill", ("no", "yes"))]
    )
    table = LoadedTable(counts, TableNotes(format="csv"))
    Tables(store).add("survey", table, source="survey.csv", actor="ann")
    secret.add(table.checksum)
    for names in (["sex"], ["sex", "ill"]):
        answer_request(store, MarginalRequest("survey", names, POLICY, by="ann", actor="ann"), clock=time.monotonic)
    out = export(store, tmp_path / "out" / "one.csv", POLICY)
    public = {POLICY.digest(), TWO.digest(), *out.manifest.files.values()}
    for name, end in (("two", "approved"), ("three", "rejected")):
        path = tmp_path / name / f"{name}.csv"
        waits = export(store, path, TWO)
        files = set(waits.manifest.files.values())
        manifest = {file_digest(file) for file in held_folder(path, waits.manifest.export).glob("*.json")}
        assert manifest
        assert not (files | manifest) & set().union(*digests_of(store).values())
        if end == "approved":
            approve(store, str(waits.approval), actor="bob", clock=lambda: 0.0)
            public |= files | manifest
        else:
            reject(store, str(waits.approval), actor="bob", reason="no contract")
            secret |= files | manifest
    head = store.ledger.verify()
    key = hashlib.sha256(b"key").hexdigest()
    signed = Checkpoint(ledger=head.head, entries=head.entries, head=head.head, at=store.ledger.now(), key=key)
    record_checkpoint(store, signed, actor="a")
    public |= {key} | {entry.hash for entry in store.ledger.show(1000)}
    Networks(store).add("more", loaded, source="six.csv", actor="ann", derived_from="six")
    Networks(store).remove("more", actor="ann")
    Tables(store).remove("survey", actor="ann")
    return store, secret, public


def test_no_entry_holds_a_digest_of_what_is_protected(story: tuple[Store, set[str], set[str]]) -> None:
    store, secret, public = story
    found = digests_of(store)
    about_data = {"network_added", "network_removed", "table_added", "table_removed", "approval_wanted", "rejected"}
    assert about_data | {"audit", "waiver", "table_request", "export", "approved", "checkpoint"} <= found.keys()
    for kind, digests in found.items():
        assert not digests & secret, kind
        assert digests <= public, kind
    assert not found["network_added"] | found["network_removed"] | found["rejected"]
    assert store.ledger.verify().intact


def test_the_digest_of_a_backup_needs_the_backup(
    story: tuple[Store, set[str], set[str]], tmp_path: Path, neo4j_connection: Connection
) -> None:
    store, _, _ = story
    file = tmp_path / "backup"
    digest = store.backup(file, actor="ann")
    header, checked = check_backup(file)
    assert checked == digest
    # 256 bits that are nowhere else
    assert re.fullmatch("[0-9a-f]{64}", header[NONCE])
    assert header[NONCE] not in json.dumps([entry.payload for entry in store.ledger.show(1000)])
    again = tmp_path / "again"
    store.backup(again, actor="ann")
    assert check_backup(again)[0][NONCE] != header[NONCE]
    empty(neo4j_connection)
    restore_backup(neo4j_connection, file, actor="ann")
    restored = Store(neo4j_connection)
    assert digests_of(restored)["restore"] == {digest}
    assert Networks(restored).load("six").graph.m == 15
    assert restored.ledger.verify().intact


def test_the_digest_of_an_old_backup_is_not_told(
    story: tuple[Store, set[str], set[str]],
    tmp_path: Path,
    neo4j_connection: Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One without a random number: who knows the rest of its text could test guesses by its digest."""
    store, _, _ = story
    from auditor.store.backups import writing as backup

    real = backup.all_records
    monkeypatch.setattr(
        backup, "all_records", lambda *how: ({k: v for k, v in line.items() if k != NONCE} for line in real(*how))
    )
    file = tmp_path / "old"
    digest = store.backup(file, actor="ann")
    monkeypatch.undo()
    empty(neo4j_connection)
    restore_backup(neo4j_connection, file, actor="ann")
    restored = Store(neo4j_connection)
    assert digests_of(restored)["restore"] == set()
    assert digest not in restored.ledger.show(1)[0].payload
    assert restored.ledger.verify().intact


def test_looks_tell_no_figures(neo4j_settings: Settings, story: tuple[Store, set[str], set[str]]) -> None:
    """Numbers in entries about data are those of versions, requests and limits, not of what was seen."""
    from auditor.subjects.networks.auditing import audit_network
    from auditor.subjects.networks.port import subject_of

    store, _, _ = story
    info, loaded = Networks(store).show("six"), Networks(store).load("six")
    result = audit_network(loaded.graph.block_sequence(), POLICY.network)
    new = NewAudit(subject_of(info), result.findings, POLICY.digest(), POLICY.text(), "command", 1.0, "ann")
    Audits(store).record(new, labels_shown=["ego", "degree"])
    (look,) = [entry for entry in store.ledger.show(5) if entry.kind == "labels_shown"]
    assert json.loads(look.payload).keys() == {"audit", "knowledge"}
    assert json.loads(look.payload)["knowledge"] == ["degree", "ego"]
