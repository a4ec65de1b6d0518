"""The report on a period in the API and as a page: who may see it, its parts, and what is no period."""

from __future__ import annotations

import pytest

from tests.support.web_service import ServedStore

pytestmark = pytest.mark.neo4j


def test_those_who_read_the_ledger_see_it_in_parts(site: ServedStore) -> None:
    site.add_data()
    officer = site.client("officer")
    for names in (["sex"], ["age"], ["ill"]):
        assert officer.post("/api/v1/tables/survey/requests", json={"variables": names}).status_code < 300
    figures = officer.get("/api/v1/month-end").json()
    released = officer.get("/api/v1/month-end/released", params={"limit": 1}).json()
    assert "released" not in figures
    assert figures["totals"]["released"] + figures["totals"]["refused"] == 3
    assert len(released["items"]) == 1
    whole = officer.get("/api/v1/month-end/released").json()["items"]
    assert released["items"] + officer.get(released["next"]).json()["items"] == whole[:2]
    assert len(whole) == figures["totals"]["released"] > 1
    assert site.client("administrator").get("/api/v1/month-end").json()["totals"] == figures["totals"]
    for role in ("viewer", "requester"):
        assert site.client(role).get("/api/v1/month-end/views").status_code == 403
        assert site.logged_in(role).get("/month").status_code == 403
    assert officer.get("/api/v1/month-end/secrets").status_code == 404
    assert officer.get("/api/v1/month-end", params={"period": "october"}).status_code == 422
    page = site.logged_in("administrator").get("/month", params={"period": "october"})
    assert page.status_code == 422
    assert "is no period" in page.text
    reader = site.logged_in("officer")
    for period, gone, left in (("1970", "prev", "next"), ("9998", "next", "prev")):
        text = reader.get("/month", params={"period": period}).text
        assert (f'rel="{gone}"' in text, f'rel="{left}"' in text) == (False, True)
    ends = [
        reader.get("/ledger", params={"since": "0001-01-01", "until": last}) for last in ("9999-12-31", "1999-12-31")
    ]
    assert [(end.status_code, "/tables/survey" in end.text) for end in ends] == [(200, True), (200, False)]
    text = reader.get("/month", params={"rows": "all"}).text
    assert all(row["about"] in text for row in released["items"])
