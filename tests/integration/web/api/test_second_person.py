"""A second person stays a second person, whoever cancels, resumes, or loses a token meanwhile."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from auditor.access.rights import ROLES
from auditor.access.tokens import Tokens
from auditor.policy import Policy
from auditor.web.jobs.repository import Jobs
from auditor.web.jobs.runner import JobRunner
from tests.support.web_service import ServedStore

pytestmark = pytest.mark.neo4j

V1 = "/api/v1"
EXPORT = {"kind": "anonymize", "network": "friends", "k": 2}
BOTH = Policy.model_validate(
    {"network": {"k": 2}, "exports": {"approval": "second-person", "marginal_approval": "second-person"}}
)


@pytest.fixture
def careful(site: ServedStore) -> ServedStore:
    """A service whose policy asks for a second person."""
    for role in ROLES:
        # tests count what the ledger says behind this
        assert site.secrets[role]
    site.service.policy = BOTH
    site.add_data()
    return site


@pytest.fixture
def running(careful: ServedStore) -> Iterator[ServedStore]:
    """One that does jobs, too."""
    careful.service.runner = JobRunner(careful.service)
    yield careful
    careful.service.runner.stop()


def revoke(site: ServedStore, person: str) -> None:
    for token in Tokens(site.store).list():
        if token.person == person and token.revoked_at is None:
            assert site.client("administrator").delete(f"{V1}/tokens/{token.id}").status_code == 204


def ended(site: ServedStore, id: str) -> dict[str, Any]:
    until = time.monotonic() + 90
    while (job := site.client("officer").get(f"{V1}/jobs/{id}").json())["state"] in ("waiting", "running"):
        assert time.monotonic() < until, job
        time.sleep(0.05)
    return dict(job)


def kinds(site: ServedStore, last: int) -> list[tuple[str, str]]:
    entries = site.client("officer").get(f"{V1}/ledger", params={"limit": last}).json()["items"]
    return [(entry["kind"], entry["actor"]) for entry in entries][::-1]


def test_whoever_resumes_a_job_is_who_asks(running: ServedStore) -> None:
    dora, bob, olga = (running.client(running.token(name, "officer")) for name in ("dora", "bob", "olga"))
    id = dora.post(f"{V1}/jobs", json=EXPORT).json()["id"]
    assert dora.post(f"{V1}/jobs/{id}/cancel").json()["state"] == "cancelled"
    revoke(running, "dora")
    assert bob.post(f"{V1}/jobs/{id}/resume").json()["person"] == "bob"
    begun = [("job_begun", "dora"), ("job_cancelled", "dora"), ("token_revoked", "administrator")]
    assert kinds(running, 4) == [*begun, ("job_resumed", "bob")]
    assert running.service.runner is not None
    running.service.runner.start()
    job = ended(running, id)
    assert job["state"] == "done", job
    path = f"{V1}/approvals/{job['result']['approval']}"
    assert bob.get(path).json()["asked_by"] == "bob"
    # neither who does it now nor who began it is a second person
    assert bob.post(f"{path}/approve").status_code == 409
    again = running.client(running.token("Dora", "officer"))
    assert again.post(f"{path}/approve").status_code == 409
    assert olga.post(f"{path}/approve").json()["state"] == "approved"
    assert kinds(running, 2)[0] == ("export", "olga") or ("approved", "olga") in kinds(running, 2)


def test_jobs_of_a_revoked_token_end_and_are_not_taken(careful: ServedStore) -> None:
    dora = careful.client(careful.token("dora", "officer"))
    waiting = dora.post(f"{V1}/jobs", json=EXPORT).json()["id"]
    running = dora.post(f"{V1}/jobs", json=EXPORT).json()["id"]
    taken = Jobs(careful.store).take()
    assert taken is not None
    revoke(careful, "dora")
    assert Jobs(careful.store).take() is None
    jobs = [Jobs(careful.store).show(id) for id in (waiting, running)]
    assert {job.state for job in jobs} == {"interrupted"}
    assert all(job.reason == "the token of its requester was revoked" for job in jobs)
    # its process finds that it is no longer its own
    assert taken.claim is not None
    assert not Jobs(careful.store).beat(taken.id, taken.claim)


def test_a_job_that_a_revoked_token_left_behind_is_not_taken(careful: ServedStore) -> None:
    dora = careful.client(careful.token("dora", "officer"))
    id = dora.post(f"{V1}/jobs", json=EXPORT).json()["id"]
    revoke(careful, "dora")
    # as if it had been asked for in the moment of the revocation
    careful.store.connection.execute("MATCH (j:AuditorJob {id: $id}) SET j.state = 'waiting'", id=id)
    assert Jobs(careful.store).take() is None


def test_what_is_pending_of_a_revoked_token_is_frozen_until_another_person_takes_it_over(careful: ServedStore) -> None:
    dora, bob, olga = (careful.client(careful.token(name, "officer")) for name in ("dora", "bob", "olga"))
    id = dora.post(f"{V1}/tables/survey/requests", json={"variables": ["sex"]}).json()["approval"]
    path = f"{V1}/approvals/{id}"
    assert bob.post(f"{path}/take-over").status_code == 409
    revoke(careful, "dora")
    assert bob.get(path).json()["frozen"] is True
    assert "pending, frozen" in careful.logged_in("officer").get("/approvals").text
    answer = bob.post(f"{path}/approve")
    assert answer.status_code == 409
    assert "frozen" in answer.json()["detail"]
    again = careful.client(careful.token(" Dora".strip().upper(), "officer"))
    assert again.post(f"{path}/take-over").status_code == 409
    # who could not have asked for it cannot take it over, and is not told that it is there
    assert careful.client("requester").post(f"{path}/take-over").status_code == 404
    narrow = careful.client(careful.token("nora", "officer", only=["view", "approve"]))
    assert narrow.post(f"{path}/take-over").status_code == 403
    taken = bob.post(f"{path}/take-over").json()
    assert (taken["asked_by"], taken["by"], taken["frozen"]) == ("bob", "bob", False)
    assert kinds(careful, 1) == [("taken_over", "bob")]
    for client in (bob, again):
        assert client.post(f"{path}/approve").status_code == 409
    assert olga.post(f"{path}/approve").json()["state"] == "approved"


def test_whom_it_was_for_stays_who_it_is_for(careful: ServedStore) -> None:
    dora, bob = (careful.client(careful.token(name, "officer")) for name in ("dora", "bob"))
    given = {"variables": ["sex"], "by": "City of Gotham"}
    id = dora.post(f"{V1}/tables/survey/requests", json=given).json()["approval"]
    revoke(careful, "dora")
    taken = bob.post(f"{V1}/approvals/{id}/take-over").json()
    assert (taken["asked_by"], taken["by"]) == ("bob", "City of Gotham")


def test_another_token_of_the_same_person_changes_nothing(careful: ServedStore) -> None:
    first, bob = careful.client(careful.token("dora", "officer")), careful.client(careful.token("bob", "officer"))
    id = first.post(f"{V1}/tables/survey/requests", json={"variables": ["sex"]}).json()["approval"]
    revoke(careful, "dora")
    second = careful.client(careful.token("dora", "officer"))
    assert bob.get(f"{V1}/approvals/{id}").json()["frozen"] is True
    # with it one asks anew: what is frozen is not what is answered
    other = second.post(f"{V1}/tables/survey/requests", json={"variables": ["sex"]}).json()["approval"]
    assert other != id
    assert bob.post(f"{V1}/approvals/{other}/approve").json()["state"] == "approved"


def test_a_request_without_a_token_is_frozen_when_its_person_has_none_any_more(careful: ServedStore) -> None:
    dora, bob = (careful.client(careful.token(name, "officer")) for name in ("dora", "bob"))
    id = dora.post(f"{V1}/tables/survey/requests", json={"variables": ["sex"]}).json()["approval"]
    # as the terminal, a schedule and an earlier version leave it
    careful.store.connection.execute("MATCH (a:AuditorApproval {id: $id}) REMOVE a.token, a.earlier", id=id)
    assert bob.get(f"{V1}/approvals/{id}").json()["frozen"] is False
    revoke(careful, "dora")
    assert bob.get(f"{V1}/approvals/{id}").json()["frozen"] is True
    assert bob.post(f"{V1}/approvals/{id}/approve").status_code == 409


def test_what_is_frozen_is_rejected_without_being_taken_over(careful: ServedStore) -> None:
    dora, bob = (careful.client(careful.token(name, "officer")) for name in ("dora", "bob"))
    id = dora.post(f"{V1}/tables/survey/requests", json={"variables": ["sex"]}).json()["approval"]
    revoke(careful, "dora")
    assert bob.post(f"{V1}/approvals/{id}/reject", json={"reason": "no"}).json()["state"] == "rejected"


def test_who_may_not_see_an_approval_is_not_told_that_it_is_there(careful: ServedStore) -> None:
    officer = careful.client("officer")
    id = officer.post(f"{V1}/tables/survey/requests", json={"variables": ["sex"]}).json()["approval"]
    viewer = careful.client("viewer")
    for act in ("withdraw", "take-over"):
        there, nowhere = (viewer.post(f"{V1}/approvals/{one}/{act}") for one in (id, "x" * len(id)))
        assert (there.status_code, nowhere.status_code) == (404, 404)
        assert there.text.replace(id, "") == nowhere.text.replace("x" * len(id), "")
        pages = careful.logged_in("viewer")
        token = pages.get("/approvals").text.partition('name="csrf" value="')[2].partition('"')[0]
        assert pages.post(f"/approvals/{id}/{act}", data={"csrf": token}).status_code == 404


def test_a_review_by_the_api(careful: ServedStore) -> None:
    dora, bob = (careful.client(careful.token(name, "officer")) for name in ("dora", "bob"))
    rob, adam = careful.client(careful.token("rob", "requester")), careful.client("administrator")
    given = {"variables": ["sex", "age"], "purpose": "annual report"}
    id = dora.post(f"{V1}/tables/survey/requests", json=given).json()["approval"]
    path = f"{V1}/approvals/{id}"
    assert bob.get(path).json()["purpose"] == "annual report"
    assert [one["id"] for one in bob.get(f"{V1}/approvals", params={"waiting": True}).json()["items"]] == [id]
    assert dora.get(f"{V1}/approvals", params={"waiting": True}).json()["items"] == []
    review = bob.get(f"{path}/review").json()
    assert [field["name"] for field in review["changeable"]] == ["marginal", "merge"]
    # who may not see protected figures reads the ledger's side of it, and says nothing
    assert adam.get(f"{path}/review").status_code == 200
    assert adam.post(f"{path}/risk").status_code == 403
    assert adam.post(f"{path}/comments", json={"text": "Hello"}).status_code == 403
    assert rob.post(f"{path}/comments", json={"text": "Hello"}).status_code == 404
    assert bob.post(f"{path}/risk").json()["rows"][0]["measure"] == "Protected cells"
    # the same key writes once
    for _ in range(2):
        said = bob.post(f"{path}/comments", json={"text": "Why?"}, headers={"Idempotency-Key": "k1"})
        assert (said.status_code, said.json()["by"]) == (201, "bob")
    assert dora.post(f"{path}/comments", json={"text": "a\u202eb"}).status_code in (400, 422)
    assert [one["text"] for one in dora.get(f"{path}/comments").json()["items"]] == ["Why?"]
    change = {"change": {"marginal": ["sex"]}, "reason": "coarser"}
    assert dora.post(f"{path}/approve-if", json=change).status_code == 409
    assert bob.post(f"{path}/approve-if", json=change | {"change": {"marginal": 7}}).status_code in (400, 422)
    assert bob.post(f"{path}/approve-if", json=change).json()["state"] == "returned"
    answer = dora.post(f"{V1}/tables/survey/requests", json={"variables": ["sex"]}).json()
    assert answer["answer"] == "release"
    assert dora.get(f"{V1}/approvals/{answer['approval']}").json()["decided_by"] == "bob"
