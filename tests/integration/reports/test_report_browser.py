"""The pages in a real browser: on a phone, a tablet and a desk, in light and dark, and on paper."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from auditor.subjects.microdata.report.public_page import public_release
from auditor.subjects.microdata.report.rendering import render_audit, render_public, render_release
from auditor.subjects.networks.report.network_report import NetworkReport
from auditor.subjects.networks.report.pages import render_network_report
from graphkit.networks.graphs.graph import SimpleGraph
from tests.support.chromium import set_width
from tests.support.network_reports import report_with_release, report_without_release, scale_free_graph
from tests.support.record_reports import audit_report, release_report

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

WIDTHS = (360, 820, 1280)
SCHEMES = ("light", "dark")
LONG = "a_very_long_name_without_any_place_to_break_it_" * 4


NAMES = ("internal", "public", "unreleased", "empty", "audit-of-records", "records", "records-public")


def pages(folder: Path) -> dict[str, str]:
    records = release_report(folder, wage=LONG)
    released: NetworkReport = report_with_release(scale_free_graph(2000), k=5, name=LONG, file=LONG + ".csv.gz")
    return {
        "internal": render_network_report(released),
        "public": render_network_report(released, "public"),
        "unreleased": render_network_report(report_without_release(scale_free_graph(400), k=2)),
        "empty": render_network_report(report_without_release(SimpleGraph.from_edges([], 0))),
        "audit-of-records": render_audit(audit_report(folder)),
        "records": render_release(records),
        "records-public": render_public(public_release(records)),
    }


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("reports")
    paths = {}
    for name, html in pages(folder).items():
        paths[name] = folder / f"{name}.html"
        paths[name].write_text(html, encoding="utf-8")
    return paths


@contextmanager
def opened(browser: Browser, path: Path, width: int, scheme: Any) -> Iterator[Page]:
    """The page, and afterwards: nothing else was asked for, nothing was complained about."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    try:
        page.goto(path.as_uri())
        yield page
        assert asked == [path.as_uri()]
        assert complaints == []
    finally:
        context.close()


TOO_WIDE = """() => [...document.querySelectorAll('body *')].filter(e => {
    if (e.closest('.scroll, svg, .unseen')) return false;
    const box = e.getBoundingClientRect();
    return box.width && (box.right > innerWidth + 0.5 || box.left < -0.5);
}).map(e => e.tagName + '.' + e.className)"""


def at_widths(page: Page, *widths: int) -> Iterator[int]:
    """Give one window one width after the other."""
    for width in widths:
        set_width(page, width)
        yield width


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", NAMES)
def test_the_page_fits(chromium: Browser, files: dict[str, Path], name: str, scheme: str) -> None:
    with opened(chromium, files[name], WIDTHS[0], scheme) as page:
        for width in at_widths(page, *WIDTHS):
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate(TOO_WIDE) == []
        page.evaluate("document.querySelectorAll('details').forEach(e => e.open = true)")
        for width in at_widths(page, *WIDTHS):
            assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", NAMES)
def test_axe_finds_no_barrier(chromium: Browser, files: dict[str, Path], name: str, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    with opened(chromium, files[name], 360, scheme) as page:
        page.evaluate("document.querySelectorAll('details').forEach(e => e.open = true)")
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_charts_are_drawn_large_enough_to_read(chromium: Browser, files: dict[str, Path], scheme: str) -> None:
    with opened(chromium, files["internal"], WIDTHS[0], scheme) as page:
        charts = page.locator("svg.chart")
        assert charts.count() == 4
        for _ in at_widths(page, *WIDTHS):
            for chart in charts.all():
                box = chart.bounding_box()
                assert box is not None
                assert box["width"] >= 290
                assert box["height"] >= 190
            sizes = page.evaluate(
                "[...document.querySelectorAll('svg.chart text')].map(t => parseFloat(getComputedStyle(t).fontSize)"
                " * t.ownerSVGElement.getBoundingClientRect().width / t.ownerSVGElement.viewBox.baseVal.width)"
            )
            assert min(sizes) >= 9
            for kind in ("before", "after"):
                assert page.locator(f"svg.chart .{kind}").first.bounding_box() is not None


@pytest.mark.parametrize("name", [name for name in NAMES if name != "empty"])
def test_heading_and_legend_of_a_chart_stand_above_it(chromium: Browser, files: dict[str, Path], name: str) -> None:
    with opened(chromium, files[name], WIDTHS[0], "light") as page:
        for _ in at_widths(page, *WIDTHS, 1000):
            for figure in page.locator("figure").all():
                heading = figure.locator("figcaption").bounding_box()
                chart = figure.locator("svg.chart").bounding_box()
                assert heading is not None
                assert chart is not None
                assert heading["y"] + heading["height"] <= chart["y"] + 1
                assert abs(heading["x"] - chart["x"]) <= 1


def test_series_differ_in_more_than_colour(chromium: Browser, files: dict[str, Path]) -> None:
    with opened(chromium, files["internal"], 1280, "light") as page:
        look = "e => { const s = getComputedStyle(e); return [s.fill === 'none', s.strokeDasharray, s.fill] }"
        dots = [page.locator(f".chart path.dot.{kind}").first.evaluate(look) for kind in ("before", "after")]
        curves = [page.locator(f".chart .curve.{kind}").evaluate(look) for kind in ("before", "after")]
        bars = [page.locator(f".chart .bar.{kind}").first.evaluate(look) for kind in ("before", "after")]
        assert (dots[0][0], dots[1][0]) == (True, False)
        assert curves[0][1] == "none" != curves[1][1]
        assert "hatch" in bars[0][2]
        assert "hatch" not in bars[1][2]


def test_light_and_dark_look_different(chromium: Browser, files: dict[str, Path]) -> None:
    grounds = []
    for scheme in SCHEMES:
        with opened(chromium, files["public"], 820, scheme) as page:
            grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert grounds[0] != grounds[1]


def test_headings_lead_from_the_verdict_on(chromium: Browser, files: dict[str, Path]) -> None:
    with opened(chromium, files["internal"], 820, "light") as page:
        headings = page.locator("h1, h2, h3").all_inner_texts()
    assert headings[1:3] == ["The release satisfies its claim", "Key figures"]


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("unreleased", "empty")])
def test_on_paper_it_is_light_and_fits(chromium: Browser, files: dict[str, Path], name: str) -> None:
    # 182 mm of text on A4 at 96 dots an inch
    with opened(chromium, files[name], 688, "dark") as page:
        page.emulate_media(media="print")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.evaluate(TOO_WIDE) == []
        assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")
