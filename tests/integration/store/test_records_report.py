"""Pages about stored records: the newest export is read and verified again, in both editions."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.config import EdgeTableSettings
from auditor.core.errors import NotFound, Refused
from auditor.exports.destination import Destination
from auditor.formats.records import Roles
from auditor.policy import Policy
from auditor.store.opening import Store
from auditor.subjects.microdata.exports.exporting import MicroaggregationRequest, export_records
from auditor.subjects.microdata.exports.generalized.domains import Generalizing
from auditor.subjects.microdata.exports.generalized.exporting import GeneralizationRequest, export_generalized
from auditor.subjects.microdata.exports.stored_records import StoredRecords
from auditor.subjects.microdata.policy import MicrodataPolicy
from auditor.subjects.microdata.port import open_unchanged
from auditor.subjects.microdata.report.assembling import public_release_of_stored, report_of_stored
from auditor.subjects.microdata.report.rendering import render_public, render_stored
from auditor.subjects.microdata.repository import Microdata
from tests.support.record_reports import CANARY, write_people
from tests.support.stored_records import add_records

pytestmark = pytest.mark.neo4j
SETTINGS = EdgeTableSettings(threads=1)


@pytest.fixture
def people(store: Store, tmp_path: Path) -> Store:
    text = write_people(tmp_path).read_text(encoding="utf-8")
    add_records(store, "people", tmp_path / "home", text, Roles(quasi_identifiers=("age", "sex"), sensitive=("wage",)))
    return store


def microaggregated(store: Store, path: Path) -> Path:
    info = Microdata(store).show("people")
    request = MicroaggregationRequest(
        4,
        Destination(path),
        info.declared,
        ("age", "wage"),
        engine={"method": "mdav"},
        policy=Policy(microdata=MicrodataPolicy(k=2)),
    )
    with open_unchanged(info, SETTINGS) as opened:
        export_records(opened, request, StoredRecords(store, info))
    return path


def test_without_an_export_the_page_is_the_audit(people: Store) -> None:
    found = report_of_stored(people, "people", SETTINGS)
    html = render_stored(found)
    assert not found.holds
    assert "Not ready to be published" in html
    assert "The release" not in html
    with pytest.raises(Refused, match="without an export"):
        public_release_of_stored(people, "people")
    with pytest.raises(NotFound, match="no export 'x'"):
        report_of_stored(people, "people", SETTINGS, export_id="x")


def test_means_are_verified_again_and_held_against_the_original(people: Store, tmp_path: Path) -> None:
    path = microaggregated(people, tmp_path / "released.csv")
    found = report_of_stored(people, "people", SETTINGS)
    html = render_stored(found)
    assert found.holds
    assert found.release is not None
    assert found.release.kept.comparison is not None
    assert "The release satisfies its claim" in html
    assert CANARY not in html.replace(",", "")
    release = public_release_of_stored(people, "people")
    public = render_public(release)
    assert "public edition" in public
    assert "do not pass on" not in public
    # asked for more than was claimed
    asked = public_release_of_stored(people, "people", policy=MicrodataPolicy(k=5))
    assert not asked.holds
    assert "does not meet the policy" in render_public(asked)
    assert not report_of_stored(people, "people", SETTINGS, policy=MicrodataPolicy(k=5)).holds
    path.write_text(path.read_text(encoding="utf-8") + "1,f,2\n", encoding="utf-8")
    spoilt = report_of_stored(people, "people", SETTINGS)
    assert not spoilt.holds
    assert "The release does not satisfy its claim" in render_stored(spoilt)
    with pytest.raises(Refused, match="does not hold its claim"):
        public_release_of_stored(people, "people")


def test_generalized_records_have_both_editions(people: Store, tmp_path: Path) -> None:
    info = Microdata(people).show("people")
    request = GeneralizationRequest(
        3,
        Destination(tmp_path / "generalized.csv"),
        info.declared,
        choices=Generalizing(),
        engine={"effort": 0.1},
        policy=Policy(microdata=MicrodataPolicy(k=2)),
    )
    with open_unchanged(info, SETTINGS) as opened:
        export_generalized(opened, request, StoredRecords(people, info))
    found = report_of_stored(people, "people", SETTINGS)
    html = render_stored(found)
    assert found.holds
    # by a policy that asks for more than it claims it does not hold
    strict = report_of_stored(people, "people", SETTINGS, policy=MicrodataPolicy(k=2, distinct_l=2))
    assert strict.release is not None
    assert [finding.rule for finding in strict.release.found.findings] == ["distinct_l"]
    assert found.release is not None
    assert found.release.kept.loss is not None
    assert 0 < found.release.kept.loss.gcp < 1
    assert "the wrong one for this release" in html
    assert "every released record may be any of 3 people" in html
    public = render_public(public_release_of_stored(people, "people"))
    assert "Every person may be any of at least 3 records" in public
    assert "GCP" not in public
