"""Marginals that wait for a second person, on the real database."""

from __future__ import annotations

import json
import time

import numpy as np
import pytest

from auditor.approvals.deciding import Approved, approve_if, reject
from auditor.approvals.record import Approval
from auditor.approvals.repository import Approvals
from auditor.core.errors import BadInput, NotFound, Refused
from auditor.formats.tables import LoadedTable
from auditor.notifications.outbox import Outbox
from auditor.policy import ExportPolicy, Policy, parse_policy
from auditor.store.opening import Store
from auditor.subjects.tables.policy import TablePolicy
from auditor.subjects.tables.releases.approver import approve_request
from auditor.subjects.tables.releases.lattice import decided_lattice, read_lattice
from auditor.subjects.tables.releases.recording import RequestAnswer
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.subjects.tables.repository import Tables
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable
from tests.support.cube import cube

pytestmark = pytest.mark.neo4j

SECOND = ExportPolicy(marginal_approval="second-person")
TWO = Policy(exports=SECOND)


def ask(store: Store, names: str, *, policy: Policy = TWO, by: str = "Gotham", actor: str = "ann") -> RequestAnswer:
    return answer_request(store, MarginalRequest("t", names, policy, by=by, actor=actor), clock=time.monotonic)


def approve(store: Store, id: str, actor: str = "bob") -> Approved:
    return approve_request(store, id, actor=actor, clock=time.monotonic)


def wanted(store: Store, names: str, *, policy: Policy = TWO, by: str = "Gotham", actor: str = "ann") -> Approval:
    """Ask for a marginal, and return what waits."""
    answer = ask(store, names, policy=policy, by=by, actor=actor)
    assert (answer.recorded.answer, answer.marginal) == ("pending", None)
    assert answer.recorded.approval is not None
    return Approvals(store).show(answer.recorded.approval)


@pytest.fixture
def table(store: Store) -> Store:
    Tables(store).add("t", cube(), source="f", actor="ada")
    return store


def test_what_waits_under_a_policy_with_an_old_name_is_approved(table: Store) -> None:
    old = Policy(exports=SECOND, table=TablePolicy(refusals="sampled"))
    approval = wanted(table, "AB", policy=old)
    renamed = old.text().replace('"sampled"', '"simulatable"')
    assert renamed != old.text()
    query = "MATCH (p:AuditorPolicy) WHERE p.text = $now SET p.text = $kept"
    table.connection.write(lambda tx: tx.run(query, now=old.text(), kept=renamed).consume())
    assert Approvals(table).policy_text(approval.id) == renamed
    assert approve(table, approval.id).approval.state == "approved"


def out(store: Store) -> list[str]:
    return ["".join(marginal.names) for marginal in Tables(store).released("t")]


def test_nothing_is_out_before_another_person_approves(table: Store) -> None:
    approval = wanted(table, "BA")
    assert (approval.state, approval.kind, approval.subject, approval.asked_by, approval.by) == (
        "pending", "marginal", "table:t", "ann", "Gotham",
    )  # fmt: skip
    assert {**approval.what, "data": ""} == {"marginal": ["A", "B"], "merged": {}, "data": "", "answer": "release"}
    assert out(table) == []
    assert [one.id for one in Approvals(table).pending_of("table:t")] == [approval.id]
    done = approve(table, approval.id)
    assert (done.approval.state, done.approval.decided_by) == ("approved", "bob")
    assert done.answer is not None
    assert done.answer.marginal is not None
    assert done.answer.marginal.dense().tolist() == cube().table.marginal("AB").dense().tolist()
    assert (done.answer.recorded.by, done.answer.recorded.approval) == ("Gotham", approval.id)
    assert out(table) == ["AB"]
    assert Approvals(table).pending_of("table:t") == []
    kinds = [entry.kind for entry in table.ledger.show(20)][::-1]
    assert kinds == ["table_added", "approval_wanted", "table_request", "approved", "table_request"]
    assert table.ledger.verify().intact


def test_the_lattice_shows_what_waits(table: Store) -> None:
    ask(table, "A", policy=Policy())
    ids = [wanted(table, names).id for names in ("AB", "AC")]

    def statuses() -> dict[str, str]:
        found = read_lattice(table, "t")
        decided = decided_lattice(table, found, TWO, actor="ann", time_limit=None, clock=time.monotonic)
        for axes, status in decided.rows():
            assert (status == "pending") == ((axes, "pending") in found.rows())
        return {"".join("ABC"[axis] for axis in axes): status for axes, status in found.rows()}

    before = {"": "implied", "A": "released", "B": "open", "C": "open", "BC": "open", "ABC": "open"}
    assert statuses() == {**before, "AB": "pending", "AC": "pending"}
    approve(table, ids[0])
    reject(table, ids[1], actor="bob", reason="not now")
    assert statuses() == {**before, "B": "implied", "AB": "released", "AC": "open"}


