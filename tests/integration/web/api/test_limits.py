"""Too much, too often, not what it says, under another name: refused with a problem, never with a trace."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from auditor.access.tokens import Tokens
from auditor.audits.overview import Overview
from auditor.config import Settings
from auditor.store import Store
from auditor.web.service import Limits
from tests.support.web_service import ServedStore, served

pytestmark = pytest.mark.neo4j

TABLES = "/api/v1/tables"


def problem(answer: object) -> dict[str, object]:
    assert answer.headers["Content-Type"] == "application/problem+json"  # type: ignore[attr-defined]
    found: dict[str, object] = json.loads(answer.text)  # type: ignore[attr-defined]
    assert "Traceback" not in str(found)
    return found


@pytest.fixture
def narrow(store: Store, neo4j_settings: Settings, tmp_path: Path) -> ServedStore:
    return served(store, neo4j_settings, tmp_path, limits=Limits(body=1000, upload=5000, per_second=0.01, burst=30))


def test_a_body_that_is_too_large_is_refused_whatever_it_says(narrow: ServedStore) -> None:
    client = narrow.client("officer")
    assert problem(client.post("/api/v1/waivers", content=b"x" * 1001))["status"] == 413
    chunks = (b"x" * 600 for _ in range(3))
    assert problem(client.post("/api/v1/waivers", content=chunks))["status"] == 413
    answer = client.post(TABLES, data={"name": "t"}, files={"file": ("t.csv", b"a,count\n" + b"x,1\n" * 2000)})
    assert problem(answer)["status"] == 413


def test_whoever_asks_too_often_is_told_when_to_come_again(narrow: ServedStore) -> None:
    client = narrow.client("viewer")
    # the first one counts for the address: nobody had shown before that the token is one
    answers = [client.get("/api/v1/me") for _ in range(32)]
    assert [answer.status_code for answer in answers] == [200] * 31 + [429]
    assert int(answers[-1].headers["Retry-After"]) >= 1
    # another person still may
    assert narrow.client("officer").get("/api/v1/me").status_code == 200


def test_another_cookie_is_no_other_who_asks(narrow: ServedStore) -> None:
    client = narrow.client()
    for shown in ("Cookie", "Authorization"):
        answers = [client.get("/api/v1/me", headers={shown: f"Bearer {n}" if n else ""}) for n in range(40)]
        assert answers[-1].status_code == 429
    # who shows a valid token is not kept out by that
    assert _known(narrow, "officer").get("/api/v1/me").status_code == 200


def test_all_sessions_of_a_token_are_one(narrow: ServedStore) -> None:
    first, second = narrow.logged_in("viewer"), narrow.logged_in("viewer")
    for client in (first, second):
        client.get("/api/v1/me")
    statuses = [
        client.get("/api/v1/me", headers={"X": "y"}).status_code for _ in range(14) for client in (first, second)
    ]
    assert statuses.count(429) == 0
    answers = [narrow.client("viewer").get("/api/v1/me").status_code for _ in range(10)]
    assert answers[-1] == 429
    assert second.get("/api/v1/me").status_code == 429


def _known(site: ServedStore, role: str) -> TestClient:
    """Return a client whose token the service has seen."""
    token = Tokens(site.store).find(site.secrets[role])
    assert token is not None
    site.app.state.known.note(site.secrets[role], token.id)
    return site.client(role)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "testserver:80@evil.example", ""])
def test_a_name_that_is_not_ours_is_refused(site: ServedStore, host: str) -> None:
    assert site.client("viewer").get("/api/v1/me", headers={"Host": host}).status_code == 400


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "application/json"),
        (b"{", "application/json"),
        (b"\xff\xfe", "application/json"),
        (b"[" * 100_000, "application/json"),
        (b"null", "application/json"),
        (b'{"variables": ["sex"]}', "text/plain"),
        (b'{"variables": "sex"}', "application/json"),
        (b'{"variables": [], "more": 1}', "application/json"),
        (b'{"variables": ["sex"], "merged": {"sex": [[1e400]]}}', "application/json"),
    ],
)
def test_a_body_that_is_none_is_told_without_its_content(site: ServedStore, content: bytes, kind: str) -> None:
    site.add_data()
    answer = site.client("officer").post(f"{TABLES}/survey/requests", content=content, headers={"Content-Type": kind})
    assert answer.status_code in (400, 415, 422)
    problem(answer)


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "..", ".", "", "a\x00b", "a\nb", "x" * 5000, "-rf", "C:\\x.csv", "/etc/passwd.csv"]
)
def test_a_path_in_the_name_of_a_file_leads_nowhere(site: ServedStore, name: str, tmp_path: Path) -> None:
    answer = site.client("officer").post(TABLES, data={"name": "t"}, files={"file": (name, b"sex,count\nf,20\nm,30\n")})
    assert answer.status_code in (201, 400, 422)
    if answer.status_code == 201:
        assert "/" not in answer.json()["source"]
        assert "\\" not in answer.json()["source"]


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/%2e%2e/service.py", "/static//etc/passwd", "/static/"],
)
def test_no_file_but_ours_is_served(site: ServedStore, path: str) -> None:
    answer = site.client("officer").get(path)
    assert answer.status_code in (303, 404, 405)
    assert b"import" not in answer.content


@pytest.mark.parametrize("name", ["a%0d%0aSet-Cookie:%20x=1", "a%250d%250aSet-Cookie:x", "<script>alert(1)</script>"])
def test_a_name_becomes_no_header(site: ServedStore, name: str) -> None:
    client = site.client("officer")
    answer = client.get(f"{TABLES}/{name}")
    assert answer.status_code == 404
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("kind", ["tables", "networks"])
def test_a_file_that_cannot_be_read_is_told_by_its_name_and_not_by_where_it_lay(site: ServedStore, kind: str) -> None:
    files = {"file": ("votes.csv", b"a,b,c\n1,2\n")}
    detail = problem(site.client("officer").post(f"/api/v1/{kind}", data={"name": "t"}, files=files))["detail"]
    assert "votes.csv" in str(detail)
    assert "/votes.csv" not in str(detail)


def test_what_goes_wrong_inside_is_told_by_its_class_alone(
    site: ServedStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(_: object) -> None:
        raise ValueError("the count of the cell is 471147114711")

    monkeypatch.setattr(Overview, "changes", fails)
    answer = site.client("viewer").get("/api/v1/overview")
    assert answer.status_code == 500
    assert "471147114711" not in answer.text + caplog.text
    assert "ValueError" in caplog.text


def test_every_answer_tells_browsers_what_they_may(site: ServedStore) -> None:
    client = site.client()
    for path in ("/login", "/api/v1/me", "/static/style.css", "/nothing"):
        headers = client.get(path).headers
        assert "script-src 'self'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
    assert client.get("/login").headers["Cache-Control"] == "no-store"
