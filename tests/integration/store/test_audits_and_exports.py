"""Audits and exports in a real store: recorded with their entry, or not at all."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import numpy as np
import pytest

from auditor.audits.record import NewAudit
from auditor.audits.repository import Audits
from auditor.audits.subjects import find_subject
from auditor.core.errors import BadInput, NotFound, StoreConflict, StoreCorrupt
from auditor.core.finding import Finding
from auditor.core.subject import AuditSubject
from auditor.exports import keys as export_keys
from auditor.exports.record import NewExport
from auditor.exports.repository import Exports
from auditor.store.ledger import Ledger
from auditor.store.opening import Store
from auditor.store.policies import policy_text
from auditor.subjects.networks.repository import Networks
from graphkit.errors import BrokenClaim
from tests.support.store_samples import random_network

pytestmark = pytest.mark.neo4j

AT = datetime(2026, 3, 1, 12, 30, 15, 123456, tzinfo=UTC)
FINDINGS = (
    Finding("max_share_below_k", "degrees", "violation", 0.1 + 0.2, 0.0, "too many"),
    Finding("max_unique_vertices", "degrees", "warning", 3, 0, "a 'quoted' \"word\"\nand a line"),
)


@pytest.fixture
def filled(store: Store) -> Store:
    """A store with the network `n`."""
    Networks(store).add("n", random_network(1), source="f", actor="ada")
    return store


def _audit(
    store: Store, subject: str = "n", findings: tuple[Finding, ...] = FINDINGS, network: int | None = None
) -> str:
    new = NewAudit(
        AuditSubject("network", subject, f"network:{subject}", "state", network),
        findings,
        policy_hash="abc",
        policy_text="[network]\nk = 5\n",
        trigger="command",
        seconds=1.25,
        actor="ada",
    )
    return Audits(store).record(new).id


def _export(
    store: Store,
    relabelling: np.ndarray | None,
    id: str | None = None,
    subject: str = "n",
    network: int | None = None,
    terms: dict[str, object] | None = None,
) -> str:
    id = id or str(uuid.uuid4())
    Exports(store).record(
        NewExport(
            id=id,
            subject=f"network:{subject}",
            number=network,
            path="/out/released.csv",
            checksum="c0ffee",
            claim={"k": 5, "n": 30, "attributes": ["age"]},
            verified_at=AT,
            relabelling=relabelling,
            actor="ada",
            terms=terms,
        )
    )
    return id


def test_terms_live_as_long_as_the_key_and_are_never_in_the_ledger(filled: Store) -> None:
    terms: dict[str, object] = {"additions": 86413, "subset": [3, 1]}
    id = _export(filled, np.arange(30), terms=terms)
    assert Exports(filled).terms(id) == terms
    assert all("86413" not in entry.payload for entry in filled.ledger.show(9))
    Exports(filled).forget_key(id, actor="ada")
    assert Exports(filled).terms(id) is None
    assert Exports(filled).terms(_export(filled, None, terms=terms)) is None
    assert Exports(filled).terms(_export(filled, np.arange(30))) is None
    with pytest.raises(NotFound):
        Exports(filled).terms("x")


def test_an_audit_is_found_again_with_its_findings_in_order(filled: Store) -> None:
    id = _audit(filled)
    audit = Audits(filled).show(id)
    assert [
        (found.rule, found.where, found.severity, found.figure, found.threshold, found.message)
        for found in audit.findings
    ] == [(found.rule, found.where, found.severity, found.figure, found.threshold, found.message) for found in FINDINGS]
    assert [found.change for found in audit.findings] == ["new", "new"]
    assert (audit.subject, audit.verdict, audit.seconds) == ("network:n", "violated", 1.25)
    assert policy_text(filled, "abc") == "[network]\nk = 5\n"
    without = _audit(filled, findings=())
    last = Audits(filled).show(without)
    assert (last.findings, last.verdict) == ((), "passed")
    assert {gone.rule for gone in last.gone} == {finding.rule for finding in FINDINGS}
    assert [audit.id for audit in Audits(filled).list("network:n")] == [without, id]
    assert [audit.id for audit in Audits(filled).list("network:n", limit=1, skip=1)] == [id]
    assert filled.connection.read("MATCH (p:AuditorPolicy) RETURN count(p) AS n")[0]["n"] == 1


def test_the_entry_of_an_audit_names_the_rules_and_no_figure(filled: Store) -> None:
    id = _audit(filled)
    (entry,) = filled.ledger.show(1)
    assert (entry.kind, entry.subject, entry.actor) == ("audit", "network:n", "ada")
    assert id in entry.payload
    assert '"violated":["max_share_below_k"]' in entry.payload
    assert "0.3" not in entry.payload


def test_an_audit_of_nothing_is_not_recorded(filled: Store) -> None:
    for attempt in (lambda: _audit(filled, "m"), lambda: _export(filled, None, subject="m")):
        with pytest.raises(NotFound):
            attempt()
    assert filled.ledger.verify().entries == 1
    assert Audits(filled).list() == []
    assert Audits(filled).list("network:m") == []
    with pytest.raises(NotFound):
        Exports(filled).list("network:m")
    for show in (
        Audits(filled).show,
        Exports(filled).show,
        Exports(filled).relabelling,
        Exports(filled).mark_published,
    ):
        with pytest.raises(NotFound):
            show("x' OR 1=1")


def test_what_was_found_of_a_network_is_not_recorded_of_another_that_took_its_name(filled: Store) -> None:
    looked_at = Networks(filled).show("n").id
    assert _audit(filled, network=looked_at)
    Networks(filled).remove("n", actor="ada")
    Networks(filled).add("n", random_network(2), source="f", actor="ada")
    for attempt in (lambda: _audit(filled, network=looked_at), lambda: _export(filled, None, network=looked_at)):
        with pytest.raises(StoreConflict, match="replaced"):
            attempt()
    assert len(Audits(filled).list("network:n")) == 1
    assert Exports(filled).list("network:n") == []


def test_a_network_that_takes_the_place_of_another_goes_on_with_its_audits(filled: Store) -> None:
    id = _audit(filled)
    Networks(filled).remove("n", actor="ada")
    Networks(filled).add("n", random_network(2), source="f", actor="ada")
    assert [audit.id for audit in Audits(filled).list("network:n")] == [id]
    later = Audits(filled).show(_audit(filled, findings=FINDINGS[:1]))
    assert [found.change for found in later.findings] == ["same"]
    assert [gone.rule for gone in later.gone] == ["max_unique_vertices"]


def test_an_export_goes_from_recorded_to_published_once(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_keys, "_PART", 64)
    key = np.random.default_rng(1).permutation(30)
    id = _export(filled, key)
    export = Exports(filled).show(id)
    assert (export.state, export.key_kept, export.verified_at) == ("recorded", True, AT)
    assert export.claim == {"k": 5, "n": 30, "attributes": ["age"]}
    assert Exports(filled).relabelling(id).tolist() == key.tolist()  # type: ignore[union-attr]
    entries = filled.ledger.verify().entries
    for _ in range(2):
        Exports(filled).mark_published(id)
    assert [export.state for export in Exports(filled).list("network:n")] == ["published"]
    assert filled.ledger.verify().entries == entries
    filled.connection.execute("MATCH (p:AuditorRelabellingPart {part: 1}) DELETE p")
    with pytest.raises(StoreCorrupt):
        Exports(filled).relabelling(id)


def test_a_key_that_is_forgotten_is_nowhere(filled: Store) -> None:
    parts = "MATCH (p:AuditorRelabellingPart) RETURN count(p) AS n"
    assert Exports(filled).relabelling(_export(filled, None)) is None
    assert Exports(filled).relabelling(_export(filled, np.arange(0))) is not None
    id = _export(filled, np.arange(30))
    assert filled.connection.read(parts)[0]["n"] == 1
    Exports(filled).forget_key(id, actor="eve")
    Exports(filled).forget_key(id, actor="eve")
    assert Exports(filled).relabelling(id) is None
    assert filled.connection.read(parts)[0]["n"] == 0
    assert [entry.kind for entry in filled.ledger.show(2)] == ["key_forgotten", "export"]


def test_relabellings_leave_with_their_network(filled: Store) -> None:
    Networks(filled).add("m", random_network(2), source="f", actor="ada")
    gone, kept = _export(filled, np.arange(30)), _export(filled, np.arange(30), subject="m")
    Networks(filled).remove("n", actor="ada")
    assert Exports(filled).relabelling(gone) is None
    assert Exports(filled).show(gone).checksum == "c0ffee"
    assert Exports(filled).relabelling(kept) is not None


def test_a_retry_after_a_commit_records_nothing_twice(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    write = filled.connection.write

    def write_twice(work: object) -> object:
        write(work)  # type: ignore[arg-type]
        return write(work)  # type: ignore[arg-type]

    monkeypatch.setattr(filled.connection, "write", write_twice)
    _audit(filled)
    _export(filled, np.arange(30))
    monkeypatch.undo()
    assert len(Audits(filled).list()) == len(Exports(filled).list()) == 1
    assert filled.ledger.verify().entries == 3


def test_an_export_whose_entry_cannot_be_written_is_not_there(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise BrokenClaim("test")

    monkeypatch.setattr(Ledger, "append", broken)
    for attempt in (lambda: _audit(filled), lambda: _export(filled, np.arange(30))):
        with pytest.raises(BrokenClaim):
            attempt()
    assert Audits(filled).list() == Exports(filled).list() == []
    assert filled.connection.read("MATCH (n:AuditorFinding|AuditorRelabellingPart) RETURN count(n) AS n")[0]["n"] == 0


def test_an_export_is_named_by_the_beginning_of_its_id(filled: Store) -> None:
    ids = [f"e1ff6515-0000-4000-8000-00000000000{i}" for i in range(2)] + ["0b1c2d3e-0000-4000-8000-000000000000"]
    for id in ids:
        _export(filled, None, id)
    exports = Exports(filled)
    assert exports.show(ids[2][:8]).id == exports.show(ids[2]).id == ids[2]
    assert find_subject(filled, "export", ids[2][:8]).shown == f"export:{ids[2]}"
    assert exports.show(ids[0]).id == ids[0]
    with pytest.raises(BadInput, match="the ids of 2 exports begin with 'e1ff6515'"):
        exports.show("e1ff6515")
    for unknown in (ids[2][:7], "ffffffff", "%%%%%%%%", ids[2] + "0"):
        with pytest.raises(NotFound):
            exports.show(unknown)
