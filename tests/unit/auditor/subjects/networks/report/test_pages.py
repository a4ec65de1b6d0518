"""Both editions as HTML: whole, self-contained, escaped, for every kind of report."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.core.errors import Refused
from auditor.subjects.networks.auditing import audit_network
from auditor.subjects.networks.policy import NetworkPolicy
from auditor.subjects.networks.report.network_report import NetworkReport
from auditor.subjects.networks.report.pages import Edition, render_network_report
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.verify import Check, Verification
from graphkit.numbers import share
from tests.support.network_reports import report_with_release, report_without_release, scale_free_graph
from tests.support.strategies import graphs

VOID = {"meta", "br", "link", "img", "input", "hr"}
EDITIONS: tuple[Edition, Edition] = ("internal", "public")


class Outline(HTMLParser):
    """Checks that every element is closed in its turn; collects ids, references, attributes and text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.tags: list[str] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            assert not name.startswith("on"), f"{tag} has a handler {name}"
            if name == "id":
                self.ids.append(value or "")
            if name in ("aria-labelledby", "aria-describedby"):
                self.references += (value or "").split()
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> without beginning"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def check_page(html: str) -> Outline:
    outline = Outline(html)
    assert html.lstrip().lower().startswith("<!doctype html>")
    assert len(outline.ids) == len(set(outline.ids))
    assert set(outline.references) <= set(outline.ids)
    assert not {"script", "link", "img", "iframe", "object", "base", "form"} & set(outline.tags)
    assert "://" not in html
    assert "@import" not in html
    assert set(re.findall(r"url\([^)]*\)", html)) <= {"url(#hatch)"}
    return outline


@given(graph=graphs(min_n=2), k=st.integers(2, 4))
@settings(max_examples=40, deadline=None)
def test_every_small_network_gives_whole_pages(graph: SimpleGraph, k: int) -> None:
    check_page(render_network_report(report_without_release(graph, k)))
    if graph.n >= k:
        for edition in EDITIONS:
            check_page(render_network_report(report_with_release(graph, k), edition))


@pytest.mark.parametrize(("n", "edges"), [(0, []), (1, []), (5, []), (2, [(0, 1)])], ids=str)
def test_tiny_networks(n: int, edges: list[tuple[int, int]]) -> None:
    outline = check_page(render_network_report(report_without_release(SimpleGraph.from_edges(edges, n))))
    assert ("there is nothing to draw" in outline.text) == (n == 0)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        "a\"b'c",
        "x&amp;y",
        "{{ 7 * 7 }}",
        "</title><b>",
        "'; rm -rf /",
        "n\u202egnp.\n\x00",
    ],
)
def test_hostile_names_are_text(name: str, edition: Edition) -> None:
    report = report_with_release(scale_free_graph(40), name=name, file=name)
    assert report.release is not None
    report = replace(report, release=replace(report.release, kept_attributes=(name,)))
    outline = check_page(render_network_report(report, edition))
    shown = name.replace("\u202e", "\\u202e").replace("\n", "\\n").replace("\x00", "\\x00")
    assert " ".join(shown.split()) in outline.text
    assert "\u202e" not in outline.text


def test_a_release_that_holds() -> None:
    report = report_with_release(scale_free_graph(), k=4)
    assert report.holds
    assert report.release is not None
    assert report.release.making is not None
    text = check_page(render_network_report(report)).text
    assert "The release satisfies its claim" in text
    assert text.index("Passed") < text.index("Key figures")
    assert f"{report.release.making.edges_added:,} edges were added" in text
    assert "do not pass on" in text


def test_without_a_release_the_page_says_what_to_do() -> None:
    text = check_page(render_network_report(report_without_release(scale_free_graph(), k=4, name="my friends"))).text
    assert "Not passed Not ready to be published" in text
    assert "auditor network anonymize 'my friends' --k 4 --out released.csv" in text


def test_a_network_that_passes_as_it_is() -> None:
    ring = SimpleGraph.from_edges([(i, (i + 1) % 6) for i in range(6)])
    text = check_page(render_network_report(report_without_release(ring, k=6))).text
    assert "The network meets the policy as it is" in text
    assert "Nothing: every rule of the policy is met." in text


def failed(report: NetworkReport) -> NetworkReport:
    assert report.release is not None
    checks = Verification((Check("simple", True, "no loop"), Check("k-anonymous", False, "a degree is too rare")))
    return replace(report, release=replace(report.release, verification=checks, utility=None, making=None))


