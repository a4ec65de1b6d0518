"""A request under a policy that asks for less, or for more, than an earlier one about the same table says so."""

from __future__ import annotations

import time

import pytest

from auditor.policy import Policy, preset_policy
from auditor.store.opening import Store
from auditor.subjects.tables.policy import TablePolicy
from auditor.subjects.tables.releases.recording import RequestAnswer
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.subjects.tables.repository import Tables
from auditor.subjects.tables.representations.requests import reasons_of
from tests.support.cube import cube

pytestmark = pytest.mark.neo4j

PUBLIC = preset_policy("public")


def ask(store: Store, names: str, policy: Policy) -> RequestAnswer:
    request = MarginalRequest("t", [*names], policy, by="ann", actor="ada")
    return answer_request(store, request, clock=time.monotonic)


@pytest.fixture
def table(store: Store) -> Store:
    Tables(store).add("t", cube(), source="f", actor="ada")
    return store


def test_a_forgotten_policy_is_said(table: Store) -> None:
    first = ask(table, "A", PUBLIC)
    assert first.remarks == ()
    forgotten = ask(table, "B", Policy())
    (remark,) = forgotten.remarks
    assert f"at entry {first.recorded.entry} of the ledger" in remark
    assert "table.threshold" in remark
    assert "AUDITOR_POLICY" in remark
    assert ask(table, "B", PUBLIC).remarks == ()
    # a limit of time protects nothing
    patient = PUBLIC.model_copy(update={"table": PUBLIC.table.model_copy(update={"time_limit": 7.0})})
    assert ask(table, "C", patient).remarks == ()


def test_what_follows_from_a_release_under_a_laxer_policy_is_said_not_to_satisfy_this_one(table: Store) -> None:
    lax = Policy(table=TablePolicy(threshold=2, min_width=1, hide_small=False))
    assert ask(table, "AB", lax).recorded.answer == "release"
    strict = Policy(table=TablePolicy(threshold=11, min_width=8))
    for names in ("AB", "A"):
        answer = ask(table, names, strict)
        assert (answer.recorded.answer, answer.decision.implied) == ("release", True)
        assert "min_width" in answer.recorded.rules
        assert "does not satisfy this policy" in " ".join(reasons_of(answer, sampled=False))
        again = ask(table, names, lax)
        assert again.recorded.rules == ()
