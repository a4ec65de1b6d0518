"""Audits of networks, tables and exports in a real store: what is recorded, what changed, and what is waived."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from auditor.audits.record import Audit
from auditor.audits.repository import Audits
from auditor.audits.running import is_stale, run_audit
from auditor.audits.subjects import all_subjects
from auditor.audits.waivers import Waivers
from auditor.config import Settings
from auditor.core.errors import BadInput, NotFound, StoreConflict
from auditor.core.subject import parse_subject
from auditor.exports.repository import Exports
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.formats.tables import LoadedTable
from auditor.policy import Policy, parse_policy
from auditor.store.opening import Store
from auditor.subjects.networks.repository import Networks
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.subjects.tables.repository import Tables
from graphkit.hierarchies.variable import Variable
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.tables.structure.contingency import ContingencyTable
from tests.support.commands import run_auditor

pytestmark = pytest.mark.neo4j

POLICY = parse_policy({"network": {"k": 2}})
CUBE = np.array([1, 6, 7, 8, 9, 10, 5, 1]).reshape(2, 2, 2)


def network(*edges: tuple[int, int]) -> LoadedNetwork:
    graph = SimpleGraph.from_edges(np.array(edges), max(max(edge) for edge in edges) + 1)
    return LoadedNetwork(graph, np.arange(graph.n), {})


def table() -> LoadedTable:
    return LoadedTable(ContingencyTable.from_dense(CUBE, [Variable(name, ("no", "yes")) for name in "ABC"]))


def clock() -> float:
    return 0.0


def audit(store: Store, subject: str, policy: Policy = POLICY, *, again: bool = False) -> Audit:
    return run_audit(store, subject, policy, trigger="test", actor="ada", clock=clock, again=again)


def changes(found: Audit) -> dict[str, str]:
    return {finding.rule: finding.change for finding in found.findings} | {gone.rule: "gone" for gone in found.gone}


def test_a_network_that_grows(store: Store) -> None:
    Networks(store).add("n", network((0, 1), (1, 2)), source="f", actor="ada")
    first = audit(store, "network:n")
    assert (first.verdict, set(changes(first).values())) == ("violated", {"new"})
    # two vertices of a degree of their own now, and then none
    for edges, change in (([(0, 1), (1, 2), (2, 3), (2, 4)], "worse"), ([(0, 1), (2, 3)], "gone")):
        Networks(store).remove("n", actor="ada")
        Networks(store).add("n", network(*edges), source="f", actor="ada")
        assert changes(audit(store, "network:n"))["max_unique_vertices"] == change
    assert Audits(store).heads()[0].verdict == "passed"


def test_what_did_not_change_is_not_computed_again(store: Store) -> None:
    Networks(store).add("n", network((0, 1), (1, 2)), source="f", actor="ada")
    assert is_stale(store, "network:n", POLICY)
    first, second = audit(store, "network:n"), audit(store, "network:n")
    assert (first.repeats, second.repeats) == (False, True)
    assert set(changes(second).values()) == {"same"}
    assert not is_stale(store, "network:n", POLICY)
    assert not audit(store, "network:n", again=True).repeats
    stricter = parse_policy({"network": {"k": 3}})
    assert is_stale(store, "network:n", stricter)
    assert not audit(store, "network:n", stricter).repeats


def test_what_is_out_of_a_table_together(store: Store) -> None:
    Tables(store).add("t", table(), source="f", actor="ada")
    assert audit(store, "table:t").verdict == "passed"
    lax = parse_policy({"table": {"min_width": 1, "hide_small": False}})
    for pair in ("AB", "AC", "BC"):
        answer = answer_request(store, MarginalRequest("t", pair, lax, by="ann", actor="ada"), clock=clock)
        assert answer.recorded.answer == "release"
    found = audit(store, "table:t")
    assert found.verdict == "violated"
    rules = {finding.rule: finding for finding in found.findings}
    assert rules["min_width"].figure == 2
    assert audit(store, "table:t", lax).verdict == "passed"
    assert audit(store, "table:t").verdict == "violated"
    # nothing that was found says a count
    assert all("exactly" not in finding.message for finding in found.findings)


def test_waivers(store: Store) -> None:
    Networks(store).add("n", network((0, 1), (1, 2)), source="f", actor="ada")
    found = audit(store, "network:n")
    later = datetime.now(UTC) + timedelta(days=1)
    for finding in found.findings:
        Waivers(store).add(finding.fingerprint, reason="known", until=later, actor="eve")
    assert is_stale(store, "network:n", POLICY)
    waived = audit(store, "network:n")
    assert (waived.verdict, waived.repeats) == ("passed", True)
    assert all(finding.waiver is not None for finding in waived.findings)
    head = Audits(store).heads()[0]
    assert (head.open, head.waived) == (0, len(found.findings))
    assert not is_stale(store, "network:n", POLICY)
    # as if the day had come
    store.connection.execute("MATCH (w:AuditorWaiver) SET w.until = '2020-01-01T00:00:00.000000Z'")
    assert is_stale(store, "network:n", POLICY)
    assert audit(store, "network:n").verdict == "violated"
    assert {waiver.state(later) for waiver in Waivers(store).list()} == {"expired"}
    with pytest.raises(NotFound, match="no latest audit"):
        Waivers(store).add("0123456789abcdef", reason="known", until=later, actor="eve")
    for reason, until in (("", later), ("two\nlines", later), ("known", later - timedelta(days=9))):
        with pytest.raises(BadInput):
            Waivers(store).add(found.findings[0].fingerprint, reason=reason, until=until, actor="eve")
    id = Waivers(store).add(found.findings[0].fingerprint, reason="known", until=later, actor="eve").id
    for _ in range(2):
        Waivers(store).revoke(id, actor="eve")
    kinds = [entry.kind for entry in store.ledger.show(3)]
    assert kinds[:2] == ["waiver_revoked", "waiver"]
    assert store.ledger.verify().faults == ()


def test_an_audit_with_an_id_is_made_once(store: Store) -> None:
    Networks(store).add("n", network((0, 1), (1, 2)), source="f", actor="ada")
    ended = []

    def once() -> Audit:
        return run_audit(store, "network:n", POLICY, trigger="test", actor="ada", id="tick", finish=ended.append)

    assert once() == once()
    assert len(ended) == len(Audits(store).list()) == 1

    def lost(tx: object) -> None:
        raise StoreConflict("the lease ran out")

    with pytest.raises(StoreConflict, match="lease"):
        run_audit(store, "network:n", POLICY, trigger="test", actor="ada", finish=lost)
    assert len(Audits(store).list()) == 1


def test_exports_are_read_again(store: Store, neo4j_settings: Settings, tmp_path: Path) -> None:
    edges = tmp_path / "n.csv"
    edges.write_text("a,b\n1,2\n2,3\n3,4\n3,5\n5,6\n")
    out = tmp_path / "out.csv"
    for command in (["network", "add", "n", edges], ["network", "anonymize", "n", "--k", "2", "--out", out]):
        assert run_auditor([*command], neo4j_settings.home).code == 0
    (export,) = Exports(store).list("network:n")
    subject = f"export:{export.id}"
    assert all_subjects(store.connection) == [("export", export.id), ("network", "n")]
    assert audit(store, subject).verdict == "passed"
    assert audit(store, subject).repeats
    stricter = audit(store, subject, parse_policy({"network": {"k": 5}}))
    assert (stricter.verdict, changes(stricter)) == ("violated", {"k": "new"})
    text = out.read_text()
    out.write_text(text + "\n")
    assert is_stale(store, subject, POLICY)
    changed = audit(store, subject)
    assert changes(changed)["checksum"] == "new"
    assert changes(changed)["k"] == "gone"
    out.unlink()
    assert changes(audit(store, subject)) == {"file": "new", "checksum": "gone"}
    out.write_text(text)
    assert audit(store, subject).verdict == "passed"
    weekly = parse_policy({"network": {"k": 2}, "exports": {"reverify_after_days": 7}})
    audit(store, subject, weekly)
    assert not is_stale(store, subject, weekly)
    store.connection.execute(
        "MATCH (h:AuditorAuditHead {key: $key}) SET h.at = '2020-01-01T00:00:00.000000Z'", key=subject
    )
    assert is_stale(store, subject, weekly)
    # without the network, the file alone is looked at
    Networks(store).remove("n", actor="ada")
    alone = audit(store, subject)
    assert [(finding.rule, finding.severity) for finding in alone.findings] == [("origin", "warning")]
    assert alone.verdict == "passed"
    with pytest.raises(NotFound):
        audit(store, "export:x")


@pytest.mark.parametrize("subject", ["n", "tabel:n", "network:", "table", ""])
def test_what_is_no_subject(subject: str) -> None:
    with pytest.raises(BadInput, match="no subject of an audit"):
        parse_subject(subject)
