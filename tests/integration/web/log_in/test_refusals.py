"""Answers that are not the provider's to this log-in in this browser: nobody is let in by one."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, RSAKey
from pydantic import SecretStr

from auditor.config import Settings
from auditor.store.connection import Connection
from auditor.web.security.oidc import pending
from auditor.web.security.rate import Buckets
from tests.integration.web.log_in.conftest import ANSWER, LogIns, service_with
from tests.support.emptying import emptied
from tests.support.provider import CLIENT, SECRET, OwnProvider, half_hash, own_provider

pytestmark = pytest.mark.neo4j

OTHER = RSAKey.generate_key(2048, {"kid": "first"})
COOKIE = "auditor-begun"


@pytest.fixture(scope="module")
def shared(neo4j_settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LogIns]:
    with Connection.open(neo4j_settings) as connection, own_provider() as provider:
        yield service_with(emptied(connection), neo4j_settings, Path(tmp_path_factory.mktemp("made")), provider)


@pytest.fixture
def log_ins(shared: LogIns) -> Iterator[LogIns]:
    """The service, with a provider as it was at first and nothing kept of it."""
    kept = vars(shared.provider)
    fresh = OwnProvider(url=kept["url"], key=kept["key"])
    kept.update(vars(fresh))
    shared.renew()
    yield shared
    # whatever was refused, the right answer would have been taken
    kept.update(vars(OwnProvider(url=kept["url"], key=kept["key"])))
    shared.renew()
    assert shared.tried().status_code == 200


def claims_with(log_ins: LogIns, **changed: Any) -> None:
    """Let ID tokens have other claims; None for none."""

    def change(claims: dict[str, Any]) -> None:
        claims.update(changed)
        for name in [name for name, value in claims.items() if value is None]:
            del claims[name]

    log_ins.provider.change = change


@dataclass(frozen=True)
class InSeconds:
    """A time from when the test runs on: one from when it was collected is another in each process."""

    seconds: int


@pytest.mark.parametrize(
    "changed",
    [
        {"iss": "https://id.example"},
        {"iss": None},
        {"aud": "another"},
        {"aud": None},
        {"aud": [CLIENT, "another"], "azp": CLIENT},
        {"azp": "another"},
        {"exp": InSeconds(-60)},
        {"exp": None},
        {"exp": "later"},
        {"iat": InSeconds(600)},
        {"iat": None},
        {"nbf": InSeconds(600)},
        {"nonce": "another"},
        {"nonce": None},
        {"nonce": ["another"]},
        {"sub": None},
        {"sub": ""},
        {"sub": 1},
        {"sub": "1\n2"},
        {"sub": "x" * 256},
        {"at_hash": half_hash("another")},
        {"at_hash": ""},
        {"at_hash": 1},
    ],
    ids=lambda changed: " ".join(f"{name}={str(value)[:20]}" for name, value in changed.items()),
)
def test_a_claim_that_does_not_fit(log_ins: LogIns, changed: dict[str, Any]) -> None:
    now = int(time.time())
    given = {name: now + one.seconds if isinstance(one, InSeconds) else one for name, one in changed.items()}
    claims_with(log_ins, **given)
    assert "could not be verified" in log_ins.refusal(log_ins.tried(), 400)


def test_another_audience_that_the_settings_allow_needs_azp(log_ins: LogIns) -> None:
    log_ins.renew(audience=("another",))
    claims_with(log_ins, aud=[CLIENT, "another"])
    log_ins.refusal(log_ins.tried(), 400)
    claims_with(log_ins, aud=[CLIENT, "another"], azp=CLIENT)
    assert log_ins.tried().status_code == 200


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post", "none"])
def test_a_client_proves_itself_as_the_provider_asks_for(log_ins: LogIns, method: str) -> None:
    log_ins.provider.methods = (method,)
    log_ins.renew(**({"client_secret": None} if method == "none" else {}))
    assert log_ins.tried().status_code == 200
    log_ins.renew(client_secret=SecretStr("another"))
    log_ins.refusal(log_ins.tried(), 400)


def test_clocks_may_differ_a_little(log_ins: LogIns) -> None:
    claims_with(log_ins, exp=int(time.time()) - 10, iat=int(time.time()) + 10)
    assert log_ins.tried().status_code == 200


def unsigned(header: dict[str, Any], claims: dict[str, Any]) -> str:
    parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in (header, claims)]
    return ".".join([*parts, ""])


def with_secret(secret: bytes, header: dict[str, Any], claims: dict[str, Any]) -> str:
    start = unsigned(header, claims).rstrip(".")
    digest = hmac.new(secret, start.encode(), hashlib.sha256).digest()
    return f"{start}.{base64.urlsafe_b64encode(digest).decode().rstrip('=')}"


@pytest.mark.parametrize("stated", [["RS256"], ["RS256", "HS256", "none"]])
@pytest.mark.parametrize("how", ["none", "secret", "public key as a secret", "other key", "other header", "altered"])
def test_a_signature_that_is_not_the_providers(log_ins: LogIns, how: str, stated: list[str]) -> None:
    provider = log_ins.provider
    provider.more["id_token_signing_alg_values_supported"] = stated
    hs = {"alg": "HS256"}
    provider.sign = {
        "none": lambda header, claims: unsigned({"alg": "none"}, claims),
        "secret": lambda header, claims: with_secret(SECRET.encode(), hs, claims),
        "public key as a secret": lambda header, claims: with_secret(provider.key.as_pem(private=False), hs, claims),
        "other key": lambda header, claims: jwt.encode(header, claims, OTHER),
        "other header": lambda header, claims: jwt.encode(
            {**header, "jwk": OTHER.as_dict(private=False), "jku": "https://evil.example"}, claims, OTHER
        ),
        "altered": lambda header, claims: (
            unsigned(header, {**claims, "sub": "2"}) + jwt.encode(header, claims, provider.key).rpartition(".")[2]
        ),
    }[how]
    assert "could not be verified" in log_ins.refusal(log_ins.tried(), 400)


def test_an_algorithm_that_the_provider_does_not_state(log_ins: LogIns) -> None:
    key = ECKey.generate_key("P-256", {"kid": "first"})
    log_ins.provider.published = [{**key.as_dict(private=False), "kid": "first"}]
    log_ins.provider.sign = lambda header, claims: jwt.encode({"alg": "ES256", "kid": "first"}, claims, key)
    log_ins.refusal(log_ins.tried(), 400)
    log_ins.provider.more["id_token_signing_alg_values_supported"] = ["ES256"]
    log_ins.renew()
    assert log_ins.tried().status_code == 200


@pytest.mark.parametrize("change", [{"use": "enc"}, {"alg": "RS512"}, {"kty": "oct", "k": "AAAA"}, {"n": "AQ"}])
def test_a_key_that_is_not_for_such_signatures(log_ins: LogIns, change: dict[str, str]) -> None:
    key = log_ins.provider.key
    log_ins.provider.published = [{**key.as_dict(private=False), "kid": key.kid, **change}]
    log_ins.refusal(log_ins.tried(), 400)


@pytest.mark.filterwarnings("ignore:Key size")
def test_a_key_that_is_too_short(log_ins: LogIns) -> None:
    short = RSAKey.generate_key(1024, {"kid": "first"})
    log_ins.provider.published = [{**short.as_dict(private=False), "kid": "first"}]
    log_ins.provider.sign = lambda header, claims: jwt.encode(header, claims, short)
    log_ins.refusal(log_ins.tried(), 400)


def test_new_keys_are_asked_for_once_when_a_token_names_an_unknown_one(log_ins: LogIns) -> None:
    now = [0.0]
    log_ins.client.provider._clock = lambda: now[0]
    assert log_ins.tried().status_code == 200
    log_ins.provider.header["kid"] = "second"
    now[0] = 5.0
    for _ in range(3):
        log_ins.refusal(log_ins.tried(), 400)
    assert log_ins.provider.asked.count("/keys") == 1
    now[0] = 20.0
    log_ins.refusal(log_ins.tried(), 400)
    assert log_ins.provider.asked.count("/keys") == 2
    log_ins.provider.published = [{**log_ins.provider.key.as_dict(private=False), "kid": "second"}]
    now[0] = 40.0
    assert log_ins.tried().status_code == 200
    assert log_ins.provider.asked.count("/keys") == 3


def test_a_token_without_a_kid_is_tried_with_every_key(log_ins: LogIns) -> None:
    keys = [OTHER, log_ins.provider.key]
    log_ins.provider.published = [{**key.as_dict(private=False), "kid": str(i)} for i, key in enumerate(keys)]
    del log_ins.provider.header["kid"]
    assert log_ins.tried().status_code == 200


def test_a_state_is_good_for_one_answer(log_ins: LogIns) -> None:
    browser = log_ins.browser()
    given = log_ins.begun(browser)
    kept = browser.cookies[COOKIE]
    assert browser.get(ANSWER, params=given).status_code == 200
    # also with the cookie as it was, and a fresh code
    browser.cookies.set(COOKIE, kept)
    again = {**given, "code": log_ins.provider.authorize(f"x?state={given['state']}&nonce=n")["code"]}
    assert "has been used" in log_ins.refusal(browser.get(ANSWER, params=again), 400)


def test_an_answer_for_another_browser(log_ins: LogIns) -> None:
    """Somebody lets another one follow a link that would log them in as the first."""
    mine = log_ins.begun(log_ins.browser())
    victim = log_ins.browser()
    log_ins.refusal(victim.get(ANSWER, params=mine), 400)
    log_ins.begun(victim)
    log_ins.refusal(victim.get(ANSWER, params=log_ins.begun(log_ins.browser())), 400)


@pytest.mark.parametrize("state", ["", "guessed", None])
def test_a_state_that_nobody_was_sent_with(log_ins: LogIns, state: str | None) -> None:
    browser = log_ins.browser()
    given = {name: value for name, value in {**log_ins.begun(browser), "state": state}.items() if value is not None}
    log_ins.refusal(browser.get(ANSWER, params=given), 400)


def test_an_answer_that_comes_too_late(log_ins: LogIns) -> None:
    browser = log_ins.browser()
    given = log_ins.begun(browser)
    log_ins.client.pending._clock = lambda: time.monotonic() + pending.SECONDS
    log_ins.refusal(browser.get(ANSWER, params=given), 400)


def test_a_code_that_was_given_to_another_log_in(log_ins: LogIns) -> None:
    """PKCE: a stolen code cannot be redeemed without what the other browser began with."""
    stolen = log_ins.begun(log_ins.browser())["code"]
    log_ins.refusal(log_ins.tried(code=stolen), 400)


def test_an_answer_of_another_provider(log_ins: LogIns) -> None:
    assert "another provider" in log_ins.refusal(log_ins.tried(iss="https://evil.example"), 400)
    assert log_ins.tried(iss=log_ins.provider.url).status_code == 200
    log_ins.provider.more["authorization_response_iss_parameter_supported"] = True
    log_ins.renew()
    log_ins.refusal(log_ins.tried(), 400)
    assert log_ins.tried(iss=log_ins.provider.url).status_code == 200


def test_a_parameter_that_is_there_twice(log_ins: LogIns) -> None:
    browser = log_ins.browser()
    given = log_ins.begun(browser)
    log_ins.refusal(browser.get(ANSWER, params=[*given.items(), ("state", "other")]), 400)


def test_a_provider_that_says_no(log_ins: LogIns) -> None:
    browser = log_ins.browser()
    told = {"error": "access_denied", "error_description": "<b>CANARY</b>", "state": log_ins.begun(browser)["state"]}
    page = browser.get(ANSWER, params=told)
    log_ins.refusal(page, 400)
    assert "CANARY" not in page.text


@pytest.mark.parametrize(
    "more",
    [
        {"issuer": "https://evil.example"},
        {"authorization_endpoint": "http://evil.example/authorize"},
        {"token_endpoint": "javascript:alert(1)"},
        {"jwks_uri": None},
        {"id_token_signing_alg_values_supported": ["HS256", "none"]},
    ],
    ids=lambda more: next(iter(more)),
)
def test_a_provider_that_describes_itself_wrongly(log_ins: LogIns, more: dict[str, Any]) -> None:
    log_ins.provider.more = more
    log_ins.refusal(log_ins.browser().get("/login/provider"), 503)


@pytest.mark.parametrize("path", ["/token", "/keys"])
@pytest.mark.parametrize("answer", [(500, "{}"), (200, "no json"), (200, "[1]"), (200, "[" * 100_000), (302, "{}")])
def test_what_a_provider_answers_wrongly_is_a_page(log_ins: LogIns, path: str, answer: object) -> None:
    log_ins.provider.broken[path] = answer
    answered = log_ins.tried()
    assert answered.status_code in (400, 503)
    assert "Not logged in" in answered.text


@pytest.mark.parametrize(
    "next", ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/a\nb"]
)
def test_it_leads_to_pages_of_this_service_alone(log_ins: LogIns, next: str) -> None:
    browser = log_ins.browser()
    page = browser.get(ANSWER, params=log_ins.begun(browser, next))
    assert 'content="0; url=/"' in page.text


def test_where_to_go_afterwards_is_not_kept_if_it_is_too_long(log_ins: LogIns) -> None:
    browser = log_ins.browser()
    page = browser.get(ANSWER, params=log_ins.begun(browser, "/tables?" + "x" * 2000))
    assert 'content="0; url=/"' in page.text


def test_one_address_begins_no_more_log_ins_than_people_do(log_ins: LogIns) -> None:
    log_ins.site.app.state.begun = Buckets(per_second=0.001, size=3)
    browser = log_ins.browser()
    assert [browser.get("/login/provider").status_code for _ in range(4)] == [303, 303, 303, 429]
    log_ins.site.app.state.begun = Buckets(per_second=2, size=300)


def test_another_sites_page_begins_no_log_in(log_ins: LogIns) -> None:
    answer = log_ins.browser().get("/login/provider", headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.headers["Location"] == "/login"
    assert "Set-Cookie" not in answer.headers


def test_a_session_that_somebody_else_chose_is_not_taken_over(log_ins: LogIns) -> None:
    browser = log_ins.browser()
    browser.cookies.set("auditor", "chosen-by-somebody-else")
    given = log_ins.begun(browser)
    new = browser.get(ANSWER, params=given).headers.get_list("Set-Cookie")
    (session,) = [one for one in new if one.startswith("auditor=")]
    assert "chosen" not in session
    assert all(word in session for word in ("HttpOnly", "SameSite=strict"))
    again = log_ins.browser()
    again.cookies.set("auditor", "chosen-by-somebody-else")
    assert again.get("/api/v1/me").status_code == 401


def test_failures_are_limited_by_address(log_ins: LogIns) -> None:
    for _ in range(10):
        # as another site's page can let any browser do
        log_ins.browser().get(ANSWER, params={"state": "guessed", "code": "x"})
    assert log_ins.browser().get("/login/provider").status_code == 303
    for _ in range(10):
        browser = log_ins.browser()
        browser.cookies.set(COOKIE, "guessed")
        browser.get(ANSWER, params={"state": "guessed", "code": "x"})
    assert log_ins.browser().get("/login/provider").status_code == 429
