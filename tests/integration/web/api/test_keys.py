"""Idempotency keys and ETags: nothing is done twice, and nothing is sent twice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.web_service import ServedStore

pytestmark = pytest.mark.neo4j

TOKENS = "/api/v1/tokens"
BODY = {"person": "ann", "role": "viewer"}


def test_the_same_request_with_its_key_is_done_once(site: ServedStore) -> None:
    client, key = site.client("administrator"), {"Idempotency-Key": "one"}
    first = client.post(TOKENS, json=BODY, headers=key)
    again = client.post(TOKENS, json=BODY, headers=key)
    assert first.status_code == again.status_code == 201
    assert again.headers["Idempotency-Replayed"] == "true"
    assert sum(token.person == "ann" for token in site.store.tokens.list()) == 1


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
    assert sum(token.person == "ann" for token in site.store.tokens.list()) == 1


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
    client = site.client("administrator")
    seen, path = [], f"{TOKENS}?limit=3"
    while path is not None:
        page = client.get(path).json()
        seen += [token["id"] for token in page["items"]]
        path = page["next"]
    assert len(seen) == len(set(seen)) == len(site.secrets)