@pytest.mark.parametrize("by", ["", " ", "Gotham\nCity", "Gotham\x1b[2J"])
def test_who_asks_has_a_name_of_one_line(table: Store, by: str) -> None:
    with pytest.raises(BadInput, match="the requester, on one line"):
        ask(table, "AB", by=by)
    assert table.ledger.verify().entries == 1


def test_what_is_out_needs_no_second_person(table: Store) -> None:
    approve(table, wanted(table, "AB").id)
    for names in ("AB", "A"):
        again = ask(table, names)
        assert (again.recorded.answer, again.decision.implied) == ("release", True)
        assert again.marginal is not None


def test_a_refusal_is_said_at_once(table: Store) -> None:
    for names in ("AB", "AC"):
        approve(table, wanted(table, names).id)
    assert ask(table, "BC").recorded.answer == "refuse"
    assert Approvals(table).list("pending") == []


def test_what_is_unsafe_by_now_is_overtaken(table: Store) -> None:
    waiting = [wanted(table, names).id for names in ("AB", "AC", "BC")]
    done = [approve(table, id) for id in waiting]
    assert [one.approval.state for one in done] == ["approved", "approved", "overtaken"]
    last = done[-1].answer
    assert last is not None
    assert (last.recorded.answer, last.recorded.rules, last.marginal) == ("refuse", ("min_width",), None)
    assert last.recorded.approval == waiting[-1]
    assert out(table) == ["AB", "AC"]
    assert ask(table, "BC").recorded.answer == "refuse"


@pytest.mark.parametrize("actor", ["ann", " Ann", "ANN\t", "ａｎｎ", "a\u200bnn", "gotham"])
def test_nobody_approves_their_own(table: Store, actor: str) -> None:
    id = wanted(table, "AB").id
    with pytest.raises(Refused, match="another person"):
        approve(table, id, actor)
    with pytest.raises(Refused, match="another person"):
        Approvals(table).reject(id, actor=actor, reason="no")
    assert out(table) == []
    assert Approvals(table).show(id).state == "pending"


@pytest.mark.parametrize("actor", ["", "  ", "\u200b"])
def test_nobody_is_no_second_person(table: Store, actor: str) -> None:
    id = wanted(table, "AB").id
    with pytest.raises(BadInput, match="name the person"):
        approve(table, id, actor)
    with pytest.raises(BadInput, match="name the requester"):
        ask(table, "AC", actor=actor)


def test_the_same_request_waits_once(table: Store) -> None:
    first = ask(table, "AB")
    second = ask(table, "BA", actor="ANN")
    assert first.recorded.approval == second.recorded.approval
    assert (first.recorded.repeated, second.recorded.repeated) == (False, True)
    others = [wanted(table, "AB", by="Metropolis").id, wanted(table, "AB", actor="eve").id, wanted(table, "AC").id]
    assert len({first.recorded.approval, *others}) == 4
    # whatever two persons agreed on is out for all: nothing is left to decide about the same one
    assert approve(table, others[0]).approval.state == "approved"
    states = [Approvals(table).show(id).state for id in (str(first.recorded.approval), *others)]
    assert states == ["implied", "approved", "implied", "pending"]


def test_a_rejection_is_told_and_can_be_asked_again(table: Store) -> None:
    id = wanted(table, "AB").id
    with pytest.raises(BadInput, match="reason"):
        Approvals(table).reject(id, actor="bob", reason=" ")
    rejected = Approvals(table).reject(id, actor="bob", reason="not for them")
    assert (rejected.state, rejected.decided_by, rejected.reason) == ("rejected", "bob", "not for them")
    for step in (
        lambda: approve(table, id, "eve"),
        lambda: Approvals(table).withdraw(id, actor="ann"),
        lambda: Approvals(table).reject(id, actor="bob", reason="again"),
    ):
        with pytest.raises(Refused, match="was rejected by 'bob'"):
            step()
    assert wanted(table, "AB").id != id
    assert out(table) == []


def test_who_asked_can_withdraw_and_nobody_else(table: Store) -> None:
    id = wanted(table, "AB").id
    with pytest.raises(Refused, match="who asked, can withdraw"):
        Approvals(table).withdraw(id, actor="bob")
    assert Approvals(table).withdraw(id, actor="Ann").state == "withdrawn"
    with pytest.raises(Refused, match="not pending"):
        approve(table, id)
    (entry,) = table.ledger.show(1)
    assert (entry.kind, entry.actor) == ("withdrawn", "Ann")


