"""New versions and tables that look alike, over the API and on the page: nothing goes out before they are declared."""

from __future__ import annotations

import re
from itertools import product

import pytest

from tests.support.web_service import ServedStore

pytestmark = pytest.mark.neo4j

V1 = "/api/v1/tables"
COUNTS = [1, 6, 7, 8, 9, 10, 5, 1]


def csv_of(names: str, order: tuple[int, int, int] = (0, 1, 2), more: int = 0) -> bytes:
    rows = [
        ",".join([*(cell[place] for place in order), str(count + more * (count == 10))])
        for cell, count in zip(product(("no", "yes"), repeat=3), COUNTS, strict=True)
    ]
    return "\n".join([f"{names},count", *rows, ""]).encode()


def add(site: ServedStore, name: str, content: bytes, *, again: bool = False) -> None:
    data = {"name": name, **({"new_version": "true"} if again else {})}
    answer = site.client("officer").post(V1, data=data, files={"file": ("t.csv", content)})
    assert answer.status_code == 201, answer.text


def ask(site: ServedStore, name: str, variables: str) -> tuple[str, list[str]]:
    answer = site.client("officer").post(f"{V1}/{name}/requests", json={"variables": [*variables]})
    assert answer.status_code == 200, answer.text
    return answer.json()["answer"], answer.json()["rules"]


@pytest.fixture
def asked(site: ServedStore) -> ServedStore:
    add(site, "cube", csv_of("A,B,C"))
    assert [ask(site, "cube", pair)[0] for pair in ("AB", "AC", "BC")] == ["release", "release", "refuse"]
    return site


def test_renamed_variables_are_declared_over_the_api(asked: ServedStore) -> None:
    add(asked, "cube", csv_of("X,C,Y", (1, 2, 0)), again=True)
    assert ask(asked, "cube", "XC") == ("undecided", ["earlier_data"])
    officer = asked.client("officer")
    undeclared = officer.get(f"{V1}/cube/map").json()["undeclared"]
    assert [[one["name"] for one in each["variables"]] for each in undeclared] == [["A", "B"]]
    wrong = officer.post(f"{V1}/cube/map", json={"variables": [{"old": "A", "new": ["none"]}]})
    assert (wrong.status_code, "no variable 'none'" in wrong.text) == (422, True)
    rows = [["no", "no"], ["yes", "yes"]]
    said = [{"old": "A", "new": ["Y"], "rows": rows}, {"old": "B", "new": ["X"]}]
    declared = officer.post(f"{V1}/cube/map", json={"variables": said})
    assert (declared.status_code, declared.json()["undeclared"]) == (200, [])
    assert ask(asked, "cube", "XC")[0] == "refuse"
    assert asked.client("requester").post(f"{V1}/cube/map", json={"variables": said}).status_code == 403


def test_variables_are_declared_on_the_page(asked: ServedStore) -> None:
    add(asked, "cube", csv_of("A,b,C"), again=True)
    officer = asked.logged_in("officer")
    page = officer.get("/tables/cube").text
    assert "Declare B of version 1" in page
    csrf = re.search('name="csrf" value="([^"]+)"', page)
    assert csrf is not None
    form = {"csrf": csrf[1], "version": "1", "old": "B", "new": ["b"], "rows": "no,yes\nyes,no,maybe\n"}
    wrong = officer.post("/tables/cube/map", data=form)
    assert (wrong.status_code, "3 categories are said together" in wrong.text) == (422, True)
    # the form is there again, as it was filled in
    assert re.search(r"yes,no,maybe\s*</textarea>", wrong.text)
    assert re.search(r'<details class="more" open><summary>Declare B of version 1', wrong.text)
    assert re.search(r'value="b" checked', wrong.text)
    unquoted = officer.post("/tables/cube/map", data={**form, "rows": '"no,yes'})
    assert (unquoted.status_code, "close all quotes" in unquoted.text) == (422, True)
    assert officer.post("/tables/cube/map", data={**form, "rows": ""}).status_code == 303
    assert ask(asked, "cube", "bC")[0] == "refuse"
    assert "Declare B" not in officer.get("/tables/cube").text


def test_tables_that_look_alike_are_declared(asked: ServedStore) -> None:
    add(asked, "other", csv_of("Z,Y,X", (2, 1, 0), more=1))
    assert ask(asked, "other", "YZ") == ("undecided", ["population_overlap"])
    (alike,) = asked.client("officer").get(f"{V1}/other/overlap").json()["open"]
    assert (alike["table"], alike["released"]) == ("cube", True)
    page = asked.logged_in("officer").get("/tables/other").text
    assert "Tables that look alike" in page
    assert "Tables that look alike" not in asked.logged_in("viewer").get("/tables/other").text
    answer = asked.client("officer").post(f"{V1}/other/overlap", json={"other": "cube", "linked": True})
    assert (answer.status_code, answer.json()["open"]) == (200, [])
    assert ask(asked, "other", "YZ") == ("undecided", ["earlier_data"])
    kinds = [entry.kind for entry in asked.store.ledger.of_subject("table", "cube")]
    assert "table_kinship" in kinds