def test_a_release_that_fails_its_check() -> None:
    report = failed(report_with_release(scale_free_graph(40), file="bad.csv"))
    assert not report.holds
    text = check_page(render_network_report(report)).text
    assert "Not passed The release does not satisfy its claim Failed: k-anonymous. Do not publish bad.csv" in text
    with pytest.raises(Refused, match="fails its checks"):
        render_network_report(report, "public")


def test_a_release_that_cannot_be_read() -> None:
    report = failed(report_with_release(scale_free_graph(40)))
    assert report.release is not None
    report = replace(report, release=replace(report.release, risk=None))
    assert not report.holds
    assert "The release does not satisfy its claim" in check_page(render_network_report(report)).text
    with pytest.raises(Refused):
        render_network_report(report, "public")


def test_a_release_below_the_policy() -> None:
    report = report_with_release(scale_free_graph(), k=2)
    strict = report_without_release(scale_free_graph(), k=9)
    report = replace(report, audit=strict.audit)
    assert not report.holds
    text = check_page(render_network_report(report)).text
    assert "The release does not meet the policy" in text
    assert "satisfies its claim of k = 2" in text


def test_nothing_can_be_said_in_public_without_a_release() -> None:
    with pytest.raises(Refused, match="nothing was released"):
        render_network_report(report_without_release(scale_free_graph(40)), "public")


def test_what_could_not_be_checked_again_is_said() -> None:
    report = report_with_release(scale_free_graph(40))
    assert report.release is not None
    report = replace(report, release=replace(report.release, not_checked=("the relabelling was not kept",)))
    for edition in EDITIONS:
        text = check_page(render_network_report(report, edition)).text
        assert "not checked again the relabelling was not kept" in text


def test_every_chart_has_its_figures_beside_it() -> None:
    graph = scale_free_graph()
    html = render_network_report(report_with_release(graph, k=4))
    outline = check_page(html)
    assert outline.tags.count("details") == outline.tags.count("figure") == html.count('class="chart"') == 4
    assert html.count('role="img"') == 4
    for degree, size in enumerate(np.bincount(graph.degrees()).tolist()):
        if size:
            assert re.search(rf'<th scope="row">{degree:,}</th><td>{size:,}</td>', html)


def test_what_more_knowledge_singles_out_is_said() -> None:
    report = report_with_release(scale_free_graph(), k=4)
    assert report.release is not None
    internal = check_page(render_network_report(report)).text
    public = check_page(render_network_report(report, "public")).text
    for name, before in report.audit.given.items():
        after = report.release.given[name]
        cells = [clean(f"{risk.below(4):,} ({share(risk.share_below(4))})") for risk in (before, after)]
        assert f"{cells[0]} → {cells[1]} {before.unique_vertices:,} → {after.unique_vertices:,}" in clean(internal)
        assert f"{cells[1]} {after.unique_vertices:,}" in clean(public)
    assert "No promise is made about any of these" in clean(public)
    assert "the 5 hubs are" in internal
    assert "at least so many" not in internal + public


def test_figures_that_are_lower_bounds_say_so() -> None:
    report = report_with_release(scale_free_graph(), k=4)
    assert report.release is not None
    given = {**report.release.given, "ego": replace(report.release.given["ego"], undecided=7)}
    report = replace(report, release=replace(report.release, given=given))
    for edition in EDITIONS:
        text = check_page(render_network_report(report, edition)).text
        assert f"≥ {given['ego'].below(4):,}" in clean(text)
        assert "at least so many" in text


def test_a_release_that_shows_more_than_the_policy_allows() -> None:
    report = report_with_release(scale_free_graph(), k=4)
    policy = NetworkPolicy(k=4, max_share_below_k_neighbours=0.01)
    audit = audit_network(report.audit.risk.block_sequence, policy, report.audit.given)
    text = check_page(render_network_report(replace(report, audit=audit))).text
    assert "The release does not meet the policy" in text
    assert "max_share_below_k_neighbours" in text


def clean(text: str) -> str:
    return " ".join(text.split())


def test_the_same_report_gives_the_same_page() -> None:
    report = report_with_release(scale_free_graph(60))
    for edition in EDITIONS:
        assert render_network_report(report, edition) == render_network_report(report, edition)
