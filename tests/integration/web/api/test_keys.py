"""Idempotency keys and ETags: nothing is done twice, and nothing is sent twice."""

from __future__ import annotations

import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import timedelta

import pytest

from auditor.access.rights import ROLES
from auditor.access.tokens import Tokens
from auditor.policy import Policy
from auditor.web.api.idempotency_keys import LEASE, IdempotencyKeys
from auditor.web.security.turns import MEASURING
from tests.support.raw_requests import multipart, raw_request
from tests.support.web_service import ServedStore

pytestmark = pytest.mark.neo4j

TOKENS = "/api/v1/tokens"
BODY = {"person": "ann", "role": "viewer"}
SEX = {"variables": ["sex"]}


def test_the_same_request_with_its_key_is_done_once(site: ServedStore) -> None:
    client, key = site.client("administrator"), {"Idempotency-Key": "one"}
    first = client.post(TOKENS, json=BODY, headers=key)
    again = client.post(TOKENS, json=BODY, headers=key)
    assert first.status_code == again.status_code == 201
    assert again.headers["Idempotency-Replayed"] == "true"
    assert sum(token.person == "ann" for token in Tokens(site.store).list()) == 1


def test_a_key_belongs_to_one_request_and_one_person(site: ServedStore) -> None:
    key = {"Idempotency-Key": "one"}
    admin = site.client("administrator")
    assert admin.post(TOKENS, json=BODY, headers=key).status_code == 201
    assert admin.post(TOKENS, json={**BODY, "person": "bob"}, headers=key).status_code == 422
    other = site.client(site.token("boss", "administrator"))
    answer = other.post(TOKENS, json=BODY, headers=key)
    assert answer.status_code == 201
    assert "Idempotency-Replayed" not in answer.headers


def test_a_request_that_failed_can_be_sent_again_with_its_key(site: ServedStore) -> None:
    client, key = site.client("administrator"), {"Idempotency-Key": "one"}
    wrong = {**BODY, "only": ["nothing"]}
    assert client.post(TOKENS, json=wrong, headers=key).status_code == 422
    assert client.post(TOKENS, json=BODY, headers=key).status_code == 201


def test_of_many_at_once_one_is_done(site: ServedStore) -> None:
    client = site.client("administrator")

    def send(_: int) -> int:
        return int(client.post(TOKENS, json=BODY, headers={"Idempotency-Key": "race"}).status_code)

    with ThreadPoolExecutor(8) as pool:
        statuses = set(pool.map(send, range(16)))
    assert statuses <= {201, 409}
    assert sum(token.person == "ann" for token in Tokens(site.store).list()) == 1


def test_the_text_of_a_new_token_is_not_kept_with_its_key(site: ServedStore) -> None:
    answer = site.client("administrator").post(TOKENS, json=BODY, headers={"Idempotency-Key": "one"})
    values = site.store.connection.read("MATCH (a:AuditorKeptAnswer) RETURN a.body AS body")
    assert all(answer.json()["token"] not in record["body"] for record in values)


def test_what_one_has_is_not_sent_again_until_it_changes(site: ServedStore) -> None:
    site.add_data()
    client = site.client("officer")
    tag = client.get("/api/v1/tables").headers["ETag"]
    assert client.get("/api/v1/tables", headers={"If-None-Match": tag}).status_code == 304
    client.post("/api/v1/tables/survey/requests", json={"variables": ["sex"]})
    assert client.get("/api/v1/tables", headers={"If-None-Match": tag}).status_code == 200


def test_a_list_is_read_part_by_part(site: ServedStore) -> None:
    client, tokens = site.client("administrator"), {site.secrets[role] for role in ROLES}
    seen, path = [], f"{TOKENS}?limit=3"
    while path is not None:
        page = client.get(path).json()
        seen += [token["id"] for token in page["items"]]
        path = page["next"]
    assert len(seen) == len(set(seen)) == len(tokens)


FORM = {"Content-Type": "multipart/form-data; boundary=x"}


def test_an_answer_is_not_repeated_for_a_token_that_is_revoked(site: ServedStore) -> None:
    site.add_data()
    secret, key = site.token("ida", "officer"), {"Idempotency-Key": "one"}
    client = site.client(secret)
    assert client.post("/api/v1/tables/survey/bounds", json={"variables": ["sex"]}, headers=key).status_code == 200
    token = Tokens(site.store).find(secret)
    assert token is not None
    Tokens(site.store).revoke(token.id, actor="test")
    answer = client.post("/api/v1/tables/survey/bounds", json={"variables": ["sex"]}, headers=key)
    assert answer.status_code == 401


