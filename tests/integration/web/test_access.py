"""Every route, every role: what is not in this table is not there, and what it does not give is denied."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from auditor.access.rights import ROLES, rights_of
from auditor.policy import Policy
from tests.support.routes import every_route
from tests.support.stored_records import add_records
from tests.support.web_service import ServedStore

pytestmark = pytest.mark.neo4j

V1 = "/api/v1"
# route: the right that it needs
API = {
    f"GET {V1}/me": "view",
    f"GET {V1}/policy": "view",
    f"GET {V1}/policies/{{digest}}": "view",
    f"GET {V1}/overview": "view",
    f"GET {V1}/networks": "view",
    f"POST {V1}/networks": "data",
    f"GET {V1}/networks/{{name:path}}": "view",
    f"GET {V1}/networks/{{name:path}}/degrees": "look",
    f"DELETE {V1}/networks/{{name:path}}": "data",
    f"GET {V1}/microdata": "view",
    f"POST {V1}/microdata": "data",
    f"GET {V1}/microdata/{{name:path}}": "view",
    f"DELETE {V1}/microdata/{{name:path}}": "data",
    f"GET {V1}/tables": "view",
    f"POST {V1}/tables": "data",
    f"GET {V1}/tables/{{name:path}}": "view",
    f"GET {V1}/tables/{{name:path}}/lattice": "view",
    f"GET {V1}/tables/{{name:path}}/released": "view",
    f"GET {V1}/tables/{{name:path}}/map": "view",
    f"POST {V1}/tables/{{name:path}}/map": "data",
    f"GET {V1}/tables/{{name:path}}/overlap": "data",
    f"POST {V1}/tables/{{name:path}}/overlap": "data",
    f"DELETE {V1}/tables/{{name:path}}": "data",
    f"GET {V1}/tables/{{name:path}}/requests": "view",
    f"POST {V1}/tables/{{name:path}}/requests": "request",
    f"POST {V1}/tables/{{name:path}}/released-counts": "request",
    f"POST {V1}/tables/{{name:path}}/bounds": "look",
    f"GET {V1}/audits": "view",
    f"GET {V1}/audits/{{id}}": "view",
    f"POST {V1}/audits/{{id}}/details": "look",
    f"GET {V1}/waivers": "view",
    f"POST {V1}/waivers": "waive",
    f"DELETE {V1}/waivers/{{id}}": "waive",
    f"GET {V1}/schedules": "view",
    f"POST {V1}/schedules": "schedule",
    f"GET {V1}/schedules/{{name:path}}": "view",
    f"GET {V1}/schedules/{{name:path}}/ticks": "view",
    f"POST {V1}/schedules/{{name:path}}/pause": "schedule",
    f"POST {V1}/schedules/{{name:path}}/resume": "schedule",
    f"DELETE {V1}/schedules/{{name:path}}": "schedule",
    f"GET {V1}/exports": "view",
    f"GET {V1}/exports/{{id}}": "view",
    f"GET {V1}/exports/{{id}}/file": "export",
    f"GET {V1}/exports/{{id}}/files/{{name}}": "export",
    f"GET {V1}/approvals": "view",
    f"GET {V1}/approvals/{{id}}": "view",
    f"POST {V1}/approvals/{{id}}/approve": "approve",
    f"POST {V1}/approvals/{{id}}/approve-if": "approve",
    f"POST {V1}/approvals/{{id}}/reject": "approve",
    f"GET {V1}/approvals/{{id}}/review": "view",
    f"POST {V1}/approvals/{{id}}/risk": "look",
    f"GET {V1}/approvals/{{id}}/comments": "view",
    # who takes part in a conversation, the requester and the right to approve say
    f"POST {V1}/approvals/{{id}}/comments": "view",
    f"POST {V1}/approvals/{{id}}/withdraw": "view",
    # what taking over needs, the kind of the approval says
    f"POST {V1}/approvals/{{id}}/take-over": "view",
    # what a job needs, its kind says
    f"GET {V1}/jobs": "view",
    f"POST {V1}/jobs": "view",
    f"GET {V1}/jobs/{{id}}": "view",
    f"GET {V1}/jobs/{{id}}/events": "view",
    f"POST {V1}/jobs/{{id}}/cancel": "view",
    f"POST {V1}/jobs/{{id}}/resume": "view",
    f"GET {V1}/ledger": "ledger",
    f"GET {V1}/month-end": "ledger",
    f"GET {V1}/month-end/{{section}}": "ledger",
    f"POST {V1}/ledger/verify": "ledger",
    f"GET {V1}/tokens": "tokens",
    f"POST {V1}/tokens": "tokens",
    f"DELETE {V1}/tokens/{{id}}": "tokens",
}
PAGES = {
    "GET /": "view",
    "GET /approvals": "view",
    "GET /approvals/{id}": "view",
    "POST /approvals/{id}/approve": "approve",
    "POST /approvals/{id}/approve-if": "approve",
    "POST /approvals/{id}/reject": "approve",
    "POST /approvals/{id}/risk": "look",
    "POST /approvals/{id}/comments": "view",
    "POST /approvals/{id}/withdraw": "view",
    "POST /approvals/{id}/take-over": "view",
    "POST /audits": "schedule",
    "GET /audits/{id}": "view",
    "POST /audits/{id}/details": "look",
    "GET /exports": "view",
    "GET /exports/{id}": "view",
    "GET /exports/{id}/file": "export",
    "GET /exports/{id}/files/{name}": "export",
    "POST /exports/{id}/figures": "export",
    "POST /exports/{id}/picture": "look",
    "GET /findings": "view",
    "POST /findings/revoke": "waive",
    "POST /findings/waive": "waive",
    "GET /help": "view",
    "GET /help/{name:path}": "view",
    "GET /jobs": "view",
    "GET /jobs/{id}": "view",
    "POST /jobs/{id}/cancel": "view",
    "POST /jobs/{id}/resume": "view",
    "GET /ledger": "ledger",
    "GET /month": "ledger",
    "POST /ledger/verify": "ledger",
    "GET /metrics": "view",
    "GET /networks": "view",
    "POST /networks": "data",
    "GET /networks/{name:path}": "view",
    "POST /networks/{name:path}/anonymize": "export",
    "POST /networks/{name:path}/degrees": "look",
    "POST /networks/{name:path}/remove": "data",
    "GET /policy": "view",
    "GET /policy/{digest}": "view",
    "GET /search": "view",
    "GET /schedules": "view",
    "GET /schedules-new": "schedule",
    "POST /schedules": "schedule",
    "GET /schedules/{name:path}": "view",
    "POST /schedules/{name:path}/pause": "schedule",
    "POST /schedules/{name:path}/remove": "schedule",
    "POST /schedules/{name:path}/resume": "schedule",
    "GET /microdata": "view",
    "POST /microdata": "data",
    "GET /microdata/{name:path}": "view",
    "POST /microdata/{name:path}/generalize": "export",
    "POST /microdata/{name:path}/microaggregate": "export",
    "POST /microdata/{name:path}/remove": "data",
    "GET /tables": "view",
    "POST /tables": "data",
    "GET /tables/{name:path}": "view",
    "POST /tables/{name:path}/alternatives": "look",
    "POST /tables/{name:path}/bounds": "look",
    "POST /tables/{name:path}/frontier": "look",
    "GET /tables/{name:path}/marginal": "view",
    "GET /tables/{name:path}/marginal.csv": "request",
    "POST /tables/{name:path}/map": "data",
    "POST /tables/{name:path}/overlap": "data",
    "POST /tables/{name:path}/remove": "data",
    "POST /tables/{name:path}/request": "request",
    "GET /tokens": "tokens",
    "POST /tokens": "tokens",
    "POST /tokens/{id}/revoke": "tokens",
}
PUBLIC = (
    "GET /login",
    "GET /login/provider",
    "GET /login/provider/answer",
    "POST /login",
    "POST /login/provider/ended",
    "POST /logout",
    "GET /healthz",
    "GET /readyz",
)


def test_every_route_asks_for_the_right_in_this_table(site: ServedStore) -> None:
    expected = {name: {right} for name, right in (API | PAGES).items()} | {name: set() for name in PUBLIC}
    assert dict(every_route(site.app)) == expected


@pytest.mark.parametrize("role", [None, *ROLES])
def test_what_a_role_may_not_is_denied_whatever_is_asked(site: ServedStore, role: str | None) -> None:
    client = site.client(role)
    given = frozenset() if role is None else rights_of(role)  # type: ignore[arg-type]
    for name, right in (API | PAGES).items():
        method, path = name.split(" ")
        if path.endswith("/events"):
            continue
        address = path.replace("{name:path}", "nothing").replace("{id}", "nothing").replace("{digest}", "nothing")
        answer = client.request(method, address)
        status = answer.status_code
        if role is None:
            # who comes by a browser is asked to log in
            by_browser = name in PAGES and name != "GET /metrics"
            assert status == (303 if by_browser else 401), name
            assert not by_browser or answer.headers["Location"].startswith("/login"), name
        elif right not in given:
            assert status == 403, name
        else:
            assert status in (200, 201, 202, 204, 303, 404, 409, 422), name


def test_the_rights_of_a_token_only_narrow(site: ServedStore) -> None:
    text = site.token("ann", "officer", only=["view"])
    client = site.client(text)
    assert client.get(f"{V1}/overview").status_code == 200
    assert client.get(f"{V1}/ledger").status_code == 403


@pytest.mark.parametrize("kind", ["audit", "anonymize", "frontier", "microaggregate", "generalize"])
def test_a_job_needs_the_right_of_its_kind(site: ServedStore, kind: str, tmp_path: Path) -> None:
    site.add_data()
    bodies = {
        "audit": {"subjects": ["table:survey"]},
        "anonymize": {"network": "friends", "k": 2},
        "frontier": {"table": "survey"},
        "microaggregate": {"microdata": "people", "k": 5},
        "generalize": {"microdata": "people", "k": 5},
    }
    add_records(site.store, "people", tmp_path)
    body = {"kind": kind, **bodies[kind]}
    assert site.client("requester").post(f"{V1}/jobs", json=body).status_code == 403
    answer = site.client("officer").post(f"{V1}/jobs", json=body)
    assert answer.status_code == 202
    viewer, unknown = site.client("viewer"), str(uuid.uuid4())
    for path in ("", "/events"):
        # that there is one is not told either
        theirs = viewer.get(f"{V1}/jobs/{answer.json()['id']}{path}")
        nobodys = viewer.get(f"{V1}/jobs/{unknown}{path}")
        assert theirs.status_code == nobodys.status_code == 404
        assert theirs.text.replace(answer.json()["id"], unknown) == nobodys.text
    assert site.client("viewer").get(f"{V1}/jobs").json()["items"] == []


def test_what_is_protected_of_findings_is_for_those_who_may_look(site: ServedStore) -> None:
    from auditor.audits.running import run_audit

    site.add_data()
    audit = run_audit(site.store, "network:friends", Policy(), trigger="command", actor="test")
    assert audit.findings
    hidden = site.client("officer").get(f"{V1}/audits/{audit.id}").json()["findings"][0]
    assert {hidden[name] for name in ("where", "figure", "threshold", "message")} == {None}
    assert site.client("viewer").post(f"{V1}/audits/{audit.id}/details").status_code == 403
    seen = site.client("officer").post(f"{V1}/audits/{audit.id}/details").json()["findings"][0]
    assert seen["message"]
    assert site.store.ledger.show(1)[0].kind == "findings_shown"
