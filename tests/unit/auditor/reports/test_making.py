"""How a release was made, when more than adding edges was allowed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from auditor.subjects.networks.report.assembling import _making
from auditor.subjects.networks.report.network_report import Making
from auditor.subjects.networks.report.pages import render_network_report
from graphkit.networks import SimpleGraph
from graphkit.networks.verify import DegreeClaim, Terms
from tests.support.network_reports import report_with_release, scale_free_graph

ORIGINAL = SimpleGraph.from_edges([(0, 1), (0, 2), (0, 3), (4, 5)], 6)
RELEASED = SimpleGraph.from_edges([(0, 1), (2, 3), (4, 5)], 6)


def test_what_was_deleted_is_told_beside_what_was_added() -> None:
    claim = DegreeClaim(k=2, n=6, supergraph=False)
    found = _making(ORIGINAL, RELEASED, claim, Terms(additions=1, deletions=2), "constrained")
    assert found == Making(1, None, "constrained", edges_deleted=2)


def test_nothing_is_told_where_nobody_knows_how_many_went() -> None:
    assert _making(ORIGINAL, RELEASED, DegreeClaim(k=2, n=6, supergraph=False), None, "constrained") is None


def test_a_subset_has_no_bound_that_is_about_everybody() -> None:
    found = _making(ORIGINAL, ORIGINAL, DegreeClaim(k=2, n=6, scope="subset"), Terms(), "constrained")
    assert found is not None
    assert found.lower_bound is None
    protected = SimpleGraph.from_edges([(0, 1), (0, 2), (0, 3), (4, 5), (1, 2), (1, 3)], 6)
    whole = _making(ORIGINAL, protected, DegreeClaim(k=2, n=6), None, "optimal")
    assert whole is not None
    assert whole.lower_bound == 2


@pytest.mark.parametrize("deleted", [0, 37])
def test_the_internal_page_says_how_many_edges_went(deleted: int) -> None:
    report = report_with_release(scale_free_graph(60))
    assert report.release is not None
    report = replace(report, release=replace(report.release, making=Making(12, edges_deleted=deleted)))
    page = render_network_report(report, "internal")
    assert f"12 edges were added, {deleted or 'none'} removed" in page
    assert ("; 37 were removed" in page) == bool(deleted)