def test_a_view_of_protected_figures_is_not_kept(site: ServedStore) -> None:
    site.service.policy = Policy.model_validate({"exports": {"marginal_approval": "second-person"}})
    site.add_data()
    client, key = site.client("officer"), {"Idempotency-Key": "one"}
    asked = client.post("/api/v1/tables/survey/requests", json=SEX).json()["approval"]
    before = site.store.ledger.show(1)[0].seq
    for path, body in ((f"/api/v1/approvals/{asked}/risk", None), ("/api/v1/tables/survey/bounds", SEX)):
        for _ in range(2):
            answer = client.post(path, json=body, headers=key)
            assert (answer.status_code, "Idempotency-Replayed" in answer.headers) == (200, False), path
    assert site.store.ledger.show(1)[0].seq == before + 4
    assert site.store.connection.read("MATCH (a:AuditorKeptAnswer) RETURN a.key") == []


def test_views_that_compute_are_few_at_a_time(site: ServedStore) -> None:
    site.add_data()
    with ExitStack() as taken:
        for _ in range(3):
            taken.enter_context(MEASURING.one())
        busy = site.client("officer").post("/api/v1/tables/survey/bounds", json=SEX)
        assert (busy.status_code, busy.headers["Retry-After"]) == (503, "5")
        assert "try again" in busy.json()["detail"]
    again = site.client("officer").post("/api/v1/tables/survey/bounds", json=SEX)
    assert again.status_code == 200


def test_an_answer_is_not_repeated_with_fewer_rights(site: ServedStore) -> None:
    site.add_data()
    key = {"Idempotency-Key": "one"}
    job = {"kind": "frontier", "table": "survey"}
    client = site.client("officer")
    assert client.post("/api/v1/jobs", json=job, headers=key).status_code == 202
    site.service.policy = Policy.model_validate({"roles": {"approve": []}})
    assert client.post("/api/v1/jobs", json=job, headers=key).status_code == 403
    # with all of them again it is the answer of the first one
    site.service.policy = Policy()
    assert client.post("/api/v1/jobs", json=job, headers=key).headers["Idempotency-Replayed"] == "true"


@pytest.mark.parametrize("key", [{}, {"Idempotency-Key": "one"}], ids=["plain", "key"])
@pytest.mark.parametrize("path", ["/api/v1/tables", "/api/v1/networks", "/tables", "/networks"])
def test_nothing_of_a_body_is_read_before_it_is_known_who_may_send_it(
    site: ServedStore, path: str, key: dict[str, str]
) -> None:
    page = not path.startswith("/api/")
    for shown, status in (("nope", 401), (site.secrets["viewer"], 403)):
        headers = {**FORM, **key, "Authorization": f"Bearer {shown}"}
        answer, read = raw_request(site.app, "POST", path, headers, multipart("x.csv", 1 << 20))
        assert (answer, read) == (303 if page and status == 401 else status, 0)


def test_a_body_is_never_held_whole(site: ServedStore) -> None:
    headers = {**FORM, "Idempotency-Key": "one", "Authorization": f"Bearer {site.secrets['officer']}"}
    # once before, so that what is imported does not count
    raw_request(site.app, "POST", "/api/v1/tables", headers, multipart("x.nothing", 1 << 16))
    size = 48 << 20
    tracemalloc.start()
    try:
        answer, read = raw_request(
            site.app, "POST", "/api/v1/tables", {**headers, "Idempotency-Key": "two"}, multipart("x.nothing", size)
        )
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert answer == 422
    assert read > size
    assert peak < size / 4


def test_a_request_that_came_in_pieces_is_the_same_one(site: ServedStore) -> None:
    key = {"Idempotency-Key": "one", "Authorization": f"Bearer {site.secrets['administrator']}"}
    given = b'{"person": "ann", "role": "viewer"}'
    headers = {**key, "Content-Type": "application/json"}
    for pieces in ([given], [given[:5], b"", given[5:]]):
        assert raw_request(site.app, "POST", TOKENS, headers, pieces)[0] == 201
    assert sum(token.person == "ann" for token in Tokens(site.store).list()) == 1
    assert raw_request(site.app, "POST", TOKENS, headers, [given, b" "])[0] == 422


def test_a_key_whose_request_ended_with_its_process_is_free_when_its_lease_is_over(site: ServedStore) -> None:
    answers, now = IdempotencyKeys(site.store), site.store.ledger.clock
    assert answers.claim("k", "first", "a") is None
    assert answers.claim("k", "first", "b") is not None
    site.store.ledger.clock = lambda: now() + LEASE / 2
    answers.renew("k", "a")
    site.store.ledger.clock = lambda: now() + LEASE * 1.2
    assert answers.claim("k", "first", "b") is not None
    site.store.ledger.clock = lambda: now() + LEASE * 2 + timedelta(seconds=1)
    # another request may have it, too: of the first one there is no answer
    assert answers.claim("k", "second", "b") is None
    # the first one comes too late
    answers.keep("k", "a", 200, "{}")
    found = answers.claim("k", "second", "c")
    assert found is not None
    assert found.status == 0
    answers.keep("k", "b", 201, "{}")
    site.store.ledger.clock = lambda: now() + timedelta(hours=3)
    found = answers.claim("k", "second", "d")
    assert found is not None
    assert found.status == 201
