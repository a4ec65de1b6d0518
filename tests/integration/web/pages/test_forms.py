"""Forms: refused unless a page of ours sent them, and shown to whoever may send them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import httpx2 as httpx
import pytest

from auditor.audits.repository import Audits
from auditor.store.opening import Store
from auditor.web.app import create_app
from tests.support.furnished_store import HARMFUL, furnish, page_paths
from tests.support.routes import every_route
from tests.support.web_pages import ServedPages

pytestmark = pytest.mark.neo4j


@pytest.fixture(scope="module")
def furnished(pages: ServedPages, module_store: Store, tmp_path_factory: pytest.TempPathFactory) -> ServedPages:
    furnish(module_store, Path(tmp_path_factory.mktemp("furniture")))
    return pages


@contextmanager
def logged_in(served: ServedPages, person: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=served.url, timeout=60) as client:
        answer = client.post("/login", data={"token": served.people[person]})
        assert answer.status_code == 303
        yield client


def csrf_of(client: httpx.Client) -> str:
    found = re.search('name="csrf" value="([^"]+)"', client.get("/policy").text)
    assert found is not None
    return found[1]


def form_paths(served: ServedPages) -> list[str]:
    """Addresses of all forms of pages that change something."""
    found = []
    for route, _ in every_route(create_app(served.service)):
        method, _, path = route.partition(" ")
        if method == "POST" and not path.startswith("/api/") and path != "/login":
            found.append(path.replace("{name:path}", "x").replace("{name}", "x").replace("{id}", "x"))
    return found


def test_a_form_that_no_page_of_ours_sent_is_refused(furnished: ServedPages) -> None:
    paths = form_paths(furnished)
    assert len(paths) > 20
    before = furnished.store.ledger.show(1)[0].seq
    with logged_in(furnished, "ann") as officer:
        csrf = csrf_of(officer)
        for path in paths:
            sent = (
                ({}, {}),
                ({"csrf": csrf[:-1] + "x"}, {}),
                ({"csrf": csrf}, {"Origin": "http://elsewhere.example"}),
                ({"csrf": csrf}, {"Sec-Fetch-Site": "cross-site"}),
            )
            for data, headers in sent:
                # a route may find out first that a field is missing
                assert officer.post(path, data=data, headers=headers).status_code in (403, 422), path
        # and with everything that it needs
        fields = {"k": "2", "person": "x", "role": "viewer", "fingerprint": "x", "reason": "x", "until": "2099-01-01"}
        assert officer.post("/networks/x/anonymize", data=fields).status_code == 403
        assert officer.post("/findings/waive", data=fields).status_code == 403
        assert officer.post("/tokens", data=fields).status_code == 403
        assert officer.get("/").status_code == 200
    assert furnished.store.ledger.show(1)[0].seq == before


def test_a_form_that_cannot_be_done_is_shown_again_with_the_reason(furnished: ServedPages) -> None:
    with logged_in(furnished, "ann") as officer:
        csrf = csrf_of(officer)
        for path, data, status, words in (
            ("/findings/waive", {"fingerprint": "none", "reason": "x", "until": "2099-01-01"}, 404, "no latest audit"),
            (
                "/findings/waive",
                {"fingerprint": "none", "reason": "x", "until": "2000-01-01"},
                422,
                "some time to come",
            ),
            ("/schedules", {"name": "x", "cron": "0 25 * * *", "timezone": "UTC", "subject": "table:x"}, 422, "hour"),
            (f"/networks/{quote(HARMFUL, safe='')}/anonymize", {"k": "1"}, 422, "k"),
            (f"/networks/{quote(HARMFUL, safe='')}/anonymize", {"k": "2"}, 409, "requires k = 5"),
        ):
            answer = officer.post(path, data={**data, "csrf": csrf})
            assert (answer.status_code, words in answer.text) == (status, True), (path, answer.text)
            assert "Traceback" not in answer.text
        file = {"file": ("x.csv", b"a,count\nx,-1\n")}
        answer = officer.post("/tables", data={"name": HARMFUL, "csrf": csrf}, files=file)
        assert answer.status_code == 422
        assert 'role="alert"' in answer.text


def test_controls_are_for_who_may_use_them(furnished: ServedPages) -> None:
    forms = re.compile('<form[^>]*method="post"[^>]*action="([^"]+)"')
    with logged_in(furnished, "vera") as viewer:
        for path in page_paths(furnished.store):
            answer = viewer.get(path)
            if answer.status_code == 200:
                assert set(forms.findall(answer.text)) <= {"/logout"}, path
        assert viewer.get("/ledger").status_code == 403
    with logged_in(furnished, "rob") as requester:
        shown = set()
        for path in page_paths(furnished.store):
            shown |= set(forms.findall(requester.get(path).text))
        assert {action.rpartition("/")[2] for action in shown} == {"logout", "request"}


def test_protected_figures_are_on_no_page_before_somebody_asked(furnished: ServedPages) -> None:
    # what the officer may see is shown on request: of the findings not where they are, of the table no interval
    with logged_in(furnished, "ann") as officer:
        for path in page_paths(furnished.store):
            text = officer.get(path).text
            assert "chart" not in re.findall('<svg class="([a-z]+)"', text), path
            # the documentation explains what is shown then
            assert path.startswith("/help/") or "exactly determined" not in text, path
        audit = Audits(furnished.store).list(f"network:{HARMFUL}")[0]
        text = officer.get(f"/audits/{audit.id}").text
        assert all(finding.message not in text for finding in audit.findings)


def test_who_is_not_logged_in_is_asked_to_and_comes_back(furnished: ServedPages) -> None:
    with httpx.Client(base_url=furnished.url) as nobody:
        answer = nobody.get("/tables/x?y=1")
        assert (answer.status_code, answer.headers["Location"]) == (303, "/login?next=%2Ftables%2Fx%3Fy%3D1")
        answer = nobody.post("/login", data={"token": furnished.people["ann"], "next": "/tables"})
        assert (answer.status_code, answer.headers["Location"]) == (303, "/tables")
