"""Files of records over the API and on pages: kept by the store, listed, audited and removed; no value anywhere."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from auditor.audits.running import run_audit
from auditor.config import Settings
from auditor.formats.records import Roles, open_records
from auditor.formats.records.packing import referenced_records
from auditor.store import Store
from auditor.subjects.microdata.repository import Microdata
from tests.support.web_service import ServedStore, served

pytestmark = pytest.mark.neo4j

CANARY = "quagmire"
PEOPLE = f"age,sex,job,income\n4141,f,{CANARY},48151\n3535,m,smith,16234\n".encode()
ROLES = {"quasi_identifier": ["age", "sex"], "sensitive": ["income"]}


@pytest.fixture
def site(store: Store, neo4j_settings: Settings, tmp_path: Path) -> ServedStore:
    settings = neo4j_settings.model_copy(update={"home": tmp_path / "home"})
    return served(store, settings, tmp_path)


def kept(site: ServedStore) -> list[Path]:
    return list((site.settings.home / "records").glob("*"))


def test_records_are_kept_shown_audited_and_removed(site: ServedStore) -> None:
    officer, viewer = site.client("officer"), site.client("viewer")
    added = officer.post("/api/v1/microdata", data={"name": "people", **ROLES}, files={"file": ("people.csv", PEOPLE)})
    assert added.status_code == 201, added.text
    assert (added.json()["records"], added.json()["format"]) == (2, "text")
    (path,) = kept(site)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    shown = viewer.get("/api/v1/microdata/people").json()
    assert [(column["name"], column["role"]) for column in shown["columns"]] == [
        ("age", "quasi-identifier"), ("sex", "quasi-identifier"), ("job", "other"), ("income", "sensitive"),
    ]  # fmt: skip
    audit = run_audit(site.store, "microdata:people", site.policy, trigger="test", actor="ann")
    audited = viewer.get(f"/api/v1/audits/{audit.id}")
    assert audited.json()["verdict"] == "violated"
    page = site.logged_in("viewer").get("/microdata/people")
    assert "violated" in page.text
    told = added.text + audited.text + page.text + viewer.get("/api/v1/ledger").text
    assert not [word for word in (CANARY, "4141", "48151") if word in told]
    assert viewer.delete("/api/v1/microdata/people").status_code == 403
    assert officer.delete("/api/v1/microdata/people").status_code == 204
    assert kept(site) == []


@pytest.mark.parametrize(
    ("data", "content", "status", "said"),
    [
        ({"name": "x", "quasi_identifier": ["wage"]}, PEOPLE, 400, "there is no column 'wage'"),
        ({"name": "x", "quasi_identifier": ["age"], "weight": "age"}, PEOPLE, 400, "two roles"),
        ({"name": "x"}, b"age,sex\n1,2,3\n", 400, "another number of columns"),
        ({"name": "table:x"}, PEOPLE, 400, "must not begin"),
    ],
)
def test_bad_files_and_roles_are_refused_and_leave_nothing(
    site: ServedStore, data: dict[str, object], content: bytes, status: int, said: str
) -> None:
    answer = site.client("officer").post("/api/v1/microdata", data=data, files={"file": ("people.csv", content)})
    assert answer.status_code in (status, 422), answer.text
    assert said in answer.text
    assert str(site.settings.home) not in answer.text
    assert kept(site) == []


def test_the_form_adds_and_shows_what_was_entered_after_an_error(site: ServedStore) -> None:
    officer = site.logged_in("officer")
    csrf = csrf_of(officer)
    fields = {"csrf": csrf, "name": "people", "quasi_identifiers": "age, wage", "sensitive": "income"}
    refused = officer.post("/microdata", data=fields, files={"file": ("people.csv", PEOPLE)})
    assert "there is no column" in refused.text
    assert 'value="age, wage"' in refused.text
    fields["quasi_identifiers"] = "age,sex"
    assert officer.post("/microdata", data=fields, files={"file": ("people.csv", PEOPLE)}).status_code == 303
    assert "people.csv" in officer.get("/microdata").text
    removed = officer.post("/microdata/people/remove", data={"csrf": csrf})
    assert removed.status_code == 303
    assert kept(site) == []


def test_the_form_declares_geographic_units_and_names_no_file_of_the_server(site: ServedStore, tmp_path: Path) -> None:
    officer = site.logged_in("officer")
    fields = {"csrf": csrf_of(officer), "name": "people", "quasi_identifiers": "age", "geography": "sex"}
    refused = officer.post("/microdata", data=fields, files={"file": ("people.csv", PEOPLE)})
    assert (refused.status_code, kept(site)) == (422, [])
    assert "must be a quasi-identifier" in refused.text
    assert 'name="geography" value="sex"' in refused.text
    secret = tmp_path / "secret.csv"
    secret.write_text("sex,population\nf,1\n", encoding="utf-8")
    fields |= {"quasi_identifiers": "age,sex", "populations": str(secret)}
    assert officer.post("/microdata", data=fields, files={"file": ("people.csv", PEOPLE)}).status_code == 303
    declared = Microdata(site.store).show("people").declared
    assert (declared.geography, declared.populations) == (("sex",), None)
    assert "Nothing says how many people live in each" in officer.get("/microdata/people").text
    sent = {"name": "others", **ROLES, "geography": ["sex"], "populations": str(secret)}
    added = site.client("officer").post("/api/v1/microdata", data=sent, files={"file": ("people.csv", PEOPLE)})
    assert (added.json()["geography"], added.json()["population_from"]) == (["sex"], None)
    assert Microdata(site.store).show("others").declared.populations is None


def test_populations_that_a_command_declared_are_shown_and_stay(site: ServedStore, tmp_path: Path) -> None:
    people, populations = tmp_path / "people.csv", tmp_path / "towns.csv"
    people.write_bytes(PEOPLE)
    populations.write_text("sex,population\nf,900000\nm,12\n", encoding="utf-8")
    roles = Roles(quasi_identifiers=("age", "sex"), geography=("sex",), populations=str(populations))
    with open_records(people, site.settings.edge_table) as opened:
        packed = referenced_records(opened)
    Microdata(site.store).add("people", packed, roles, source="people.csv", actor="ann", kept=False)
    officer = site.logged_in("officer")
    page = officer.get("/microdata/people").text
    assert "A file on the server says how many people live in each" in page
    shown = site.client("viewer").get("/api/v1/microdata/people").json()
    assert (shown["geography"], shown["population_from"]) == (["sex"], "file")
    assert str(tmp_path) not in page + str(shown)
    # neither the form for the same name nor an audit from the page changes what is declared
    fields = {"csrf": csrf_of(officer), "name": "people", "quasi_identifiers": "age"}
    assert officer.post("/microdata", data=fields, files={"file": ("people.csv", PEOPLE)}).status_code == 409
    officer.post("/audits", data={"csrf": csrf_of(officer), "subject": "microdata:people"})
    assert Microdata(site.store).show("people").declared == roles


def test_how_a_file_was_read_is_shown_once(site: ServedStore) -> None:
    officer = site.logged_in("officer")
    rows = b"age,sex\n41,f\nNA,m\n35,f\n"
    fields = {"csrf": csrf_of(officer), "name": "people", "quasi_identifiers": "age,sex"}
    stored = officer.post("/microdata", data=fields, files={"file": ("people.csv", rows)})
    assert stored.status_code == 201
    assert "It is stored." in stored.text
    assert "How the file was read" in stored.text
    said = "beside numbers (in 1 records); --missing-text NA, or empty fields instead, make it a column of numbers."
    assert said in stored.text.replace("<wbr>", "")
    assert "How the file was read" not in officer.get("/microdata/people").text
    sent = {"name": "others", "quasi_identifier": ["age"]}
    added = site.client("officer").post("/api/v1/microdata", data=sent, files={"file": ("people.csv", rows)})
    (remark,) = added.json()["remarks"]
    assert remark.startswith("column 'age' is read as text")
    assert [column["name"] for column in added.json()["columns"]] == ["age", "sex"]


def csrf_of(client: TestClient) -> str:
    found = re.search('name="csrf" value="([^"]+)"', client.get("/microdata").text)
    assert found is not None
    return found[1]