def test_other_data_are_not_what_was_asked_for(table: Store) -> None:
    id = wanted(table, "AB").id
    Tables(table).add("t", cube(1), source="f", actor="ada", new_version=True)
    done = approve(table, id)
    assert (done.approval.state, done.answer) == ("overtaken", None)
    assert "other data" in (done.approval.reason or "")
    assert out(table) == []


def test_a_table_that_is_gone_is_told_and_waits(table: Store) -> None:
    id = wanted(table, "AB").id
    Tables(table).remove("t", actor="ada")
    with pytest.raises(NotFound, match="no table 't'"):
        approve(table, id)
    Tables(table).add("t", cube(), source="f", actor="ada")
    assert approve(table, id).approval.state == "approved"


def test_what_is_neither_yes_nor_no_goes_on_waiting(store: Store) -> None:
    counts = np.array([1, 60, 70, 80, 90, 100, 50, 40]).reshape(2, 2, 2)
    table = ContingencyTable.from_dense(counts, [Variable(name, ("no", "yes")) for name in "ABC"])
    Tables(store).add("t", LoadedTable(table), source="f", actor="ada")
    for names in ("AB", "AC"):
        approve(store, wanted(store, names).id)
    id = wanted(store, "BC").id
    ticks = iter(range(0, 10**9, 10**6))
    done = approve_request(store, id, actor="bob", clock=lambda: float(next(ticks)))
    assert done.answer is not None
    assert (done.approval.state, done.answer.recorded.answer, done.answer.marginal) == ("pending", "undecided", None)
    assert done.answer.recorded.approval == id
    assert approve(store, id).approval.state == "approved"


SIMULATING = Policy(exports=SECOND, table=TablePolicy(answers=("release", "refuse", "simulate")))
_SIMULATED = "MATCH (s:AuditorSimulatedTable) RETURN count(s) AS n"


def test_a_table_is_simulated_when_it_is_approved_and_not_before(table: Store) -> None:
    for names in ("AB", "AC"):
        approve(table, wanted(table, names, policy=SIMULATING).id)
    waiting = [wanted(table, names, policy=SIMULATING) for names in ("BC", "ABC")]
    assert [one.what["answer"] for one in waiting] == ["simulate", "simulate"]
    assert table.connection.read(_SIMULATED)[0]["n"] == 0
    parts = [approve(table, one.id).answer for one in waiting]
    assert table.connection.read(_SIMULATED)[0]["n"] == 1
    assert parts[0] is not None
    assert parts[1] is not None
    assert parts[0].marginal is not None
    assert parts[1].marginal is not None
    assert np.array_equal(parts[1].marginal.marginal("BC").dense(), parts[0].marginal.dense())
    # what is out needs nobody, though it is simulated
    again = ask(table, "CB", policy=SIMULATING)
    assert again.recorded.answer == "simulate"
    assert again.marginal is not None
    assert np.array_equal(again.marginal.dense(), parts[0].marginal.dense())


def test_it_is_decided_under_the_policy_that_it_waits_under(table: Store) -> None:
    lax = Policy(exports=SECOND, table=TablePolicy(min_width=1, hide_small=False))
    for names in ("AB", "AC"):
        approve(table, wanted(table, names).id)
    id = wanted(table, "BC", policy=lax).id
    assert Approvals(table).policy_text(id) == lax.text()
    assert approve(table, id).approval.state == "approved"


def test_merged_categories_wait_as_they_were_asked_for(store: Store) -> None:
    ages = [Variable("A", ("0-29", "30-59", "60+")), Variable("B", ("no", "yes"))]
    table = ContingencyTable.from_dense(np.array([[40, 41], [42, 43], [44, 45]]), ages)
    Tables(store).add("t", LoadedTable(table), source="f", actor="ada")
    merged = {"A": [["30-59", "60+"]]}
    answer = answer_request(
        store, MarginalRequest("t", "AB", TWO, by="Gotham", actor="ann", merged=merged), clock=time.monotonic
    )
    assert answer.recorded.approval is not None
    assert Approvals(store).show(answer.recorded.approval).what["merged"] == merged
    done = approve(store, answer.recorded.approval).answer
    assert done is not None
    assert done.marginal is not None
    assert done.marginal.dense().tolist() == [[40, 41], [86, 88]]


