"""Every page, on a phone, a tablet and a desk, in light and dark: it fits, has no barrier, and shows names as names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote

import httpx2 as httpx
import pytest
from axe_playwright_python.sync_playwright import Axe

from auditor import web
from auditor.exports.repository import Exports
from auditor.ledger.sentences import entry_in_words
from auditor.store.connection import Connection
from auditor.store.opening import Store
from auditor.store.records import encode
from auditor.web.jobs.repository import Job
from auditor.web.warming import warm_up
from tests.support.chromium import BROKEN_WORDS, TOO_WIDE, set_width
from tests.support.furnished_store import HARMFUL, add_wide_table, furnish, page_paths
from tests.support.web_pages import ServedPages, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# (what is wrong, and where, is all that is brought over from the browser)
BARRIERS = """which => axe.run({resultTypes: ['violations'], ...which})
    .then(report => report.violations.map(one => [one.id, one.help, one.nodes.map(node => node.html)]))"""
# contrast takes two thirds of axe's time
ALL_RULES: dict[str, Any] = {}
ALL_BUT_COLOUR = {"rules": {"color-contrast": {"enabled": False}}}
COLOUR = {"runOnly": ["color-contrast", "link-in-text-block"]}

pytestmark = [pytest.mark.browser, pytest.mark.neo4j]

Scheme = Literal["light", "dark"]
# Between these widths menus fold, tables stack and panels stand below each other; others have no colour of their own.
# Dark changes colours alone (`test_dark_changes_colours_alone`). Together every width in light and dark.
LOOKS: Mapping[int, list[tuple[Scheme, dict[str, Any]]]] = {
    390: [("light", ALL_RULES), ("dark", COLOUR)],
    900: [("light", ALL_BUT_COLOUR)],
    1440: [("light", ALL_RULES), ("dark", COLOUR)],
    # wider than that only the space around changes
    2560: [],
}
"""What axe looks for at each width."""


@pytest.fixture(scope="module")
def paths(pages: ServedPages, module_store: Store, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    furnish(module_store, Path(tmp_path_factory.mktemp("furniture")))
    add_wide_table(module_store, "wide", 16)
    return [*page_paths(module_store), "/tables/wide"]


@dataclass
class Seen:
    """What one visit of every page found: to open one takes longer than to look at it."""

    help: dict[str, str] = field(default_factory=dict)
    """What help on a page begins with, by path."""
    links: set[str] = field(default_factory=set)
    unsafe: dict[str, list[int]] = field(default_factory=dict)
    """Scripts that are not ours, pictures, and names that were computed with, by path."""
    names: int = 0
    """How often a name that tries to be a script is shown as it is."""
    out: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    """What sticks out or is broken, by path and width."""
    barriers: dict[tuple[str, str, int], Any] = field(default_factory=dict)
    """What axe finds, by path, scheme and width."""


@pytest.fixture(scope="module")
def seen(chromium: Browser, pages: ServedPages, paths: list[str]) -> Seen:
    found = Seen()
    harmful = quote(HARMFUL, safe="")
    looked = [f"/networks/{harmful} looked", f"/tables/{harmful}/marginal?v=ill&v=age looked"]
    looked += [f"{path} looked" for path in paths if path.startswith("/audits/")]
    exports = Exports(pages.store).list(f"network:{HARMFUL}")
    looked.append(next(f"/exports/{one.id} looked" for one in exports if one.state == "published"))
    with opened(chromium, pages, "ann", complaints=False) as page:
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        for path in [*paths, *looked, "/login"]:
            where, _, asked = path.partition(" ")
            if asked:
                looked_at(page, where)
            else:
                page.goto(where)
            with_all_open(page)
            if path in paths:
                note_content(page, path, found)
            note_looks(page, path, found)
    return found


def looked_at(page: Page, where: str) -> None:
    """Open what the officer is shown when they ask for it."""
    page.goto(where)
    page.get_by_role("button", name=re.compile("recorded in the ledger")).last.click()
    page.wait_for_load_state()


def with_all_open(page: Page) -> None:
    page.evaluate("document.querySelectorAll('main details').forEach(e => e.open = true)")


def note_content(page: Page, path: str, found: Seen) -> None:
    found.help[path] = page.locator(".top .help p").first.text_content() or ""
    found.links |= set(page.evaluate("[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))"))
    unsafe = [page.locator(what).count() for what in ("script:not([src^='/static/'])", "img", "text=49 a/b")]
    if any(unsafe):
        found.unsafe[path] = unsafe
    found.names += page.get_by_text("<script>alert(1)</script>").count()


def note_looks(page: Page, path: str, found: Seen) -> None:
    """Look at an open page at every width, in light and dark."""
    page.evaluate(Axe().axe_script)
    for width in at_widths(page):
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.out[path, width] = ["the page scrolls sideways"]
        if out := page.evaluate(TOO_WIDE) + page.evaluate(BROKEN_WORDS):
            found.out[path, width] = out
        for scheme, which in LOOKS[width]:
            # colours that are still on their way from one scheme to the other are none of either
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            if violations := page.evaluate(BARRIERS, which):
                found.barriers[path, scheme, width] = violations


def at_widths(page: Page) -> Iterator[int]:
    """Give the window one width after the other."""
    for width in LOOKS:
        set_width(page, width)
        yield width


def test_nothing_sticks_out_and_no_word_is_broken(chromium: Browser, pages: ServedPages, seen: Seen) -> None:
    assert seen.out == {}
    found = {}
    with opened(chromium, pages, "ann", complaints=False) as page:
        for width in at_widths(page):
            page.goto("/")
            for menu in ("ann", "Help"):
                page.locator(".top summary", has_text=menu).click()
                if out := page.evaluate(TOO_WIDE) + page.evaluate(BROKEN_WORDS):
                    found[menu, width] = out
    assert found == {}


def test_a_word_that_is_broken_is_seen(chromium: Browser, pages: ServedPages, paths: list[str]) -> None:
    with opened(chromium, pages, "ann") as page:
        page.goto("/help")
        assert page.evaluate(BROKEN_WORDS) == []
        page.evaluate("document.querySelector('main p').textContent = 'disclosures are max_unique_vertices'")
        page.evaluate("document.querySelector('main p').style.cssText = 'width: 3em; overflow-wrap: anywhere'")
        assert page.evaluate(BROKEN_WORDS) == ["disclosures"]


def test_a_barrier_is_seen(chromium: Browser, pages: ServedPages, paths: list[str]) -> None:
    with opened(chromium, pages, "ann") as page:
        page.goto("/help")
        page.evaluate(Axe().axe_script)
        page.evaluate("document.querySelector('main p').style.cssText = 'color: #bbb; background: #fff'")
        page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<input>')")
        kinds = (ALL_RULES, ALL_BUT_COLOUR, COLOUR)
        assert [[rule for rule, *_ in page.evaluate(BARRIERS, which)] for which in kinds] == [
            ["color-contrast", "label"],
            ["label"],
            ["color-contrast"],
        ]


def test_axe_finds_no_barrier(seen: Seen) -> None:
    assert seen.barriers == {}


def style_sheets() -> str:
    sheets = (Path(web.__file__).parent / "pages" / "static").glob("*.css")
    return "\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets)


def test_no_rule_is_about_windows_wider_than_those_that_axe_looks_at() -> None:
    widths = re.findall(r"@media[^{]*?width:\s*([\d.]+)(\w+)", style_sheets())
    assert len(widths) > 5
    assert {unit for _, unit in widths} == {"rem"}
    assert 16 * max(float(number) for number, _ in widths) <= max(width for width, looks in LOOKS.items() if looks)


def test_dark_changes_colours_alone() -> None:
    queries = re.findall(r"@media[^{]*prefers-color-scheme[^{]*\{(.*?)^\}", style_sheets(), re.DOTALL | re.MULTILINE)
    (rules,) = [re.findall(r"([^{};]+)\{([^}]*)\}", query) for query in queries]
    assert [selector.strip() for selector, _ in rules] == [":root"]
    declared = re.findall(r"([\w-]+):\s*([^;]+);", rules[0][1])
    assert len(declared) > 30
    assert [name for name, value in declared if not re.fullmatch(r"#[0-9a-f]{6}|none", value)] == []


def test_names_are_shown_as_they_are(chromium: Browser, pages: ServedPages, seen: Seen) -> None:
    assert seen.unsafe == {}
    assert seen.names > 20
    with opened(chromium, pages, "adam") as page:
        page.goto("/tokens")
        assert page.locator("script").count() == 1
        assert page.get_by_text("<script>alert(1)</script>").count() >= 2


def test_links_lead_somewhere(chromium: Browser, pages: ServedPages, seen: Seen) -> None:
    assert [path for path, begins in seen.help.items() if not begins] == []
    with opened(chromium, pages, "ann", complaints=False) as page:
        dead = {
            link: status
            for link in sorted(seen.links)
            if not link.startswith("#") and (status := page.request.get(link).status) >= 400
        }
    assert dead == {}


def test_a_table_of_sixteen_variables_is_a_small_page(chromium: Browser, pages: ServedPages, paths: list[str]) -> None:
    with opened(chromium, pages, "ann") as page:
        answer = page.goto("/tables/wide")
        assert answer is not None
        assert len(answer.body()) < 500_000
        assert page.get_by_role("cell", name="12,870").first.is_visible()
        page.get_by_role("checkbox", name=re.compile("^question 03")).check()
        page.get_by_role("button", name="Open", exact=True).click()
        page.get_by_role("heading", name="One variable more").wait_for()
        assert page.get_by_role("link", name=re.compile("question 15")).is_visible()


def test_the_keyboard_reaches_content_and_menus(chromium: Browser, pages: ServedPages, paths: list[str]) -> None:
    with opened(chromium, pages, "ann", width=360) as page:
        page.goto("/")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to content"
        page.keyboard.press("Enter")
        page.locator("#content:focus").wait_for()
        menu = page.locator("summary", has_text="Pages")
        menu.focus()
        page.keyboard.press("Enter")
        page.get_by_role("link", name="Findings", exact=True).wait_for()
        page.keyboard.press("Escape")
        assert not page.get_by_role("link", name="Findings", exact=True).is_visible()


def test_every_entry_is_told_as_a_sentence(module_store: Store, paths: list[str]) -> None:
    entries = module_store.ledger.show(1000)
    assert {"audit", "export", "table_request", "waiver", "token_created", "approval_wanted"} <= {
        e.kind for e in entries
    }
    # what lacks a field is told by its kind, and does not begin with who did it
    assert [entry.kind for entry in entries if not entry_in_words(entry).startswith(entry.actor)] == []
    assert any(f"“{HARMFUL}”" in entry_in_words(entry) for entry in entries if entry.kind == "export")


def test_a_service_that_starts_asks_what_the_first_pages_ask(
    pages: ServedPages, module_store: Store, paths: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    read = Connection.read

    def noted(self: Connection, query: str, /, **parameters: Any) -> list[Any]:
        asked.append(query)
        return read(self, query, **parameters)

    monkeypatch.setattr(Connection, "read", noted)
    warm_up(module_store)
    known = set(asked)
    asked.clear()
    with httpx.Client(base_url=pages.url, headers={"Authorization": f"Bearer {pages.people['ann']}"}) as ann:
        for path in ("/", "/findings", "/search?q=a"):
            assert ann.get(path).status_code == 200
    # what is about all subjects is what takes long to plan
    assert {query for query in asked if "UNION ALL" in query} <= known
    assert len(known) > 4


def test_a_key_leads_to_the_search_and_the_search_to_everything(
    chromium: Browser, pages: ServedPages, paths: list[str]
) -> None:
    with opened(chromium, pages, "vera") as page:
        page.goto("/policy")
        page.keyboard.press("/")
        page.keyboard.type("a/b?c")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Subjects").wait_for()
        for heading in ("Exports", "Open findings"):
            assert page.get_by_role("heading", name=heading).is_visible()
        assert HARMFUL in page.locator("#exports + ul li > a:first-child").all_text_contents()
        page.goto("/search?q=only+one+of+their+degree")
        assert page.locator("#findings + ul code").first.text_content() == "max_unique_vertices"
        page.goto("/search?q=disclosure+views")
        page.get_by_role("link", name="Disclosure views").click()
        page.get_by_role("heading", name="The web pages").wait_for()
        page.goto("/search?q=nothingiscalledso")
        assert page.get_by_text("Nothing fits").is_visible()


def test_lists_are_filtered_and_sorted_by_their_address(
    chromium: Browser, pages: ServedPages, paths: list[str]
) -> None:
    with opened(chromium, pages, "ann") as page:
        page.goto("/findings")
        every = page.locator("article").count()
        page.get_by_label("Rule", exact=True).select_option("max_share_below_k")
        page.get_by_label("Family").select_option("network")
        page.get_by_role("button", name="Filter").click()
        assert "rule=max_share_below_k" in page.url
        assert "family=network" in page.url
        assert 0 < page.locator("article").count() < every
        assert {*page.locator("article h3 code").all_text_contents()} == {"max_share_below_k"}
        page.get_by_role("link", name="Make a protected export").first.click()
        assert page.url.endswith("#protect")
        assert page.get_by_role("heading", name="Make a protected export").is_visible()
        page.goto("/?family=table")
        page.get_by_role("link", name="Subject", exact=True).click()
        page.locator("th[aria-sort=ascending]").wait_for()
        up = page.locator("tbody th a").all_text_contents()
        page.get_by_role("link", name="Subject", exact=True).click()
        page.locator("th[aria-sort=descending]").wait_for()
        assert "family=table" in page.url
        assert page.locator("tbody th a").all_text_contents() == up[::-1]
        assert len(up) > 1
        page.goto("/ledger?kind=table_request")
        page.locator(".told a", has_text="ann").first.click()
        assert "kind=table_request" in page.url
        assert "by=ann" in page.url
        assert page.locator(".told").count() > 1
        page.locator(".told summary").first.click()
        assert '"kind": "table_request"' in (page.locator("pre").first.text_content() or "")
        page.get_by_label("To", exact=True).fill("2001-01-01")
        page.get_by_role("button", name="Filter").click()
        assert page.get_by_text("No entry matches").is_visible()


def test_figures_are_seen_in_a_recorded_view_alone(chromium: Browser, pages: ServedPages, paths: list[str]) -> None:
    (audit,) = {path for path in paths if path.startswith("/audits/")}
    with opened(chromium, pages, "ann") as page:
        page.goto(audit)
        assert page.get_by_text("What would mend it").first.is_visible()
        assert page.get_by_text("Measured").count() == 0
        looked_at(page, audit)
        assert page.get_by_text("Measured").first.is_visible()
        assert page.get_by_role("img", name=re.compile(r"^measured .*\s%, allowed 0\s%$")).first.is_visible()


def test_the_list_of_jobs_follows_what_is_at_work(
    chromium: Browser, pages: ServedPages, module_store: Store, paths: list[str]
) -> None:
    now = module_store.ledger.clock() + timedelta(hours=1)
    job = Job("a-job", "audit", f"table:{HARMFUL}", {}, "ann", now, "running", claim="mine", beat_at=now)
    module_store.connection.execute("CREATE (j:AuditorJob $values)", values=encode(job))
    with opened(chromium, pages, "ann") as page:
        page.goto("/jobs")
        row = page.get_by_role("row").filter(has_text="audit")
        assert row.get_by_text("running").is_visible()
        page.evaluate("window.asBefore = true")
        module_store.connection.execute("MATCH (j:AuditorJob {id: 'a-job'}) SET j.state = 'done'")
        row.get_by_text("done").wait_for()
        assert page.evaluate("window.asBefore")
        assert page.locator("[data-live]").count() == 0
