"""A request is reviewed in the browser, by the keyboard alone: risk, comments, a change, a rejection, an approval."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from auditor.approvals.repository import Approvals
from auditor.config import Settings
from auditor.core.origin import Origin
from auditor.exports.destination import Destination
from auditor.policy import parse_policy
from auditor.store.opening import Store
from auditor.subjects.networks.exports.exporting import ExportRequest, StoredNetwork, export_network
from auditor.subjects.networks.repository import Networks
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.subjects.tables.repository import Tables
from tests.support.chromium import set_width
from tests.support.cube import cube
from tests.support.store_samples import random_network
from tests.support.web_pages import ServedPages, opened, served_pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.neo4j]


@pytest.fixture(scope="module")
def careful(module_store: Store, neo4j_settings: Settings) -> Iterator[ServedPages]:
    """A service whose policy asks for a second person, with a table and a network."""
    both = {"approval": "second-person", "marginal_approval": "second-person"}
    policy = parse_policy({"exports": both, "network": {"k": 2}}, where="test")
    Tables(module_store).add("cube", cube(), source="f", actor="ann")
    Networks(module_store).add("n", random_network(1, n=12, m=14), source="f", actor="ann")
    with served_pages(module_store, neo4j_settings, policy) as served:
        served.person("otto", "officer")
        yield served


def asked(careful: ServedPages, names: str, actor: str = "ann") -> str:
    """Return the page of a pending request for a marginal."""
    policy = careful.service.policy
    request = MarginalRequest("cube", names, policy, by=actor, actor=actor, origin=Origin(purpose="annual report"))
    return f"/approvals/{answer_request(careful.store, request, clock=time.monotonic).recorded.approval}"


def reach(page: Page, words: str) -> None:
    """Go on by the Tab key until what has the focus is called so."""
    told = "e => (e.labels && e.labels[0] ? e.labels[0].textContent : e.textContent).trim()"
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(f"({told})(document.activeElement)").startswith(words):
            return
    raise AssertionError(f"the keyboard does not reach {words!r}")


def finds_nothing(page: Page) -> None:
    from axe_playwright_python.sync_playwright import Axe

    report = Axe().run(page)
    assert report.violations_count == 0, report.generate_report()


def test_the_keyboard_alone_comments_returns_and_rejects(chromium: Browser, careful: ServedPages) -> None:
    first, second = asked(careful, "AB"), asked(careful, "AC")
    with opened(chromium, careful, "otto") as page:
        assert page.get_by_text("2 requests wait for you").is_visible()
        reach(page, "Approvals")
        assert page.locator(":focus").inner_text().split() == ["Approvals", "2", "waiting", "for", "you"]
        page.goto(first)
        assert page.get_by_text("annual report").is_visible()
        assert page.get_by_text("Nothing of this subject was released before.").is_visible()
        reach(page, "Show risk and pictures")
        page.keyboard.press("Enter")
        page.get_by_role("img", name="How far apart the possible counts are").wait_for()
        finds_nothing(page)
        page.goto(first)
        reach(page, "Comment")
        page.keyboard.type("Is B needed?")
        reach(page, "Comment")
        page.keyboard.press("Enter")
        page.get_by_text("The comment is recorded.").wait_for()
        assert page.get_by_text("Is B needed?").is_visible()
        reach(page, "Approve if changed")
        page.keyboard.press("Enter")
        reach(page, "B")
        page.keyboard.press("Space")
        reach(page, "Reason for the change")
        page.keyboard.type("B is not needed")
        page.keyboard.press("Enter")
        page.get_by_text("approved if changed to A").wait_for()
        finds_nothing(page)
        page.goto(second)
        reach(page, "Reason for the rejection")
        page.keyboard.type("no contract")
        reach(page, "Reject")
        page.keyboard.press("Enter")
        page.get_by_text("It was rejected.").wait_for()
    with opened(chromium, careful, "ann") as page:
        assert page.get_by_text("One request waits for you").is_visible()
        page.goto(first)
        reach(page, "Open the changed request")
        page.keyboard.press("Enter")
        page.wait_for_url("**/marginal?v=A")
        reach(page, "Request this marginal")
        page.keyboard.press("Enter")
        page.get_by_text("Answer: released").wait_for()
    assert [(one.state, one.decided_by) for one in Approvals(careful.store).list()] == [
        ("approved", "otto"), ("rejected", "otto"), ("returned", "otto"),
    ]  # fmt: skip


def test_the_keyboard_alone_logs_in_and_approves_and_a_wrong_change_is_shown_again(
    chromium: Browser, careful: ServedPages
) -> None:
    address = asked(careful, "BC")
    with opened(chromium, careful, None, complaints=False) as page:
        page.goto("/login")
        reach(page, "Token")
        page.keyboard.type(careful.people["otto"])
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Overview").wait_for()
        page.goto(address)
        page.get_by_text("Approve if changed").click()
        page.get_by_label("Merged categories").fill("A=no")
        page.get_by_label("Reason for the change").fill("coarser")
        page.get_by_role("button", name="Return for this change").click()
        page.get_by_role("alert").wait_for()
        assert page.get_by_label("Merged categories").input_value() == "A=no"
        assert page.get_by_label("Reason for the change").input_value() == "coarser"
        page.goto(address)
        reach(page, "Approve")
        page.keyboard.press("Enter")
        page.get_by_text("It was approved and released.").wait_for()


def test_a_review_fits_every_screen(chromium: Browser, careful: ServedPages) -> None:
    network = StoredNetwork(careful.store, Networks(careful.store).show("n"))
    request = ExportRequest(2, Destination(careful.service.settings.home / "r.csv"), careful.service.policy, "ann")
    done = export_network(network, request).published
    assert done is not None
    # colours that fade from one look to the other are in neither of them
    with opened(chromium, careful, "otto", reduced_motion="reduce") as page:
        page.goto(f"/approvals/{done.approval}")
        page.get_by_role("button", name="Show risk and pictures").click()
        page.get_by_role("img", name="How large the blocks are").wait_for()
        assert page.get_by_role("img", name="The release").is_visible()
        page.get_by_text("Approve if changed").click()
        for width in (390, 900, 1440, 2560):
            set_width(page, width)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                finds_nothing(page)
