"""Under a policy that asks for a second person: one asks, another one lets out; nobody approves their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from auditor.config import Settings
from auditor.policy import parse_policy
from auditor.store.opening import Store
from tests.support.web_pages import ServedPages, opened, served_pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.neo4j]


@pytest.fixture(scope="module")
def careful(module_store: Store, neo4j_settings: Settings) -> Iterator[ServedPages]:
    """A service whose policy asks for a second person."""
    both = {"approval": "second-person", "marginal_approval": "second-person"}
    with served_pages(
        module_store, neo4j_settings, parse_policy({"exports": both, "network": {"k": 2}}, where="test")
    ) as served:
        served.person("otto", "officer")
        yield served


def request_sex(page: Page, name: str) -> None:
    page.goto(f"/tables/{name}/marginal?v=sex")
    page.get_by_role("button", name="Request this marginal").click()
    page.get_by_text("Answer: awaits approval").wait_for()


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_a_marginal_goes_out_when_a_second_person_approves(
    chromium: Browser, careful: ServedPages, tmp_path: Path, script: bool
) -> None:
    name, file = f"votes-{script}", tmp_path / "votes.csv"
    file.write_text(f"sex,vote,count\nf,yes,12\nf,no,{31 + 200 * script}\nm,yes,8\nm,no,29\n", encoding="utf-8")
    with opened(chromium, careful, "ann", java_script_enabled=script, complaints=False) as page:
        page.goto("/tables")
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label("File").set_input_files(file)
        page.get_by_role("button", name="Add table").click()
        page.get_by_text("It is stored.").wait_for()
        request_sex(page, name)
        assert page.get_by_role("link", name="Download the counts (CSV)").count() == 0
        # nobody approves what they asked for
        page.get_by_role("link", name="its approval").click()
        page.get_by_text("This is your request: another person decides.").wait_for()
        assert page.get_by_role("button", name="Approve").count() == 0
        address = page.url
        page.get_by_role("button", name="Withdraw", exact=True).click()
        page.get_by_text("The request was withdrawn.").wait_for()
        request_sex(page, name)
        page.get_by_role("link", name="its approval").click()
        rejected = page.url
        assert rejected != address
    with opened(chromium, careful, "otto", java_script_enabled=script, complaints=False) as page:
        page.goto("/approvals")
        page.get_by_role("row").filter(has_text=name).first.get_by_role("link", name="sex").click()
        page.get_by_label("Reason for the rejection").fill("not this week")
        page.get_by_role("button", name="Reject").click()
        page.get_by_text("It was rejected.").wait_for()
        assert page.get_by_text("not this week").is_visible()
    with opened(chromium, careful, "ann", java_script_enabled=script) as page:
        page.goto(f"/tables/{name}")
        assert page.get_by_text("pending, then rejected").is_visible()
        request_sex(page, name)
    with opened(chromium, careful, "otto", java_script_enabled=script) as page:
        page.goto("/approvals")
        page.get_by_role("link", name="sex", exact=True).first.click()
        page.get_by_role("button", name="Approve").click()
        page.get_by_text("It was approved and released.").wait_for()
        page.goto(f"/tables/{name}/marginal?v=sex")
        with page.expect_download() as download:
            page.get_by_role("link", name="Download the counts (CSV)").click()
        assert "f," in Path(download.value.path()).read_text(encoding="utf-8")
    with opened(chromium, careful, "vera", java_script_enabled=script, complaints=False) as page:
        page.goto("/approvals")
        assert page.get_by_text("No pending approvals.").is_visible()
        assert page.get_by_role("row").count() == 0
        page.goto(rejected)
        page.get_by_role("heading", name="Not found").wait_for()


def test_an_export_is_held_until_a_second_person_approves(
    chromium: Browser, careful: ServedPages, tmp_path: Path
) -> None:
    file = tmp_path / "ring.csv"
    file.write_text("a,b\nb,c\nc,d\nd,a\na,c\n", encoding="utf-8")
    with opened(chromium, careful, "ann") as page:
        page.goto("/networks")
        page.get_by_label("Name", exact=True).fill("ring")
        page.get_by_label("File").set_input_files(file)
        page.get_by_role("button", name="Add network").click()
        page.get_by_text("It is stored.").wait_for()
        page.get_by_role("button", name="Start", exact=True).click()
        page.get_by_text("It awaits approval by a second person.").wait_for(timeout=60_000)
        page.get_by_role("link", name="Open the export").click()
        page.get_by_role("heading", name=re.compile("^Export")).wait_for()
        assert page.get_by_role("link", name="Download the file").count() == 0
    with opened(chromium, careful, "otto") as page:
        page.goto("/approvals")
        page.get_by_role("row").filter(has_text="network:ring").get_by_role("link", name=re.compile("^export")).click()
        # what goes out, and what is out beside it
        assert page.get_by_text("2, of 4 vertices").is_visible()
        assert page.get_by_text("Nothing of this subject was released before.").is_visible()
        page.get_by_role("button", name="Approve").click()
        page.get_by_text("It was approved and released.").wait_for()
        page.get_by_role("link", name=re.compile("^[0-9a-f]{8}$")).click()
        page.get_by_role("link", name="Download the file").wait_for()
