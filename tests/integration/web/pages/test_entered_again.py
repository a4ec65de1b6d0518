"""What was entered in a form is there again when the request is refused, with the reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from auditor.audits.running import run_audit
from auditor.config import Settings
from auditor.policy import Policy
from auditor.store import Store
from tests.support.web_service import NETWORK, ServedStore, served

pytestmark = pytest.mark.neo4j

PEOPLE = "age,sex,income\n" + "".join(f"{30 + row},{'fm'[row % 2]},{row % 5}\n" for row in range(12))
POLICY = Policy.model_validate({"network": {"k": 3}, "microdata": {"k": 3}})


@pytest.fixture
def site(store: Store, neo4j_settings: Settings, tmp_path: Path) -> ServedStore:
    settings = neo4j_settings.model_copy(update={"home": tmp_path / "home"})
    site = served(store, settings, tmp_path, policy=POLICY)
    site.add_data()
    sent = {"name": "people", "quasi_identifier": ["age", "sex"], "sensitive": ["income"]}
    added = site.client("officer").post("/api/v1/microdata", data=sent, files={"file": ("people.csv", PEOPLE)})
    assert added.status_code == 201, added.text
    return site


def sent(client: TestClient, form: str, path: str, fields: dict[str, object], **files: object) -> tuple[str, str]:
    """Return the form on the page after a request that is refused, and the reason."""
    csrf = re.search('name="csrf" value="([^"]+)"', client.get("/microdata").text)
    assert csrf is not None
    answer = client.post(path, data={"csrf": csrf[1], **fields}, **files)  # type: ignore[arg-type]
    assert answer.status_code in (404, 409, 422), answer.text
    # a list above the form may be filtered, by a form with the same address
    shown = re.search(f'<form(?![^>]*"filters")[^>]*action="{form}".*?</form>', answer.text, re.DOTALL)
    reason = re.search('role="alert"><p>(.*?)</p>', answer.text)
    assert shown is not None
    assert reason is not None
    folded = re.findall('<details(?: class="more")?>(?:(?!</details>).)*', answer.text, re.DOTALL)
    assert not [one for one in folded if re.search(f'action="{form}"', one, re.DOTALL)]
    return shown[0], reason[1]


def chosen(form: str) -> list[str]:
    """Return the values of the boxes that are checked, and of the options that are selected."""
    return re.findall('value="([^"]+)" (?:checked|selected)', form)


def test_an_export_of_groups(site: ServedStore) -> None:
    client, path = site.logged_in("officer"), "/microdata/people/microaggregate"
    fields: dict[str, object] = {
        "k": "2", "attributes": ["age", "income"], "nominal": ["income"], "format": "parquet", "keep_integers": "true",
        "aggregate": "median", "scaling": "range", "missing": "impute", "minutes": "2.5",
    }  # fmt: skip
    form, reason = sent(client, path, path, fields)
    assert "requires k = 3" in reason
    assert chosen(form) == ["age", "income", "income", "median", "true", "impute", "range", "parquet"]
    assert 'name="k" type="number" min="3" max="12" value="2"' in form
    assert re.search('name="minutes"[^>]*value="2.5"', form)
    # nothing chosen stays nothing, and the other form is as on a new page
    form, _ = sent(client, path, path, {"k": "1000"})
    assert chosen(form) == ["mean", "error", "standard", "csv"]
    other, _ = sent(client, path, path, {"k": "1000"})
    assert other == form


def test_an_export_of_ranges(site: ServedStore) -> None:
    client, path = site.logged_in("officer"), "/microdata/people/generalize"
    fields: dict[str, object] = {
        "k": "4", "attributes": ["age", "sex"], "nominal": ["age", "income"], "format": "tsv", "minutes": "7",
        "t": "0.4", "hierarchies": "sex=\"<prefixes>", "suppress": "12.5", "distinct": "income=3",
        "entropy": "income=1.5",
    }  # fmt: skip
    for wrong, said in (({}, "a number for each"), ({"t": "income=0.4", "hierarchies": "age=/etc/passwd"}, "here")):
        form, reason = sent(client, path, path, fields | wrong)
        assert said in reason
        assert chosen(form) == ["age", "sex", "age", "income", "tsv"]
        values = dict(re.findall('<input[^>]*name="([a-z]+)"[^>]* value="([^"]*)"', form))
        entered = {**fields, **wrong}
        assert values["hierarchies"] == str(entered["hierarchies"]).replace('"', "&#34;").replace("<", "&lt;").replace(
            ">", "&gt;"
        )
        assert [values[name] for name in ("k", "minutes", "suppress", "distinct", "entropy", "t")] == [
            "4", "7", "12.5", "income=3", "income=1.5", entered["t"],
        ]  # fmt: skip


def test_a_list_of_too_many_columns_is_refused_in_a_line(site: ServedStore) -> None:
    path = "/microdata/people/generalize"
    many = ",".join(f"c{place}=1" for place in range(1001))
    _, reason = sent(site.logged_in("officer"), path, path, {"k": "4", "attributes": ["age"], "distinct": many})
    assert "more than 1000 columns" in reason


def test_an_export_of_a_network(site: ServedStore) -> None:
    path = "/networks/friends/anonymize"
    form, reason = sent(site.logged_in("officer"), path, path, {"k": "2", "format": "gml", "minutes": "3"})
    assert "requires k = 3" in reason
    assert chosen(form) == ["gml"]
    assert re.search('name="k"[^>]*value="2"', form)
    assert re.search('name="minutes"[^>]*value="3"', form)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"minutes": "0"}, r"time limit \(0 minutes\) must be above 0"),
        ({"minutes": "-1"}, r"time limit \(-1 minutes\) must be above 0"),
        ({"minutes": "1441"}, "at most 1440"),
        ({"k": "1"}, "k: input should be greater than or equal to 2"),
        ({"k": ""}, "k: input should be greater than or equal to 2"),
    ],
)
@pytest.mark.parametrize(
    "path", ["/networks/friends/anonymize", "/microdata/people/microaggregate", "/microdata/people/generalize"]
)
def test_a_number_outside_its_range(site: ServedStore, path: str, wrong: dict[str, str], said: str) -> None:
    fields: dict[str, object] = {"k": "3", "attributes": ["age"], "minutes": "3", "called": "mine", **wrong}
    form, reason = sent(site.logged_in("officer"), path, path, fields)
    assert re.search(said, reason)
    assert 'value="mine"' in form
    if "minutes" in wrong:
        assert re.search(f'name="minutes"[^>]*value="{wrong["minutes"]}"', form)


def test_a_share_of_all_records(site: ServedStore) -> None:
    path = "/microdata/people/generalize"
    fields: dict[str, object] = {"k": "3", "attributes": ["age"], "minutes": "3", "suppress": "100"}
    form, reason = sent(site.logged_in("officer"), path, path, fields)
    assert "must be from 0 to below 100" in reason
    assert re.search('name="suppress"[^>]*value="100"', form)


def test_the_attributes_of_a_network(site: ServedStore) -> None:
    graph = (
        'graph [ node [ id 0 label "a" job "x" town "y" ] node [ id 1 label "b" job "x" town "y" ] '
        "edge [ source 0 target 1 ] ]"
    )
    officer = site.client("officer")
    assert officer.post("/api/v1/networks", data={"name": "g"}, files={"file": ("g.gml", graph)}).status_code == 201
    form, _ = sent(
        site.logged_in("officer"), "/networks/g/anonymize", "/networks/g/anonymize", {"k": "2", "keep": "town"}
    )
    assert chosen(form) == ["csv", "town"]


def test_a_new_table(site: ServedStore) -> None:
    file = {"file": ("x.csv", NETWORK)}
    fields: dict[str, object] = {"name": "new", "holds": "records", "new_version": "true"}
    form, _ = sent(site.logged_in("officer"), "/tables", "/tables", fields, files=file)
    assert chosen(form) == ["records", "true"]
    assert 'value="new"' in form


def test_a_request_for_a_marginal(site: ServedStore) -> None:
    fields: dict[str, object] = {"v": ["sex", "ill"], "by": "bob", "explain": "true"}
    client, path = site.logged_in("officer"), "/tables/survey/request"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("auditor.subjects.tables.pages.marginal.ask_as", refuse)
        form, reason = sent(client, path, path, fields)
    assert reason == "the store is busy"
    assert chosen(form) == ["true"]
    assert 'value="bob"' in form


def test_a_new_token(site: ServedStore) -> None:
    fields: dict[str, object] = {
        "person": "eve",
        "role": "officer",
        "only": ["view", "paint"],
        "days": "3",
        "note": "x",
    }
    form, reason = sent(site.logged_in("administrator"), "/tokens", "/tokens", fields)
    assert reason
    assert chosen(form) == ["officer", "view"]
    assert [f'value="{value}"' in form for value in ("eve", "3", "x")] == [True] * 3
    form, reason = sent(site.logged_in("administrator"), "/tokens", "/tokens", fields | {"only": [], "days": "0"})
    assert "days: input should be greater than or equal to 1" in reason
    assert 'name="days" type="number" min="1" max="365" value="0"' in form


def test_a_waiver(site: ServedStore) -> None:
    run_audit(site.store, "microdata:people", POLICY, trigger="test", actor="ann")
    client = site.logged_in("officer")
    found = re.findall('name="fingerprint" value="([^"]+)"', client.get("/findings").text)
    fields: dict[str, object] = {"fingerprint": found[-1], "reason": "small", "until": "2000-01-01"}
    this = f'/findings/waive">(?:(?!</form>).)*value="{found[-1]}'
    form, _ = sent(client, this, "/findings/waive", fields)
    assert 'name="reason" maxlength="1000" value="small"' in form
    assert 'value="2000-01-01"' in form


def refuse(*_: object) -> None:
    from auditor.core.errors import StoreConflict

    raise StoreConflict("the store is busy")
