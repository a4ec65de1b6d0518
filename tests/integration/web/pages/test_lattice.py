"""The lattice on the page of a table: by keyboard alone, for each role, in every width, and without JavaScript."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

from auditor.formats.tables.loaded import LoadedTable, TableNotes
from auditor.policy import Policy
from auditor.store.opening import Store
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.subjects.tables.repository import Tables
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable
from tests.support.chromium import BROKEN_WORDS, TOO_WIDE, set_width
from tests.support.furnished_store import add_wide_table
from tests.support.web_pages import ServedPages, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.neo4j]

NAMES = ("sex", "ill", "age")
COUNTS = [[[12, 5], [31, 40]], [[1, 0], [29, 9]]]
WHOLE = "sex, ill, age"
FOCUSED = "document.activeElement.dataset.n === undefined ? -1 : Number(document.activeElement.dataset.n)"


@pytest.fixture(scope="module")
def tables(pages: ServedPages, module_store: Store) -> None:
    """A table whose counts nobody may have in full, as Rob was told, and one of ten variables."""
    variables = [Variable(name, (f"{name} a", f"{name} b")) for name in NAMES]
    table = ContingencyTable.from_dense(np.array(COUNTS), variables)
    Tables(module_store).add("survey", LoadedTable(table, TableNotes(format="csv")), source="made", actor="test")
    request = MarginalRequest("survey", NAMES, Policy(), by="rob", actor="rob")
    assert answer_request(module_store, request, clock=time.monotonic).recorded.answer == "refuse"
    add_wide_table(module_store, "wide", 10)
    pages.person("rita", "requester")


def focused(page: Page) -> int:
    return int(page.evaluate(FOCUSED))


def press(page: Page, key: str) -> int:
    page.keyboard.press(key)
    return focused(page)


def selected(page: Page) -> list[str]:
    return parse_qs(urlsplit(page.url).query).get("v", [])


def tab_into_lattice(page: Page) -> None:
    for _ in range(60):
        if press(page, "Tab") >= 0:
            return
    pytest.fail("the lattice has no tab stop")


@pytest.mark.usefixtures("tables")
def test_the_keyboard_walks_selects_and_requests(chromium: Browser, pages: ServedPages) -> None:
    with opened(chromium, pages, "rita") as page:
        page.goto("/tables/survey")
        tab_into_lattice(page)
        assert page.locator("[data-lattice] a:not([tabindex='-1'])").count() == 1
        reached, at = set(), press(page, "Control+Home")
        for _ in (*NAMES, "total"):
            at, before = press(page, "Home"), -1
            while at != before:
                reached.add(at)
                at, before = press(page, "ArrowRight"), at
            at = press(page, "ArrowDown")
        assert reached == set(range(8))
        assert press(page, "Control+End") == 0
        assert press(page, "ArrowUp").bit_count() == 1
        low = focused(page)
        high = press(page, "ArrowUp")
        assert (low & high, high.bit_count()) == (low, 2)
        assert press(page, "ArrowDown").bit_count() == 1

        press(page, "Home")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="sex", exact=True, level=3).wait_for()
        assert (selected(page), focused(page)) == (["sex"], 1)
        assert "sex. open. It is open" in page.locator("[data-said][role=status]").inner_text()
        assert page.locator("[data-lattice] a[aria-current=true]").get_attribute("aria-label") == "sex: open"
        # elsewhere and back to the selection
        assert press(page, "ArrowRight") == 2
        assert press(page, "Escape") == 1
        button = page.get_by_role("button", name="Request sex")
        for _ in range(9):
            if button.evaluate("e => e === document.activeElement"):
                break
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.get_by_role("link", name="Download the counts").wait_for()
        assert selected(page) == ["sex"]
        page.locator("#selected:focus").wait_for()  # the script of a new page runs after its text is there
        assert page.get_by_role("link", name="sex: released").get_attribute("aria-current") == "true"
        page.go_back()
        page.get_by_role("link", name="sex: released").wait_for()


@pytest.mark.usefixtures("tables")
def test_what_is_below_and_above_lights_up(chromium: Browser, pages: ServedPages) -> None:
    def lit(kind: str) -> set[str]:
        found = page.locator(f"[data-lattice] a.{kind}").all()
        return {(one.get_attribute("aria-label") or "").partition(":")[0] for one in found}

    with opened(chromium, pages, "vera") as page:
        page.goto("/tables/survey?v=ill&v=sex")
        assert (lit("below"), lit("above"), lit("here")) == ({"sex", "ill", "the total"}, {WHOLE}, {"sex, ill"})
        page.get_by_role("link", name=re.compile("^age:")).hover()
        assert (lit("below"), lit("above")) == ({"the total"}, {"sex, age", "ill, age", WHOLE})
        page.get_by_role("heading", name="survey", level=1).hover()
        assert lit("above") == {WHOLE}


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_of_ten_variables_the_neighbourhood_is_shown(chromium: Browser, pages: ServedPages, script: bool) -> None:
    from playwright.sync_api import expect

    with opened(chromium, pages, "rob", java_script_enabled=script) as page:
        page.goto("/tables/wide?v=question 04&v=question 02")
        assert page.locator("[data-lattice] a").count() == 11
        page.get_by_role("link", name="question 02, question 04, question 07:").click()
        page.get_by_role("heading", name="question 02, question 04, question 07", exact=True).wait_for()
        assert selected(page) == ["question 02", "question 04", "question 07"]
        assert page.get_by_role("link", name="question 02, question 07:").is_visible()
        if not script:
            return
        # every step up beyond what is shown makes the next marginal the selected one
        press(page, "ArrowUp")
        assert focused(page).bit_count() == 4
        for variables in range(4, 10):
            press(page, "ArrowUp")
            expect(page.locator("[data-lattice] .rank:last-child a")).to_have_count(variables)
            assert len(selected(page)) == variables
            press(page, "ArrowUp")
        assert press(page, "ArrowUp").bit_count() == 10


@pytest.mark.usefixtures("tables")
def test_each_role_sees_what_it_may(chromium: Browser, pages: ServedPages) -> None:
    address, reason = "/tables/survey?v=sex&v=ill&v=age", "would be bounded too tightly"
    seen = {}
    for person in ("vera", "adam", "rita", "rob", "ann"):
        with opened(chromium, pages, person) as page:
            page.goto(address)
            panel = page.get_by_role("region", name="Selected marginal")
            assert panel.get_by_text("The last request was refused.").is_visible()
            seen[person] = (
                reason in panel.inner_text(),
                panel.get_by_role("button", name=re.compile("^Request")).count(),
                panel.get_by_role("button", name=re.compile("released instead")).count(),
            )
    assert seen == {
        "vera": (False, 0, 0),
        "adam": (True, 0, 0),
        "rita": (False, 1, 0),
        "rob": (True, 1, 0),
        "ann": (True, 1, 1),
    }


@pytest.mark.usefixtures("tables")
def test_what_could_be_released_instead_is_for_officers_and_recorded(chromium: Browser, pages: ServedPages) -> None:
    with opened(chromium, pages, "ann", java_script_enabled=False) as page:
        page.goto("/tables/survey?v=sex&v=ill&v=age")
        before = pages.store.ledger.show(1)[0].seq
        page.get_by_role("button", name=re.compile("released instead")).click()
        found = page.locator(".found")
        found.wait_for()
        entry = pages.store.ledger.show(1)[0]
        assert (entry.kind, entry.actor, entry.seq) == ("table_frontier", "ann", before + 1)
        assert json.loads(entry.payload)["within"] == list(NAMES)
        # each of them is what a request would be answered
        instead = found.get_by_role("link").first
        names = [name.strip() for name in instead.inner_text().partition("(")[0].split(",")]
        instead.click()
        page.get_by_role("button", name="Request " + ", ".join(names)).click()
        page.get_by_role("link", name="Download the counts").wait_for()
    with opened(chromium, pages, "rob") as page:
        page.goto("/tables/survey")
        token = page.locator("input[name=csrf]").first.get_attribute("value")
        form: Any = {"csrf": token or "", "v": "sex"}
        assert page.request.post("/tables/survey/alternatives", form=form).status == 403


@pytest.mark.usefixtures("tables")
def test_a_selection_that_is_none_leaves_the_page(chromium: Browser, pages: ServedPages) -> None:
    with opened(chromium, pages, "ann", complaints=False) as page:
        answer = page.goto("/tables/survey?v=<b>nobody")
        assert answer is not None
        assert answer.status == 422
        assert page.get_by_role("alert").get_by_text("no variable '<b>nobody'").is_visible()
        assert page.get_by_text("No marginal is selected").is_visible()
        page.goto("/tables/survey?v=")
        assert page.get_by_text("The total is public.").is_visible()


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_and_has_no_barrier(chromium: Browser, pages: ServedPages, scheme: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    found: dict[Any, Any] = {}
    with opened(chromium, pages, "ann", color_scheme=scheme) as page:
        for address in ("/tables/survey?v=sex&v=ill&v=age", "/tables/wide?v=question 04&v=question 02"):
            page.goto(address)
            if "survey" in address:
                page.get_by_role("button", name=re.compile("released instead")).click()
                page.locator(".found").wait_for()
            for width in (2560, 1440, 900, 390):
                set_width(page, width)
                out = page.evaluate(TOO_WIDE) + page.evaluate(BROKEN_WORDS)
                if out or page.evaluate("document.documentElement.scrollWidth") > width:
                    found[address, width] = out
            report = Axe().run(page)
            if report.violations_count:
                found[address] = report.generate_report()
    assert found == {}
