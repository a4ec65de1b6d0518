"""People who log in at a provider: who they are here, what they may, when it ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from time import monotonic
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from fastapi.testclient import TestClient

from auditor.access.tokens import Tokens
from auditor.exports.destination import Destination
from auditor.policy import Policy
from auditor.subjects.networks.exports.exporting import ExportRequest, StoredNetwork, export_network
from auditor.subjects.networks.repository import Networks
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.web.security.sessions import Sessions
from tests.integration.web.log_in.conftest import ANSWER, LogIns

pytestmark = pytest.mark.neo4j

ME = "/api/v1/me"
OVERVIEW = "/api/v1/overview"


def test_somebody_logs_in_and_has_the_role_of_the_group(log_ins: LogIns) -> None:
    browser = log_ins.browser()
    assert "Log in with your organization" in browser.get("/login").text
    sent = browser.get("/login/provider", params={"next": "/tables"})
    asked = {name: value for name, (value,) in parse_qs(urlsplit(sent.headers["Location"]).query).items()}
    assert asked["response_type"] == "code"
    assert asked["code_challenge_method"] == "S256"
    assert asked["scope"] == "openid profile"
    assert asked["redirect_uri"] == f"http://localhost:8321{ANSWER}"
    back = browser.get(ANSWER, params=log_ins.provider.authorize(sent.headers["Location"]))
    assert back.status_code == 200
    assert 'content="0; url=/tables"' in back.text
    me = browser.get(ME).json()
    assert (me["person"], me["role"]) == ("Ann Lee", "officer")
    entry = log_ins.site.store.ledger.show(1)[0]
    assert (entry.kind, entry.actor) == ("logged_in", "Ann Lee")
    told = json.loads(entry.payload)
    assert (told["issuer"], told["subject"], told["role"]) == (log_ins.provider.url, "1", "officer")


def test_the_first_line_of_the_settings_with_a_group_decides(log_ins: LogIns) -> None:
    assert log_ins.logged_in(groups=["b", "x", "a"]).get(ME).json()["role"] == "officer"
    assert log_ins.logged_in(groups="b").get(ME).json()["role"] == "viewer"


def test_groups_may_be_in_the_answer_about_the_person_alone(log_ins: LogIns) -> None:
    log_ins.provider.person = {"sub": "1"}
    log_ins.provider.userinfo = {"sub": "1", "preferred_username": "Ann Lee", "groups": ["b"]}
    assert log_ins.logged_in().get(ME).json()["role"] == "viewer"
    log_ins.provider.userinfo["sub"] = "2"
    log_ins.refusal(log_ins.tried(), 400)


def test_who_is_in_no_group_has_no_right_and_reads_why(log_ins: LogIns) -> None:
    log_ins.provider.person["groups"] = ["others", {"a": "a"}, 1]
    before = log_ins.site.store.ledger.show(1)
    assert "no group that may use this service" in log_ins.refusal(log_ins.tried(), 403)
    # of a stranger nothing is kept
    assert log_ins.site.store.ledger.show(1) == before
    del log_ins.provider.person["groups"]
    log_ins.refusal(log_ins.tried(), 403)


def test_who_left_the_groups_is_out_everywhere_and_may_come_back(log_ins: LogIns) -> None:
    browser = log_ins.logged_in()
    log_ins.provider.person["groups"] = []
    log_ins.refusal(log_ins.tried(), 403)
    assert browser.get(OVERVIEW).status_code == 401
    assert log_ins.site.store.ledger.show(1)[0].kind == "log_in_ended"
    assert log_ins.logged_in(groups=["a"]).get(OVERVIEW).status_code == 200
    assert browser.get(OVERVIEW).status_code == 401


def test_a_revocation_here_holds(log_ins: LogIns) -> None:
    browser = log_ins.logged_in()
    (token,) = [one for one in Tokens(log_ins.site.store).list() if one.issuer is not None]
    Tokens(log_ins.site.store).revoke(token.id, actor="test")
    assert browser.get(OVERVIEW).status_code == 401
    assert "revoked here" in log_ins.refusal(log_ins.tried(), 400)


def test_who_left_may_be_kept_out_for_good(log_ins: LogIns) -> None:
    log_ins.logged_in()
    log_ins.refusal(log_ins.tried_as(groups=[]), 403)
    (token,) = [one for one in Tokens(log_ins.site.store).list() if one.issuer is not None]
    Tokens(log_ins.site.store).revoke(token.id, actor="test")
    assert log_ins.site.store.ledger.show(1)[0].kind == "token_revoked"
    assert "revoked here" in log_ins.refusal(log_ins.tried_as(groups=["a"]), 400)


def test_roles_are_looked_at_again_in_time(with_provider: Callable[..., LogIns]) -> None:
    log_ins = with_provider(recheck_minutes=30)
    browser = log_ins.logged_in()
    now = log_ins.site.store.ledger.clock
    log_ins.site.store.ledger.clock = lambda: now() + timedelta(minutes=29)
    assert browser.get(OVERVIEW).status_code == 200
    log_ins.site.store.ledger.clock = lambda: now() + timedelta(minutes=31)
    assert browser.get(OVERVIEW).status_code == 401


def test_another_role_counts_at_once_in_every_session(log_ins: LogIns) -> None:
    browser = log_ins.logged_in()
    log_ins.logged_in(groups=["b"])
    assert browser.get(ME).json()["role"] == "viewer"


def test_a_subject_is_a_person_whatever_the_name(log_ins: LogIns) -> None:
    log_ins.logged_in()
    log_ins.logged_in(preferred_username="Ann Ray")
    (token,) = [one for one in Tokens(log_ins.site.store).list() if one.issuer is not None]
    assert token.person == "Ann Ray"


def test_a_name_of_another_person_or_of_nobody_is_refused(log_ins: LogIns) -> None:
    log_ins.logged_in(sub="0")
    for name in ("officer", "OFFICER ", "\u043efficer", "Ann  Lee", "Ann\u3164", "Ann\nLee", "", 7, "x" * 101):
        log_ins.renew()
        said = log_ins.refusal(log_ins.tried_as(sub="1", preferred_username=name), 403)
        assert "You are this subject: 1" in said, name


def test_a_name_in_the_records_is_somebodys(log_ins: LogIns, tmp_path: Path) -> None:
    log_ins.site.add_data()
    store = log_ins.site.store
    answer_request(store, MarginalRequest("survey", ["sex"], Policy(), by="Dan Ray", actor="Eve Ray"), clock=monotonic)
    request = ExportRequest(2, Destination(tmp_path / "2.csv"), Policy(), "Fay Ray")
    export_network(StoredNetwork(store, Networks(store).show("friends")), request)
    for name in ("Dan Ray", "eve ray", "Fay Ray"):
        log_ins.renew()
        log_ins.refusal(log_ins.tried_as(preferred_username=name), 403)
    log_ins.renew(people={"1": "Dan Ray"})
    assert log_ins.logged_in().get(ME).json()["person"] == "Dan Ray"


def test_a_mapping_that_was_taken_back_is_not_in_force(with_provider: Callable[..., LogIns]) -> None:
    log_ins = with_provider(people={"1": "officer"})
    log_ins.logged_in()
    log_ins.renew(people={})
    log_ins.refusal(log_ins.tried_as(preferred_username="officer"), 403)


def test_the_settings_say_who_a_subject_is(with_provider: Callable[..., LogIns]) -> None:
    log_ins = with_provider(people={"1": "officer"})
    assert log_ins.logged_in(preferred_username="whatever").get(ME).json()["person"] == "officer"
    log_ins.refusal(log_ins.tried_as(sub="2", preferred_username="officer"), 403)


def test_names_of_the_provider_may_be_those_of_tokens(with_provider: Callable[..., LogIns]) -> None:
    log_ins = with_provider(trust_names=True)
    assert log_ins.logged_in(preferred_username="officer").get(ME).json()["person"] == "officer"
    # a name that went to somebody else at the provider
    log_ins.refusal(log_ins.tried_as(sub="2"), 403)
    log_ins.refusal(log_ins.tried_as(sub="3", preferred_username="\u043efficer"), 403)


def test_no_text_shown_as_a_token_is_somebody_of_the_provider(log_ins: LogIns) -> None:
    log_ins.logged_in()
    for text in (f"{log_ins.provider.url}\n1", "oidc:1"):
        assert Tokens(log_ins.site.store).find(text) is None


def test_a_provider_that_is_away_keeps_nobody_from_a_token(log_ins: LogIns) -> None:
    log_ins.provider.broken["/.well-known/openid-configuration"] = (502, "<html>")
    for _ in range(12):
        said = log_ins.refusal(log_ins.browser().get("/login/provider"), 503)
    assert "does not answer" in said
    # it is left alone for a while
    assert len(log_ins.provider.asked) == 1
    assert log_ins.browser().post("/login", data={"token": log_ins.site.secrets["viewer"]}).status_code == 303


def test_without_a_provider_there_are_no_such_pages(site: object) -> None:
    client = site.client()  # type: ignore[attr-defined]
    assert "Log in with" not in client.get("/login").text.replace("Log in with the token", "")
    assert client.get("/login/provider").status_code == 404
    assert client.get(ANSWER, params={"code": "1", "state": "1"}).status_code == 404
    assert client.post("/login/provider/ended", data={"logout_token": "x"}).status_code == 404


BOTH = Policy.model_validate({"exports": {"marginal_approval": "second-person"}})


def test_one_human_by_token_and_at_the_provider_is_no_second_person(with_provider: Callable[..., LogIns]) -> None:
    log_ins = with_provider()
    site = log_ins.site
    site.service.policy = BOTH
    site.add_data()
    token = site.client(site.token("ann", "officer"))
    asked = token.post("/api/v1/tables/survey/requests", json={"variables": ["sex"]}).json()["approval"]
    path = f"/api/v1/approvals/{asked}/approve"

    def approved(browser: TestClient) -> httpx2.Response:
        found = Sessions(site.store).find(browser.cookies["auditor"])
        assert found is not None
        return browser.post(path, headers={"X-CSRF-Token": found[0].csrf})

    refused = approved(log_ins.logged_in())
    assert refused.status_code == 409
    assert "could be one person" in refused.json()["detail"]
    log_ins.renew(people={"1": "ann"})
    assert "yourself" in approved(log_ins.logged_in()).json()["detail"]
    # the settings say that the other one is nobody with a token
    log_ins.renew(people={"1": "ann", "2": "Bob Ray"})
    assert approved(log_ins.logged_in(sub="2", preferred_username="Bob Ray")).json()["state"] == "approved"
