"""The page of a marginal says what was remarked on its request, and how to go on after a refusal."""

from __future__ import annotations

import html
import time

import pytest

from auditor.policy import Policy
from auditor.subjects.tables.policy import TablePolicy
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.subjects.tables.repository import Tables
from tests.support.cube import cube
from tests.support.web_service import ServedStore

pytestmark = pytest.mark.neo4j


def test_a_laxer_policy_and_the_way_on_are_on_the_page(site: ServedStore) -> None:
    Tables(site.store).add("cube", cube(), source="f", actor="ada")
    strict = Policy(table=TablePolicy(threshold=4))
    answer_request(site.store, MarginalRequest("cube", ["A", "B"], strict, by="ann", actor="ada"), clock=time.monotonic)
    api = site.client("officer")
    for variables, answer in (("AC", "release"), ("BC", "refuse")):
        told = api.post("/api/v1/tables/cube/requests", json={"variables": [*variables]}).json()
        assert told["answer"] == answer
        assert "table.threshold" in told["remarks"][0]
    page = html.unescape(site.logged_in("officer").get("/tables/cube/marginal?v=B&v=C").text)
    assert "this policy asks less than the one that this table was decided under" in page
    assert "request fewer variables" in page
