"""The ledger over the API: found by subject, person, kind and time, and read to its end in parts."""

from __future__ import annotations

import pytest

from tests.support.web_service import ServedStore

pytestmark = pytest.mark.neo4j


def test_entries_are_found_and_read_to_the_end(site: ServedStore) -> None:
    site.add_data()
    officer = site.client("officer")
    for names in (["sex"], ["age"], ["ill"]):
        assert officer.post("/api/v1/tables/survey/requests", json={"variables": names}).status_code < 300

    def read(**asked: object) -> list[int]:
        address, found = "/api/v1/ledger", []
        answer = officer.get(address, params={"limit": 2, **asked}).json()
        while True:
            assert len(answer["items"]) <= 2
            found += [entry["seq"] for entry in answer["items"]]
            if answer["next"] is None:
                return found
            answer = officer.get(answer["next"]).json()

    everything = officer.get("/api/v1/ledger", params={"limit": 200}).json()["items"]
    assert read() == [entry["seq"] for entry in everything]
    of_table = [entry["seq"] for entry in everything if entry["subject"] == "table:survey"]
    # all parts, though what is asked for is in the address of each
    assert len(of_table) > 2
    assert read(about="table:survey") == of_table
    requests = [entry["seq"] for entry in everything if entry["kind"] == "table_request"]
    assert read(kind="table_request") == requests
    assert read(kind=["table_request", "token_created"])[: len(requests)] == requests
    person = everything[0]["actor"]
    assert read(by=person) == [entry["seq"] for entry in everything if entry["actor"] == person]
    assert read(by=f"no {person}") == read(until="2020-01-01") == read(since="9999-01-01T00:00:00+01:00") == []
    last = everything[0]["at"]
    assert read(since=last, by=person) == [entry["seq"] for entry in everything if entry["at"] >= last]
    for wrong in ({"until": "0001-01-01T00:00:00+14:00"}, {"since": "soon"}, {"kind": "table_requests"}):
        assert officer.get("/api/v1/ledger", params=wrong).status_code == 422
