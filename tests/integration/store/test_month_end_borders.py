"""What waited at the end of a month stays what it was, whatever becomes of it later; the verifier agrees."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from auditor.access.log_ins import LogIns, ProviderPerson
from auditor.access.tokens import Tokens
from auditor.approvals.deciding import approve_if, reject
from auditor.approvals.repository import Approvals
from auditor.core.origin import Origin
from auditor.ledger.keys import create_key, read_private_key
from auditor.ledger.verifier import main as verify
from auditor.month_end.document import report_on
from auditor.month_end.period import month_of, parse_period
from auditor.month_end.signing import signed_line
from auditor.policy import ExportPolicy, Policy
from auditor.store.connection import Connection
from auditor.store.opening import Store
from auditor.store.schema.head import ensure_schema
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.subjects.tables.repository import Tables
from tests.support.cube import cube
from tests.support.schedules import SetClock

pytestmark = pytest.mark.neo4j

TWO = Policy(exports=ExportPolicy(marginal_approval="second-person"))


def test_an_old_report_keeps_what_waited_and_whose_it_was(neo4j_connection: Connection, tmp_path: Path) -> None:
    clock = SetClock()
    ensure_schema(neo4j_connection)
    store = Store(neo4j_connection, clock)
    Tables(store).add("t", cube(), source="f", actor="ada")

    def held(person: str) -> str:
        ends = clock() + timedelta(days=90)
        return Tokens(store).create(person=person, role="requester", expires_at=ends, actor="root")[0].id

    def ask(names: str, person: str, token: str | None = None) -> str:
        request = MarginalRequest("t", names, TWO, by=person, actor=person, origin=Origin(token=token))
        return str(answer_request(store, request, clock=time.monotonic).recorded.approval)

    token = held("cy")
    returned, taken = ask("AB", "ann"), ask("BC", "cy", token)
    approve_if(store, returned, change={"marginal": ["A"]}, reason="B is not needed", actor="bob")
    pat = ProviderPerson("https://id.example", "1", "pat", "requester", "names")
    LogIns(store).admit(pat, clock() + timedelta(hours=10))
    logged_in = ask("AC", "pat")
    january = month_of(clock())
    before = report_on(store, january)
    clock.go(days=30)
    LogIns(store).admit(replace(pat, role="viewer"), clock() + timedelta(hours=10))
    for person in ("dan", "eve"):
        Tokens(store).revoke(token, actor="root")
        token = held(person)
        Approvals(store).take_over(taken, actor=person, token=token)
    reject(store, returned, actor="bob", reason="too late")
    after = report_on(store, january)
    whose = {row["id"]: (row["asked_by"], row["by"], row["role"]) for row in after["waiting"]}
    assert whose == {taken: ("cy", "cy", "requester"), logged_in: ("pat", "pat", "requester")}
    assert after["waiting"] == before["waiting"]
    now = report_on(store, month_of(clock()))
    assert {(row["asked_by"], row["by"]) for row in now["waiting"]} == {("eve", "eve"), ("pat", "pat")}
    later = report_on(store, parse_period("2026-03"))
    assert {row["role"] for row in later["waiting"] if row["asked_by"] == "pat"} == {"by provider"}
    create_key(tmp_path / "key")
    key, file, ledger = read_private_key(tmp_path / "key"), tmp_path / "r.json", tmp_path / "ledger.jsonl"
    store.ledger.export(ledger)
    decided = [{**row, "decision": "approved"} for row in now["decided"]]
    for document, code in ((after, 0), (now, 0), ({**now, "decided": decided}, 1)):
        file.write_text(signed_line(document, key) + "\n", encoding="utf-8")
        assert verify([str(ledger), "--report", str(file), "--public-key", f"{tmp_path / 'key'}.pub"]) == code
