"""Pages about records: complete in themselves, without a value of a record; the public one from the release alone."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from auditor.core.errors import Refused
from auditor.exports.publishing import Published
from auditor.subjects.microdata.exports.generalized.claim_record import claim_as_record
from auditor.subjects.microdata.report import rendering
from auditor.subjects.microdata.report.public_page import PublicRelease, public_release
from auditor.subjects.microdata.report.release_page import ReleaseReport
from auditor.subjects.microdata.report.rendering import render_audit, render_release
from graphkit.microdata.verify_freeform import FreeformClaim
from tests.support.record_reports import AT, CANARY, audit_report, release_report


def render_public(report: ReleaseReport) -> str:
    """The public page of a version that was just made."""
    return rendering.render_public(public_release(report))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> ReleaseReport:
    """A release that was written; it takes seconds, and no page changes it."""
    return release_report(tmp_path_factory.mktemp("written"))


@pytest.fixture(scope="module")
def unwritten(tmp_path_factory: pytest.TempPathFactory) -> ReleaseReport:
    """The same release of a dry run."""
    return release_report(tmp_path_factory.mktemp("unwritten"), written=False)


@pytest.fixture(scope="module")
def pages(report: ReleaseReport, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {
        "audit": render_audit(audit_report(tmp_path_factory.mktemp("audited"))),
        "release": render_release(report),
        "public": render_public(report),
    }


def test_no_page_shows_a_value_of_a_record(pages: dict[str, str]) -> None:
    for name, html in pages.items():
        digits = re.sub(r"(?<=\d)[,\u202f\u00a0 ](?=\d)", "", html)
        assert CANARY not in digits, name
        assert "\\xa0" not in html, name


def test_pages_load_nothing_and_run_nothing(pages: dict[str, str]) -> None:
    for html in pages.values():
        assert not re.search(r"<script|<link|<img|src=|https?://|url\((?!#)", html)
        assert "default-src 'none'" in html


def test_pages_say_what_they_are(pages: dict[str, str]) -> None:
    assert "internal · do not pass on" in pages["audit"]
    assert "Not passed" in pages["audit"]
    assert "internal · do not pass on" in pages["release"]
    assert "The release satisfies its claim" in pages["release"]
    assert "public edition" in pages["public"]
    assert "do not pass on" not in pages["public"]
    assert pages["release"].count('<svg class="chart"') == 4
    assert pages["public"].count('<svg class="chart"') == 3
    assert pages["audit"].count('<svg class="chart"') == 2


def test_the_public_page_does_not_depend_on_the_original(report: ReleaseReport, tmp_path: Path) -> None:
    foreign = release_report(tmp_path, k=7)
    published = report.result.published
    changed = replace(report, name="other", created_at=AT.replace(year=2001), result=foreign.result)
    changed = replace(changed, result=replace(changed.result, published=published))
    assert render_public(changed) == render_public(report)
    assert render_release(changed) != render_release(report)


def test_there_is_no_public_page_of_what_is_not_out(report: ReleaseReport, unwritten: ReleaseReport) -> None:
    with pytest.raises(Refused, match="nothing was written"):
        render_public(unwritten)
    assert isinstance(report.result.published, Published)
    waiting = replace(report.result, published=replace(report.result.published, approval="a"))
    with pytest.raises(Refused, match="awaits approval"):
        render_public(replace(report, result=waiting))
    assert "Pending" in render_release(replace(report, result=waiting))


def test_a_page_about_a_dry_run_says_that_nothing_was_written(unwritten: ReleaseReport) -> None:
    html = render_release(unwritten)
    assert "Not written" in html
    assert "Checked after it was written" not in html


def test_names_of_columns_are_text_and_nothing_else(tmp_path: Path) -> None:
    html = render_release(release_report(tmp_path, wage="<b>wage\u202e"))
    assert "<b>wage" not in html
    assert "&lt;b&gt;wage\\u202e" in html


def test_the_public_page_of_a_generalized_file_says_how_values_are_written() -> None:
    claim = claim_as_record(FreeformClaim(3, 9, ("age", "job"), {"age": "range", "job": "set"}))
    # a claim of an earlier version
    del claim["notation"]
    release = PublicRelease(Path("out.csv"), {"out.csv": "0" * 64}, "1", AT, claim, ())
    page = rendering.render_public(release)
    assert all(form in page for form in ("a..b", "{a|b}", r"\N..b", "an empty cell"))
    assert "the name of a group" not in page
