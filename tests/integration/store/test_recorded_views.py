"""A disclosure view is recorded once, also where the connection is lost while it is committed."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from auditor.approvals.reviewing import look_at_risk
from auditor.audits.open_findings import look_at_findings
from auditor.audits.running import run_audit
from auditor.core.errors import CommitUnknown
from auditor.formats.networks import read_network
from auditor.ledger.sentences import entry_in_words
from auditor.policy import ExportPolicy, Policy
from auditor.store.connection import Connection
from auditor.store.opening import Store
from auditor.store.schema.head import ensure_schema
from auditor.subjects.networks.repository import Networks
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.subjects.tables.repository import Tables
from tests.support.cube import cube

pytestmark = pytest.mark.neo4j

TWO = Policy(exports=ExportPolicy(marginal_approval="second-person"))


def test_each_view_is_recorded_once(
    neo4j_connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ensure_schema(neo4j_connection)
    store = Store(neo4j_connection)
    Tables(store).add("t", cube(), source="f", actor="ada")
    request = MarginalRequest("t", "AB", TWO, by="ann", actor="ann")
    approval = str(answer_request(store, request, clock=time.monotonic).recorded.approval)
    path = tmp_path / "n.csv"
    path.write_text("a,b\na,c\na,d\nb,c\n", encoding="utf-8")
    networks = Networks(store)
    networks.add("n", read_network(path), source="n.csv", actor="ada")
    audit = run_audit(store, "network:n", Policy(), trigger="command", actor="ada")
    before = store.ledger.show(1)[0].seq
    write: Any = Connection.write
    lost = [False]

    def once_lost(self: Connection, work: object) -> object:
        done = write(self, work)
        lost[0] = not lost[0]
        if lost[0]:
            raise CommitUnknown("the connection was lost during the commit")
        return done

    monkeypatch.setattr(Connection, "write", once_lost)
    look_at_risk(store, approval, actor="bob", clock=time.monotonic)
    look_at_findings(store, audit.id, actor="bob", trend=True)
    networks.record_picture_view(networks.show("n"), "x", actor="bob")
    entries = store.ledger.show(9)[::-1]
    assert [one.kind for one in entries if one.seq > before] == ["review_shown", "findings_shown", "picture_shown"]
    assert entry_in_words(entries[-2]).endswith("of network:n, and figures of earlier audits")
