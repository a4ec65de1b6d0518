"""What follows from what is out waits for nobody: its page says so, and its file is there."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from auditor.policy import Policy
from tests.support.web_service import ServedStore

pytestmark = pytest.mark.neo4j

V1 = "/api/v1/tables/survey"
COUNTS = "sex,count\nf,48\nm,39\n"


@pytest.fixture
def careful(site: ServedStore) -> ServedStore:
    """A service whose policy asks for a second person."""
    site.service.policy = Policy.model_validate(
        {"exports": {"marginal_approval": "second-person"}, "table": {"threshold": 2, "min_width": 1}}
    )
    site.add_data()
    return site


def pending(client: TestClient, *names: str) -> str:
    """Ask for a marginal, and return what it waits for."""
    return str(client.post(f"{V1}/requests", json={"variables": names}).json()["approval"])


def test_an_implied_marginal_waits_for_nobody(careful: ServedStore) -> None:
    officer = careful.client("officer")
    small, big = (
        officer.post(f"{V1}/requests", json={"variables": names}).json()["approval"]
        for names in (["sex"], ["sex", "age"])
    )
    page = careful.logged_in("officer").get("/tables/survey/marginal?v=sex").text
    assert "awaits approval" in page
    other = careful.client(careful.token("olga", "officer"))
    assert other.post(f"/api/v1/approvals/{big}/approve").json()["state"] == "approved"
    assert officer.get(f"/api/v1/approvals/{small}").json()["state"] == "implied"
    assert officer.post(f"{V1}/released-counts", json={"variables": ["sex"]}).text == COUNTS
    session = careful.logged_in("officer")
    page = session.get("/tables/survey/marginal?v=sex").text
    assert "It follows from released marginals" in page
    assert "waits" not in page.partition("<main")[2]
    assert session.get("/tables/survey/marginal.csv?v=sex").text == COUNTS
    assert "marginal.csv" in session.get(f"/approvals/{small}").text
    # one variable of the three does not follow
    assert officer.post(f"{V1}/released-counts", json={"variables": ["ill"]}).status_code == 404


def test_one_that_an_earlier_version_left_waiting_is_decided_as_implied(careful: ServedStore) -> None:
    officer, other = careful.client("officer"), careful.client(careful.token("olga", "officer"))
    small, big = (
        officer.post(f"{V1}/requests", json={"variables": names}).json()["approval"]
        for names in (["sex"], ["sex", "age"])
    )
    other.post(f"/api/v1/approvals/{big}/approve")
    careful.store.connection.execute(
        "MATCH (a:AuditorApproval {id: $id}) SET a.state = 'pending', a.decided_at = null", id=small
    )
    page = careful.logged_in("officer").get("/tables/survey/marginal?v=sex").text
    assert "awaits approval" not in page
    assert officer.post(f"{V1}/released-counts", json={"variables": ["sex"]}).text == COUNTS
    assert other.post(f"/api/v1/approvals/{small}/approve").json()["state"] == "approved"


def test_merged_categories_follow_too(careful: ServedStore) -> None:
    careful.service.policy = Policy.model_validate({"table": {"threshold": 2, "min_width": 1}})
    officer = careful.client("officer")
    content = b"age,sex,count\n0,f,20\n0,m,30\n1,f,40\n1,m,50\n2,f,60\n2,m,70\n"
    officer.post("/api/v1/tables", data={"name": "ages"}, files={"file": ("ages.csv", content)})
    asked = {"variables": ["age"], "merged": {"age": [["1", "2"]]}}
    assert officer.post("/api/v1/tables/ages/released-counts", json=asked).status_code == 404
    given = officer.post("/api/v1/tables/ages/requests", json={"variables": ["age", "sex"]}).json()
    assert given["answer"] == "release", given
    counts = officer.post("/api/v1/tables/ages/released-counts", json=asked).text
    assert counts.splitlines()[1:] == ["0,50", "1 + 2,220"]
    assert (
        "It follows from released marginals"
        in careful.logged_in("officer").get("/tables/ages/marginal?v=age&m=0:1%2B2").text
    )
