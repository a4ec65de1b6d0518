"""A request that a second person returns: changed exactly so, it goes out with their approval, and only then."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from threading import Barrier, Thread
from typing import Any

import numpy as np
import pytest

from auditor.access.log_ins import LogIns, ProviderPerson
from auditor.access.rights import Role
from auditor.access.tokens import Tokens
from auditor.approvals.conversation import Conversation
from auditor.approvals.deciding import approve, approve_if, reject, withdraw
from auditor.approvals.record import Approval
from auditor.approvals.repository import Approvals
from auditor.approvals.reviewing import look_at_risk
from auditor.approvals.waiting import WaitingFor
from auditor.core.errors import BadInput, NotFound, Refused
from auditor.core.origin import Origin
from auditor.formats.tables import LoadedTable
from auditor.policy import ExportPolicy, Policy
from auditor.store.connection import Connection
from auditor.store.opening import Store
from auditor.store.schema.head import ensure_schema
from auditor.subjects.tables.releases import approver
from auditor.subjects.tables.releases import request as asking
from auditor.subjects.tables.releases.answering import FoundAnswer, find_answer
from auditor.subjects.tables.releases.recording import RequestAnswer
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.subjects.tables.repository import Tables
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable
from tests.support.cube import cube
from tests.support.schedules import SetClock

pytestmark = pytest.mark.neo4j

TWO = Policy(exports=ExportPolicy(marginal_approval="second-person"))
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


@pytest.mark.parametrize(
    ("first", "second", "answer"),
    [
        ("a study", "a study", "release"),
        ("a study", None, "release"),
        ("a study", "marketing", "pending"),
        (None, "marketing", "pending"),
    ],
)
def test_an_agreement_is_for_one_purpose(table: Store, first: str | None, second: str | None, answer: str) -> None:
    give_back(table, str(ask(table, "AB", purpose=first).recorded.approval))
    recorded = ask(table, "A", purpose=second).recorded
    assert recorded.answer == answer
    # a request that states none is for the one that was agreed to
    assert Approvals(table).show(str(recorded.approval)).purpose == (second or first)


def test_a_request_that_was_pending_for_another_purpose_goes_on_waiting(table: Store) -> None:
    one = str(ask(table, "A", purpose="marketing").recorded.approval)
    both = str(ask(table, "AB", purpose="a study").recorded.approval)
    give_back(table, both)
    again = ask(table, "A", purpose="a study").recorded
    assert (again.answer, again.approval) == ("pending", one)
    assert Approvals(table).show(both).replaced_by is None


def test_who_agreed_to_true_counts_agreed_to_no_simulated_ones(table: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    give_back(table, wanted(table, "AB"))

    def simulated(*given: Any, **more: Any) -> FoundAnswer:
        return replace(find_answer(*given, **more), answer="simulate")

    with monkeypatch.context() as changed:
        # by the time of the approval, and not of the request
        changed.setattr(approver, "find_answer", simulated)
        assert ask(table, "A").recorded.answer == "pending"
    give_back(table, wanted(table, "BC"), marginal=["B"])
    with monkeypatch.context() as changed:
        changed.setattr(asking, "find_answer", simulated)
        pending = ask(table, "B").recorded
    assert (pending.answer, Approvals(table).show(str(pending.approval)).replaces) == ("pending", None)


def test_merged_categories_stay_merged_beside_new_ones(neo4j_connection: Connection, clock: SetClock) -> None:
    ensure_schema(neo4j_connection)
    store = Store(neo4j_connection, clock)
    variables = [Variable("age", ("a", "b", "c", "d", "e")), Variable("sex", ("f", "m"))]
    counts = np.full((5, 2), 20)
    Tables(store).add("t", LoadedTable(ContingencyTable.from_dense(counts, variables)), source="f", actor="ada")
    request = MarginalRequest("t", ["age", "sex"], TWO, by="Gotham", actor="ann", merged={"age": [("a", "b")]})
    asked = answer_request(store, request, clock=time.monotonic).recorded
    returned = give_back(store, str(asked.approval), merge=["age=c,d"])
    assert returned.change == {"marginal": ["age", "sex"], "merged": {"age": [["a", "b"], ["c", "d"]]}}


def test_what_waits_is_counted_among_the_newest(table: Store, clock: SetClock) -> None:
    ids = []
    for names in ("AB", "AC", "BC"):
        ids.append(wanted(table, names))
        clock.go(days=1)
    give_back(table, ids[2], marginal=["B"])
    found = [WaitingFor(table).person("bob", approves=True, most=most) for most in (2, 3, None)]
    assert [(one.number, one.more) for one in found] == [(1, True), (2, False), (2, False)]
    assert [one.id for one in found[0].to_decide] == [ids[1]]
    assert WaitingFor(table).person("bob", approves=False).number == 0


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


@pytest.mark.parametrize("role", ["officer", "viewer", None])
def test_who_has_another_role_or_left_agrees_no_more(table: Store, clock: SetClock, role: Role | None) -> None:
    bob = ProviderPerson("https://id.example", "2", "bob", "officer", "people")
    until = clock.now + timedelta(days=90)
    give_back(table, wanted(table, "AB"), token=LogIns(table).admit(bob, until).id)
    if role is None:
        LogIns(table).leave(bob.issuer, bob.subject)
    else:
        LogIns(table).admit(replace(bob, role=role), until)
    if role != "officer":
        # who has the old role again does not agree again
        LogIns(table).admit(bob, until)
    assert ask(table, "A").recorded.answer == ("release" if role == "officer" else "pending")


def test_nothing_ends_in_the_name_of_who_agreed_before(table: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    give_back(table, wanted(table, "AB"))

    def refused(*given: Any, **more: Any) -> FoundAnswer:
        return replace(find_answer(*given, **more), answer="refuse", source=None)

    monkeypatch.setattr(approver, "find_answer", refused)
    pending = ask(table, "A").recorded
    assert (pending.answer, Approvals(table).show(str(pending.approval)).state) == ("pending", "pending")
    assert approve(table, str(pending.approval), actor="carol", clock=time.monotonic).approval.state == "overtaken"


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
    (kept,) = table.connection.read("MATCH (c:AuditorApprovalComment {id: $id}) RETURN c {.*} AS c", id=first.id)
    # nothing of what would let a guess be tested is in the ledger
    assert kept["c"]["salt"] not in entry.payload
    assert json.loads(entry.payload)["digest"] == sha256(f"{kept['c']['salt']}\n{first.text}".encode()).hexdigest()
    for name, value in (("text", "Fine."), ("by", "ann"), ("at", kept["c"]["at"].replace("20", "19", 1))):
        assert [one.unchanged for one in Conversation(table).about(id)] == [True, True]
        table.connection.execute(
            "MATCH (c:AuditorApprovalComment {id: $id}) SET c += $values", id=first.id, values={name: value}
        )
        assert [one.unchanged for one in Conversation(table).about(id)].count(False) == 1, name
        table.connection.execute(
            "MATCH (c:AuditorApprovalComment {id: $id}) SET c = $values", id=first.id, values=kept["c"]
        )


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
