"""A request that a second person returns: changed exactly so, it goes out with their approval, and only then."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from auditor.access.tokens import Tokens
from auditor.approvals.conversation import Conversation
from auditor.approvals.deciding import approve, approve_if, reject, withdraw
from auditor.approvals.record import Approval
from auditor.approvals.repository import Approvals
from auditor.approvals.reviewing import look_at_risk
from auditor.approvals.waiting import WaitingFor
from auditor.core.errors import BadInput, NotFound, Refused
from auditor.core.origin import Origin
from auditor.exports.destination import Destination
from auditor.exports.publishing import Published
from auditor.exports.repository import Exports
from auditor.policy import ExportPolicy, Policy
from auditor.store.connection import Connection
from auditor.store.opening import Store
from auditor.store.schema.head import ensure_schema
from auditor.subjects.networks.exports.exporting import ExportRequest, StoredNetwork, export_network
from auditor.subjects.networks.policy import NetworkPolicy
from auditor.subjects.networks.repository import Networks
from auditor.subjects.tables.releases.recording import RequestAnswer
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.subjects.tables.repository import Tables
from tests.support.cube import cube
from tests.support.schedules import SetClock
from tests.support.store_samples import random_network

pytestmark = pytest.mark.neo4j

TWO = Policy(
    network=NetworkPolicy(k=2), exports=ExportPolicy(marginal_approval="second-person", approval="second-person")
)
COARSER = {"marginal": ["A"]}


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def table(neo4j_connection: Connection, clock: SetClock) -> Store:
    ensure_schema(neo4j_connection)
    store = Store(neo4j_connection, clock)
    Tables(store).add("t", cube(), source="f", actor="ada")
    return store


def ask(store: Store, names: str, actor: str = "ann", by: str = "Gotham", purpose: str | None = None) -> RequestAnswer:
    request = MarginalRequest("t", names, TWO, by=by, actor=actor, origin=Origin(purpose=purpose))
    return answer_request(store, request, clock=time.monotonic)


def wanted(store: Store, names: str) -> str:
    return str(ask(store, names).recorded.approval)


def give_back(store: Store, id: str, actor: str = "bob", token: str | None = None, **change: Any) -> Approval:
    return approve_if(store, id, change=change or COARSER, reason="B is not needed", actor=actor, token=token)


def test_the_change_goes_out_with_the_approval_that_was_given_before(table: Store) -> None:
    first = str(ask(table, "AB", purpose="annual report").recorded.approval)
    returned = give_back(table, first)
    assert (returned.state, returned.decided_by, returned.reason) == ("returned", "bob", "B is not needed")
    assert (returned.purpose, returned.change) == ("annual report", {"marginal": ["A"], "merged": {}})
    assert Tables(table).released("t") == []
    assert [one.id for one in WaitingFor(table).person("Ann", approves=True).to_change] == [first]
    answer = ask(table, "A")
    assert (answer.recorded.answer, answer.marginal is not None) == ("release", True)
    second = Approvals(table).show(str(answer.recorded.approval))
    assert (second.state, second.decided_by, second.replaces) == ("approved", "bob", first)
    assert Approvals(table).show(first).replaced_by == second.id
    entries = table.ledger.show(4)[::-1]
    assert [(entry.kind, entry.actor) for entry in entries] == [
        ("approval_wanted", "ann"), ("table_request", "ann"), ("approved_as_agreed", "ann"), ("table_request", "ann"),
    ]  # fmt: skip
    told = json.loads(entries[2].payload)
    assert (told["agreed_by"], told["agreement"], told["approval"]) == ("bob", first, second.id)
    assert WaitingFor(table).person("ann", approves=True).number == 0
    assert table.ledger.verify().intact


def _other_marginal(store: Store, id: str) -> RequestAnswer:
    return ask(store, "B")


def _other_person(store: Store, id: str) -> RequestAnswer:
    return ask(store, "A", actor="carol")


def _other_beneficiary(store: Store, id: str) -> RequestAnswer:
    return ask(store, "A", by="Metropolis")


def _taken_back(store: Store, id: str) -> RequestAnswer:
    assert reject(store, id, actor="carol", reason="no").state == "rejected"
    return ask(store, "A")


def _withdrawn(store: Store, id: str) -> RequestAnswer:
    assert withdraw(store, id, actor="ann").state == "withdrawn"
    return ask(store, "A")


@pytest.mark.parametrize("other", [_other_marginal, _other_person, _other_beneficiary, _taken_back, _withdrawn])
def test_what_nobody_agreed_to_waits(table: Store, other: Callable[[Store, str], RequestAnswer]) -> None:
    id = wanted(table, "AB")
    give_back(table, id)
    answer = other(table, id)
    assert (answer.recorded.answer, answer.marginal) == ("pending", None)
    assert Tables(table).released("t") == []


def test_an_agreement_ends_after_thirty_days(table: Store, clock: SetClock) -> None:
    give_back(table, wanted(table, "AB"))
    clock.go(days=30)
    assert WaitingFor(table).person("ann", approves=True).to_change == []
    assert ask(table, "A").recorded.answer == "pending"


def test_who_lost_the_token_agrees_no_more(table: Store, clock: SetClock) -> None:
    until = clock.now + timedelta(days=90)
    token, _ = Tokens(table).create(person="bob", role="officer", expires_at=until, actor="ada")
    give_back(table, wanted(table, "AB"), token=token.id)
    Tokens(table).revoke(token.id, actor="ada")
    pending = ask(table, "A").recorded
    assert pending.answer == "pending"
    assert approve(table, str(pending.approval), actor="carol", clock=time.monotonic).approval.state == "approved"


def test_a_pending_request_for_the_change_is_released_when_it_is_made_again(table: Store) -> None:
    both, one = wanted(table, "AB"), wanted(table, "A")
    give_back(table, both)
    again = ask(table, "A").recorded
    assert (again.answer, again.approval) == ("release", one)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"marginal": ["A", "B"]}, "must be coarser"),
        ({"marginal": ["A", "C"]}, "must be coarser"),
        ({"marginal": []}, "must be coarser"),
        ({"k": 5}, "'marginal', 'merged'"),
        ({"merge": ['"A=no']}, "one group a line"),
    ],
)
def test_a_change_discloses_less(table: Store, change: dict[str, Any], words: str) -> None:
    id = wanted(table, "AB")
    with pytest.raises(BadInput, match=words):
        give_back(table, id, **change)
    assert Approvals(table).show(id).state == "pending"


@pytest.mark.parametrize("actor", ["ann", "Gotham", "\u0430nn", ""])
def test_who_asked_agrees_to_nothing(table: Store, actor: str) -> None:
    id = wanted(table, "AB")
    with pytest.raises((Refused, BadInput)):
        give_back(table, id, actor=actor)
    assert Approvals(table).show(id).state == "pending"


def test_what_was_returned_is_not_approved_as_it_was(table: Store) -> None:
    id = wanted(table, "AB")
    give_back(table, id)
    for act in (
        lambda: approve(table, id, actor="carol", clock=time.monotonic),
        lambda: give_back(table, id, actor="carol"),
    ):
        with pytest.raises(Refused, match="not pending any more: it was returned by 'bob'"):
            act()


def test_of_two_who_decide_at_once_one_wins(table: Store) -> None:
    for names in ("AB", "AC"):
        id, barrier, told = wanted(table, names), Barrier(2), []
        acts = (
            lambda: approve(table, id, actor="bob", clock=time.monotonic).approval.state,  # noqa: B023
            lambda: give_back(table, id, actor="carol").state,  # noqa: B023
        )

        def run(act: Callable[[], str]) -> None:
            barrier.wait(30)  # noqa: B023
            try:
                told.append(act())  # noqa: B023
            except Refused:
                told.append("refused")  # noqa: B023

        threads = [Thread(target=run, args=(act,)) for act in acts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert sorted(told) == sorted([Approvals(table).show(id).state, "refused"])


def test_what_was_said_is_kept_and_a_changed_word_is_seen(table: Store) -> None:
    id = wanted(table, "AB")
    first = Conversation(table).add(id, actor="bob", text=" Is B needed?\r\n\r\nThe contract says A. ")
    Conversation(table).add(id, actor="ann", text="No.")
    assert [(one.by, one.text) for one in Conversation(table).about(id)] == [
        ("bob", "Is B needed?\n\nThe contract says A."), ("ann", "No."),
    ]  # fmt: skip
    entry = table.ledger.show(2)[1]
    assert (entry.seq, entry.kind, "contract" in entry.payload) == (first.entry, "approval_commented", False)
    table.connection.execute("MATCH (c:AuditorApprovalComment {id: $id}) SET c.text = 'Fine.'", id=first.id)
    assert [one.unchanged for one in Conversation(table).about(id)] == [False, True]


@pytest.mark.parametrize("text", ["", " \n ", "x" * 4001, "a\x1b[2J", "a\u202eb", "a\u200bb", "a\x00"])
def test_a_comment_can_be_read(table: Store, text: str) -> None:
    id = wanted(table, "AB")
    with pytest.raises(BadInput, match="the comment must have"):
        Conversation(table).add(id, actor="bob", text=text)
    assert Conversation(table).about(id) == []
    with pytest.raises(NotFound):
        Conversation(table).add("nowhere", actor="bob", text="Hello")


def test_the_risk_of_a_marginal_is_recorded_before_it_is_shown(table: Store) -> None:
    id = wanted(table, "AB")
    found = look_at_risk(table, id, actor="bob", clock=time.monotonic)
    # two cells of one person: of 47 in all, and of 7 and 6 with the same A and B
    assert [(row.before, row.after) for row in found.rows][:2] == [("2", "2"), ("0", "0")]
    assert [(row.before, row.after) for row in found.rows][3] == ("47", "6")
    assert [(entry.kind, entry.actor) for entry in table.ledger.show(1)] == [("review_shown", "bob")]


def export(store: Store, path: Path, k: int) -> Published:
    request = ExportRequest(k, Destination(path), TWO, "ann", origin=Origin(purpose="a study"))
    done = export_network(StoredNetwork(store, Networks(store).show("n")), request).published
    assert done is not None
    return done


def test_an_export_of_the_agreed_k_appears_and_the_returned_one_is_gone(table: Store, tmp_path: Path) -> None:
    Networks(table).add("n", random_network(1, n=12, m=14), source="f", actor="ada")
    first = export(table, tmp_path / "2.csv", 2)
    risk = look_at_risk(table, str(first.approval), actor="bob", clock=time.monotonic)
    assert risk.rows[2].after == "0"
    assert len(risk.charts) == 2
    assert [title for title, _ in risk.picture.panels] == ["Before", "After"]
    with pytest.raises(BadInput, match="more than 2, at most 12"):
        approve_if(table, str(first.approval), change={"k": 2}, reason="more", actor="bob")
    returned = approve_if(table, str(first.approval), change={"k": 3}, reason="more", actor="bob")
    assert (returned.state, returned.purpose) == ("returned", "a study")
    assert Exports(table).show(first.manifest.export).state == "returned"
    assert list(tmp_path.iterdir()) == []
    # another k than the one that was agreed to waits
    other = export(table, tmp_path / "4.csv", 4)
    assert (other.approval is not None, other.agreed_by) == (True, None)
    done = export(table, tmp_path / "3.csv", 3)
    assert (done.approval, done.agreed_by) == (None, "bob")
    assert done.files[0] == tmp_path / "3.csv"
    assert done.files[0].is_file()
    assert Exports(table).show(done.manifest.export).state == "published"
    assert [(entry.kind, entry.actor) for entry in table.ledger.show(2)] == [
        ("export", "ann"), ("approved_as_agreed", "ann"),
    ]  # fmt: skip


def test_nobody_agrees_to_what_came_out_beside_it_since(table: Store, tmp_path: Path) -> None:
    Networks(table).add("n", random_network(1, n=12, m=14), source="f", actor="ada")
    first, other = export(table, tmp_path / "2.csv", 2), export(table, tmp_path / "4.csv", 4)
    approve_if(table, str(first.approval), change={"k": 3}, reason="more", actor="bob")
    assert approve(table, str(other.approval), actor="bob", clock=time.monotonic).approval.state == "approved"
    assert export(table, tmp_path / "3.csv", 3).approval is not None
