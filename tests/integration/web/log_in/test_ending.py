"""Log-out here and at the provider."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient

from auditor.core.errors import StoreUnavailable
from auditor.web.security.sessions import Sessions
from tests.integration.web.log_in.conftest import LogIns
from tests.support.provider import CLIENT

pytestmark = pytest.mark.neo4j

ME = "/api/v1/me"
ENDED = "/login/provider/ended"
EVENT = "http://schemas.openid.net/event/backchannel-logout"


def log_out(log_ins: LogIns, browser: TestClient) -> str:
    found = Sessions(log_ins.site.store).find(browser.cookies["auditor"])
    assert found is not None
    answer = browser.post("/logout", data={"csrf": found[0].csrf})
    assert browser.get(ME).status_code == 401
    return answer.text if answer.status_code == 200 else answer.headers["Location"]


def test_who_logs_out_here_logs_out_at_the_provider(log_ins: LogIns) -> None:
    page = log_out(log_ins, log_ins.logged_in())
    address = page.partition('content="0; url=')[2].partition('"')[0].replace("&amp;", "&")
    assert address.startswith(f"{log_ins.provider.url}/end?")
    told = parse_qs(urlsplit(address).query)
    assert told["client_id"] == [CLIENT]
    assert told["post_logout_redirect_uri"] == ["http://localhost:8321/login"]
    assert told["id_token_hint"][0].count(".") == 2


def test_who_logs_out_is_out_where_the_provider_has_no_place_for_it_or_is_away(log_ins: LogIns) -> None:
    log_ins.provider.more["end_session_endpoint"] = None
    assert log_out(log_ins, log_ins.logged_in()) == "/login"
    browser = log_ins.logged_in()
    log_ins.renew()
    log_ins.provider.broken["/.well-known/openid-configuration"] = (500, "")
    assert log_out(log_ins, browser) == "/login"


def message(log_ins: LogIns, **changed: Any) -> int:
    """Tell the service, as the provider, that a session there has ended; return what it answers."""
    claims: dict[str, Any] = {
        "iss": log_ins.provider.url,
        "aud": CLIENT,
        "iat": int(time.time()),
        "events": {EVENT: {}},
    }
    claims |= {"jti": f"message-{time.monotonic()}", "sub": "1", **changed}
    text = log_ins.provider.token({name: value for name, value in claims.items() if value is not None})
    return log_ins.browser().post(ENDED, data={"logout_token": text}).status_code


def test_a_session_that_ends_at_the_provider_ends_here(log_ins: LogIns) -> None:
    for told in ({}, {"sid": "their-session"}, {"sub": None, "sid": "their-session"}):
        browser, other = log_ins.logged_in(), log_ins.logged_in(sub="2", preferred_username="Bob", sid="another")
        log_ins.provider.person = {"sub": "1", "preferred_username": "Ann Lee", "groups": ["a"]}
        assert message(log_ins, **told) == 200
        assert browser.get(ME).status_code == 401
        assert other.get(ME).status_code == 200


def test_a_session_that_the_provider_gave_no_name_ends_with_any_of_the_person(log_ins: LogIns) -> None:
    log_ins.provider.person.pop("sid", None)
    browser = log_ins.logged_in()
    log_ins.provider.change = lambda claims: claims.pop("sid", None)
    unnamed = log_ins.logged_in()
    assert message(log_ins, sid="another-session") == 200
    assert (browser.get(ME).status_code, unnamed.get(ME).status_code) == (200, 401)


def test_a_message_that_is_not_the_providers_ends_nothing(log_ins: LogIns) -> None:
    browser = log_ins.logged_in()
    late = int(time.time()) - 600
    for changed in (
        {"iss": "https://evil.example"},
        {"aud": "another"},
        {"iat": late},
        {"iat": None},
        {"exp": late},
        {"events": {}},
        {"events": {EVENT: 1}},
        {"nonce": "n"},
        {"jti": None},
        {"sub": None},
    ):
        assert message(log_ins, **changed) == 400, changed
    # no ID token is such a message
    assert log_ins.browser().post(ENDED, data={"logout_token": "a.b.c"}).status_code == 400
    assert browser.get(ME).status_code == 200


def test_a_message_that_the_store_could_not_follow_counts_when_it_comes_again(
    log_ins: LogIns, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = log_ins.logged_in()

    def away(*_: object) -> None:
        raise StoreUnavailable("the database does not answer")

    with monkeypatch.context() as changed:
        changed.setattr(Sessions, "end_of", away)
        assert message(log_ins, jti="same") == 503
    assert browser.get(ME).status_code == 200
    assert message(log_ins, jti="same") == 200
    assert browser.get(ME).status_code == 401


def test_a_message_counts_once(log_ins: LogIns) -> None:
    log_ins.logged_in()
    assert message(log_ins, jti="same") == 200
    browser = log_ins.logged_in()
    assert message(log_ins, jti="same") == 400
    assert browser.get(ME).status_code == 200