def test_it_is_recorded_once_though_its_commit_was_not_heard_of(table: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    write = table.connection.write

    def deaf(work: object) -> object:
        write(work)  # type: ignore[arg-type]
        return write(work)  # type: ignore[arg-type]

    monkeypatch.setattr(table.connection, "write", deaf)
    id = wanted(table, "AB").id
    assert approve(table, id).approval.state == "approved"
    other = wanted(table, "AC").id
    assert Approvals(table).reject(other, actor="bob", reason="no").state == "rejected"
    assert [entry.kind for entry in table.ledger.show(20)][::-1] == [
        "table_added", "approval_wanted", "table_request", "approved", "table_request",
        "approval_wanted", "table_request", "rejected",
    ]  # fmt: skip


def test_channels_are_told_once(table: Store) -> None:
    channel = {"kind": "file", "address": "/nowhere"}
    policy = parse_policy(
        {
            "exports": {"marginal_approval": "second-person"},
            "notify": {"channels": {"office": channel, "deaf": {**channel, "events": ["finding-new"]}}},
        }
    )
    approval = wanted(table, "AB", policy=policy)
    ask(table, "AB", policy=policy)
    (message,) = Outbox(table).list()
    assert (message.channel, message.event, message.subject) == ("office", "approval-wanted", "table:t")
    assert json.loads(message.body)["data"]["approval"] == approval.id


def test_channels_are_told_of_each_decision_and_no_reason(table: Store) -> None:
    channel = {"kind": "file", "address": "/nowhere", "events": ["approval-decided"]}
    policy = parse_policy(
        {"exports": {"marginal_approval": "second-person"}, "notify": {"channels": {"desk": channel}}}
    )
    first, second = wanted(table, "AB", policy=policy), wanted(table, "AC", policy=policy)
    approve_if(table, first.id, change={"marginal": ["A"]}, reason="a canary", actor="bob")
    Approvals(table).reject(first.id, actor="bob", reason="a canary")
    assert approve(table, second.id).approval.state == "approved"
    told = [json.loads(message.body)["data"] for message in Outbox(table).list()]
    assert sorted((one["approval"], one["state"]) for one in told) == sorted(
        [(first.id, "returned"), (first.id, "rejected"), (second.id, "approved")]
    )
    assert "canary" not in " ".join(message.body for message in Outbox(table).list())


def test_no_count_is_in_what_waits(store: Store) -> None:
    # so long that no id holds it by chance: an id has runs of four digits often enough
    least = 79190041
    Tables(store).add("t", cube(least=least), source="f", actor="ada")
    wanted(store, "AB")
    texts = " ".join(entry.payload for entry in store.ledger.show(100))
    nodes = str([dict(record["a"]) for record in store.connection.read("MATCH (a:AuditorApproval) RETURN a {.*} AS a")])
    for secret in (least, least + 6, cube(least=least).table.total):
        assert str(secret) not in texts + nodes


def test_an_unknown_approval_is_told(store: Store) -> None:
    for step in (
        lambda: Approvals(store).show("x"),
        lambda: approve(store, "x\n"),
        lambda: Approvals(store).reject("x", actor="bob", reason="no"),
        lambda: Approvals(store).withdraw("x", actor="bob"),
    ):
        with pytest.raises(NotFound, match="auditor approval list"):
            step()


def test_what_follows_from_a_release_does_not_wait_any_more(table: Store) -> None:
    small, same, other = wanted(table, "A").id, wanted(table, "B", actor="eve").id, wanted(table, "C").id
    big = wanted(table, "AB").id
    assert approve(table, big).approval.state == "approved"
    ended = [Approvals(table).show(id) for id in (small, same)]
    (out,) = (entry.seq for entry in table.ledger.show(4) if entry.kind == "table_request")
    follows = f"it follows from a marginal that was released meanwhile (entry {out} of the ledger)"
    assert [(one.state, one.decided_by, one.reason) for one in ended] == [("implied", "bob", follows)] * 2
    assert Approvals(table).show(other).state == "pending"
    kinds = [(entry.kind, json.loads(entry.payload).get("approval")) for entry in table.ledger.show(4)]
    assert {("implied", small), ("implied", same), ("approved", big)} <= set(kinds)
    with pytest.raises(Refused, match=r"it follows .* \(entry \d+ of the ledger\); the same request gets its counts"):
        approve(table, small)
    assert table.ledger.verify().intact
    # asked for again, it needs nobody
    assert ask(table, "A").recorded.answer == "release"


def test_merged_categories_wait_for_themselves(store: Store) -> None:
    counts = np.array([20, 30, 40, 50, 60, 70]).reshape(3, 2)
    table = ContingencyTable.from_dense(counts, [Variable("A", ("0", "1", "2")), Variable("B", ("f", "m"))])
    Tables(store).add("t", LoadedTable(table), source="f", actor="ada")
    plain, merged = wanted(store, "A").id, {"A": [("1", "2")]}
    coarse = answer_request(
        store, MarginalRequest("t", "A", TWO, by="x", actor="ann", merged=merged), clock=time.monotonic
    ).recorded.approval
    assert approve(store, str(coarse)).approval.state == "approved"
    assert Approvals(store).show(plain).state == "pending"
