"""Log-ins, sessions and their cookies; requests that other sites' pages make."""

from __future__ import annotations

from datetime import timedelta

import pytest
from fastapi.testclient import TestClient

from auditor.access.tokens import Tokens
from auditor.web.security.rate import Buckets
from auditor.web.security.sessions import Sessions
from auditor.web.security.shown import network_of
from auditor.web.service import Limits
from tests.support.web_service import ServedStore

pytestmark = pytest.mark.neo4j

OVERVIEW = "/api/v1/overview"
TOKENS = "/api/v1/tokens"


def csrf_of(site: ServedStore, cookie: str) -> str:
    found = Sessions(site.store).find(cookie)
    assert found is not None
    return found[0].csrf


def test_a_cookie_is_out_of_reach_for_scripts_and_other_sites(site: ServedStore) -> None:
    answer = site.client().post("/login", data={"token": site.secrets["officer"]})
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert site.secrets["officer"] not in cookie


def test_the_text_of_tokens_and_sessions_is_nowhere_in_the_store(site: ServedStore) -> None:
    client = site.logged_in("officer")
    values = site.store.connection.read("MATCH (n) UNWIND keys(n) AS key RETURN toString(n[key]) AS value")
    texts = {record["value"] for record in values}
    assert client.cookies["auditor"] not in texts
    assert not texts & set(site.secrets.values())


def test_a_session_that_somebody_else_chose_is_not_taken_over(site: ServedStore) -> None:
    client = site.client()
    client.cookies.set("auditor", "chosen-by-somebody-else")
    client.post("/login", data={"token": site.secrets["officer"]})
    again = site.client()
    again.cookies.set("auditor", "chosen-by-somebody-else")
    assert again.get(OVERVIEW).status_code == 401
    first = site.logged_in("officer").cookies["auditor"]
    assert site.logged_in("officer").cookies["auditor"] != first


def test_whoever_logged_out_is_out_everywhere(site: ServedStore) -> None:
    client = site.logged_in("viewer")
    text = client.cookies["auditor"]
    assert client.get(OVERVIEW).status_code == 200
    assert client.post("/logout", data={"csrf": csrf_of(site, text)}).status_code == 303
    stolen = site.client()
    stolen.cookies.set("auditor", text)
    assert stolen.get(OVERVIEW).status_code == 401


def test_a_session_ends_with_its_token(site: ServedStore) -> None:
    client = site.logged_in("officer")
    (token,) = [one for one in Tokens(site.store).list() if one.person == "officer"]
    Tokens(site.store).revoke(token.id, actor="test")
    assert client.get(OVERVIEW).status_code == 401
    assert site.client("officer").get(OVERVIEW).status_code == 401


def test_tokens_and_sessions_end_in_time(site: ServedStore) -> None:
    text = site.token("ann", "viewer", days=0.5)
    client = site.client()
    client.post("/login", data={"token": text})
    now = site.store.ledger.clock
    site.store.ledger.clock = lambda: now() + timedelta(hours=9)
    assert client.get(OVERVIEW).status_code == 401
    assert site.client(text).get(OVERVIEW).status_code == 200
    site.store.ledger.clock = lambda: now() + timedelta(hours=13)
    assert site.client(text).get(OVERVIEW).status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-CSRF-Token": "guessed"},
        {"Origin": "https://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_what_another_site_sends_with_the_cookie_changes_nothing(site: ServedStore, headers: dict[str, str]) -> None:
    client = site.logged_in("administrator")
    right = csrf_of(site, client.cookies["auditor"])
    if "X-CSRF-Token" not in headers and headers:
        headers = {**headers, "X-CSRF-Token": right}
    body = {"person": "mallory", "role": "administrator"}
    assert client.post(TOKENS, json=body, headers=headers).status_code == 403
    assert "mallory" not in {token.person for token in Tokens(site.store).list()}
    fine = {"X-CSRF-Token": right, "Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"}
    assert client.post(TOKENS, json={**body, "person": "ann"}, headers=fine).status_code == 201


def test_the_csrf_token_of_one_session_is_worth_nothing_in_another(site: ServedStore) -> None:
    mine, other = site.logged_in("administrator"), site.logged_in("viewer")
    theirs = csrf_of(site, other.cookies["auditor"])
    answer = mine.post(TOKENS, json={"person": "m", "role": "viewer"}, headers={"X-CSRF-Token": theirs})
    assert answer.status_code == 403


def test_a_log_in_from_another_sites_form_is_refused(site: ServedStore) -> None:
    answer = site.client().post(
        "/login", data={"token": site.secrets["viewer"]}, headers={"Origin": "https://evil.example"}
    )
    assert answer.status_code == 403
    assert "Set-Cookie" not in answer.headers


def test_who_fails_to_log_in_too_often_waits_and_a_right_token_waits_too(site: ServedStore) -> None:
    client = site.client()
    statuses = [client.post("/login", data={"token": "dat_wrong"}).status_code for _ in range(Limits().logins + 1)]
    assert statuses == [401] * Limits().logins + [429]
    answer = client.post("/login", data={"token": site.secrets["officer"]})
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) >= 1


def test_who_fails_elsewhere_keeps_nobody_out(site: ServedStore) -> None:
    failures: Buckets = site.app.state.logins
    for number in range(20 * Limits().logins):
        failures.take(network_of(f"192.0.2.{number}"))
        failures.take(network_of(f"2001:db8::{number:x}"))
    token = {"token": site.secrets["officer"]}
    assert site.client().post("/login", data=token).status_code == 303
    # one subscriber has many addresses of IPv6
    for address, status in (("198.51.100.7", 303), ("2001:db8::ffff", 429)):
        client = TestClient(site.app, client=(address, 50000), follow_redirects=False)
        assert client.post("/login", data=token).status_code == status, address


@pytest.mark.parametrize("header", ["Bearer", "Bearer dat_", "Basic dXNlcjpwYXNz", "Bearer x y", ""])
def test_a_header_that_shows_no_token_is_told_so_even_with_a_session(site: ServedStore, header: str) -> None:
    client = site.logged_in("officer")
    answer = client.get(OVERVIEW, headers={"Authorization": header})
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "path", ["//evil.example", "https://evil.example/", "/\\evil.example", "javascript:alert(1)", "\r\nX: y"]
)
def test_a_log_in_leads_nowhere_else(site: ServedStore, path: str) -> None:
    answer = site.client().post("/login", data={"token": site.secrets["viewer"], "next": path})
    assert answer.status_code == 303
    assert answer.headers["Location"] == "/"
    assert "X" not in answer.headers


def test_whoever_is_not_logged_in_is_asked_to_and_comes_back(site: ServedStore) -> None:
    answer = site.client().get("/", params={"family": "table"})
    assert answer.status_code == 303
    assert answer.headers["Location"] == "/login?next=%2F%3Ffamily%3Dtable"


def test_who_sends_a_form_after_the_session_ended_is_told_and_comes_back_to_its_page(site: ServedStore) -> None:
    client = site.client()
    answer = client.post("/tables/survey/request", headers={"Referer": "http://testserver/tables/survey?said=added"})
    assert answer.status_code == 303
    assert answer.headers["Location"] == "/login?ended=true&next=%2Ftables%2Fsurvey%3Fsaid%3Dadded"
    assert "nothing was done" in client.get(answer.headers["Location"]).text
    elsewhere = client.post("/tables/survey/request", headers={"Referer": "http://evil.example/tables/survey"})
    assert elsewhere.headers["Location"] == "/login?ended=true&next=%2F"
