"""What people do in the browser, from the log-in to the ledger: with script and without."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from auditor.schedules.repository import Schedules
from tests.support.web_pages import ServedPages, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.neo4j]

with_and_without_script = pytest.mark.parametrize(
    "script", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["script", "no-script"]
)

# tables that look alike are asked about: each test has one of clearly other counts
OTHERS = count(31, 200)
SURVEY = """sex,ill,age,count
f,yes,old,12
f,no,old,{others}
m,yes,old,1
m,no,old,29
f,yes,young,5
f,no,young,40
m,yes,young,0
m,no,young,9
"""


def add_table(page: Page, name: str, file: Path) -> None:
    page.goto("/tables")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Add table").click()
    page.get_by_role("heading", name=name, exact=True).wait_for()


def choose(page: Page, name: str, *variables: str) -> None:
    page.goto(f"/tables/{name}")
    for variable in variables:
        page.get_by_role("checkbox", name=re.compile(f"^{variable} ")).check()
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_role("heading", name=", ".join(variables), exact=True).wait_for()


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    path = tmp_path / "survey.csv"
    path.write_text(SURVEY.format(others=next(OTHERS)), encoding="utf-8")
    return path


@with_and_without_script
def test_a_table_from_its_file_to_released_counts(
    chromium: Browser, pages: ServedPages, survey: Path, script: bool
) -> None:
    name = f"survey-{script}"
    with opened(chromium, pages, "ann", java_script_enabled=script) as page:
        add_table(page, name, survey)
        assert page.get_by_text("It is stored.").is_visible()
        # a marginal that gives somebody away, with the cells behind the refusal
        choose(page, name, "sex", "ill", "age")
        page.get_by_role("checkbox", name=re.compile("cells behind a refusal")).check()
        page.get_by_role("button", name="Request this marginal").click()
        page.get_by_text("Answer: refused").wait_for()
        assert page.get_by_text(re.compile("would be bounded too tightly")).first.is_visible()
        assert page.get_by_text("sex=m, ill=yes, age=old").first.is_visible()
        # another one that does not
        choose(page, name, "sex")
        page.get_by_role("button", name="Request this marginal").click()
        page.get_by_text("Answer: released").wait_for()
        with page.expect_download() as download:
            page.get_by_role("link", name="Download the counts (CSV)").click()
        others = int(re.findall(r"f,no,old,(\d+)", survey.read_text(encoding="utf-8"))[0])
        released = Path(download.value.path()).read_text(encoding="utf-8")
        assert released == f"sex,count\nf,{57 + others}\nm,39\n"
        page.goto(f"/tables/{name}")
        assert page.locator("[data-lattice] a").count() == 8
        page.get_by_role("link", name="sex: released", exact=True).click()
        page.get_by_role("link", name="Page of this marginal").click()
        page.get_by_role("heading", name="sex", exact=True).wait_for()


def test_what_a_marginal_would_tell_is_shown_when_asked_for_and_recorded(
    chromium: Browser, pages: ServedPages, survey: Path
) -> None:
    with opened(chromium, pages, "ann") as page:
        add_table(page, "looked", survey)
        choose(page, "looked", "sex", "ill")
        before = pages.store.ledger.show(1)[0].seq
        page.get_by_role("button", name=re.compile("would change the bounds")).click()
        page.get_by_role("heading", name="What sex, ill would disclose").wait_for()
        assert page.get_by_text("too tight").first.is_visible()
        entry = pages.store.ledger.show(1)[0]
        assert (entry.kind, entry.actor, entry.seq) == ("table_bounds", "ann", before + 1)


def test_merged_categories_make_another_marginal(chromium: Browser, pages: ServedPages, tmp_path: Path) -> None:
    file = tmp_path / "ages.csv"
    file.write_text("age,count\n0-19,20\n20-59,41\n60-79,1\n80+,12\n", encoding="utf-8")
    with opened(chromium, pages, "ann") as page:
        add_table(page, "ages", file)
        choose(page, "ages", "age")
        page.get_by_label("60-79").select_option("A")
        page.get_by_label("80+").select_option("A")
        page.get_by_role("button", name="Open with merged categories").click()
        page.get_by_role("heading", name="age (60-79 + 80+)").wait_for()
        page.get_by_role("button", name="Request this marginal").click()
        page.get_by_text("Answer: released").wait_for()
        page.goto("/tables/ages")
        assert page.get_by_text("Released with merged categories").is_visible()


def add_network(page: Page, name: str, file: Path, edges: str) -> None:
    """Add a network by its form, and see that it is stored."""
    file.write_text(edges, encoding="utf-8")
    page.goto("/networks")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Add network").click()
    page.get_by_text("It is stored.").wait_for()


@with_and_without_script
def test_a_network_from_its_file_to_a_protected_export(
    chromium: Browser, pages: ServedPages, tmp_path: Path, script: bool
) -> None:
    name = f"friends-{script}"
    with opened(chromium, pages, "ann", java_script_enabled=script) as page:
        add_network(page, name, tmp_path / "friends.csv", "a,b\nb,c\nc,d\nd,e\ne,a\na,c\n")
        # nothing of its degrees before somebody asked
        assert page.locator("svg.chart").count() == 0
        page.get_by_role("button", name="Show the degrees (recorded in the ledger)").click()
        page.locator("svg.chart").first.wait_for()
        assert page.locator("figure table").count() == page.locator("svg.chart").count() == 3
        assert pages.store.ledger.show(1)[0].kind == "degrees_shown"
        page.get_by_role("button", name="Start", exact=True).click()
        # the page follows the job by itself, with script by events, without by asking again
        page.get_by_role("link", name="Open the export").click(timeout=60_000)
        page.get_by_role("heading", name=re.compile("^Export")).wait_for()
        assert page.get_by_text("each of whose degrees is shared by 5 vertices or more").is_visible()
        with page.expect_download() as download:
            page.get_by_role("link", name="Download the file").click()
        assert Path(download.value.path()).read_text(encoding="utf-8").strip()
        page.get_by_role("button", name="Read the file and show its figures").click()
        page.get_by_text("smallest block").first.wait_for()
        assert page.locator(".checks .good").count() > 2
        assert page.locator(".checks .bad").count() == 0


@with_and_without_script
def test_a_finding_from_audit_to_waiver_and_the_ledger(
    chromium: Browser, pages: ServedPages, tmp_path: Path, script: bool
) -> None:
    name = f"star-{script}"
    with opened(chromium, pages, "ann", java_script_enabled=script) as page:
        add_network(page, name, tmp_path / "star.csv", "a,b\na,c\na,d\nb,c\n")
        page.get_by_role("button", name="Audit now").click()
        page.get_by_role("link", name="Open the audit").click(timeout=60_000)
        page.get_by_role("heading", name=f"Audit of {name}").wait_for()
        assert page.get_by_text("Where:").count() == 0
        page.get_by_role("button", name=re.compile("^Show locations")).click()
        page.get_by_text("Where:").first.wait_for()
        entry = pages.store.ledger.show(1)[0]
        assert (entry.kind, '"trend":true' in entry.payload) == ("findings_shown", True)

        page.goto("/findings")
        row = page.get_by_role("article").filter(has_text=f"network:{name}").filter(has_text="max_unique_vertices")
        # by keyboard alone; the time is filled in
        row.locator("summary").focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.type("it is a test of ours")
        page.keyboard.press("Enter")
        page.get_by_text("The finding is waived from the next audit").wait_for()
        page.get_by_text("it is a test of ours").first.wait_for()
        page.get_by_role("row").filter(has_text=f"network:{name}").get_by_role(
            "button", name=re.compile("Revoke")
        ).click()
        page.get_by_text("The waiver was revoked.").wait_for()

        page.goto("/ledger")
        page.get_by_role("button", name="Verify every entry").click()
        page.get_by_text("The chain is intact").wait_for()
        page.get_by_label("About").fill(f"network:{name}")
        page.get_by_role("button", name="Filter").click()
        from playwright.sync_api import expect

        told = page.get_by_role("listitem").filter(has_text="ann revoked a waiver of")
        expect(told).to_have_count(1)


@with_and_without_script
def test_a_schedule_is_saved_after_its_due_times_were_shown(
    chromium: Browser, pages: ServedPages, survey: Path, script: bool
) -> None:
    name = f"weekly-{script}"
    with opened(chromium, pages, "ann", java_script_enabled=script, complaints=False) as page:
        add_table(page, f"watched-{script}", survey)
        page.goto("/schedules")
        page.get_by_role("link", name="New schedule").click()
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label(re.compile("^When")).fill("0 25 * * *")
        page.get_by_role("checkbox", name=re.compile(f"^watched-{script}")).check()
        page.get_by_role("button", name="Show the due times").click()
        page.get_by_role("alert").wait_for()
        page.get_by_label(re.compile("^When")).fill("0 6 * * 1")
        page.get_by_label("Time zone").fill("Europe/Berlin")
        page.get_by_role("button", name="Show the due times").click()
        page.get_by_role("heading", name="Due times").wait_for()
        assert page.locator("ol li").count() == 5
        assert [one.name for one in Schedules(pages.store).list()].count(name) == 0
        page.get_by_role("button", name=f"Save {name}").click()
        page.get_by_text("The schedule is saved.").wait_for()
        page.get_by_role("button", name="Pause").click()
        page.get_by_text("The schedule is paused").wait_for()
        page.get_by_role("button", name="Resume", exact=True).click()
        page.get_by_text("The schedule is resumed").wait_for()
        page.goto("/")
        assert page.get_by_role("row").filter(has_text=f"watched-{script}").get_by_role("link", name=name).is_visible()
        page.goto(f"/schedules/{name}")
        page.get_by_role("button", name="Remove").click()
        page.get_by_text("The schedule was removed.").wait_for()


@with_and_without_script
def test_a_token_is_shown_once_and_opens_what_its_role_may(chromium: Browser, pages: ServedPages, script: bool) -> None:
    with opened(chromium, pages, "adam", java_script_enabled=script) as page:
        page.goto("/tokens")
        page.get_by_label("Person").fill(f"nora-{script}")
        page.get_by_role("radio", name=re.compile("^viewer")).check()
        page.get_by_role("button", name="Create token").click()
        text = page.locator("#secret").inner_text()
        page.goto("/tokens")
        assert text not in page.content()
        pages.people["nora"] = text
    with opened(chromium, pages, "nora", java_script_enabled=script, complaints=False) as page:
        page.goto("/tokens")
        page.get_by_role("heading", name="Not allowed").wait_for()
    with opened(chromium, pages, "adam", java_script_enabled=script) as page:
        page.goto("/tokens")
        row = page.get_by_role("row").filter(has_text=f"nora-{script}")
        row.get_by_role("button", name=re.compile("Revoke")).click()
        page.get_by_text("The token was revoked.").wait_for()
    with opened(chromium, pages, None, java_script_enabled=script, complaints=False) as page:
        page.goto("/login")
        page.get_by_label("Token").fill(text)
        page.get_by_role("button", name="Log in").click()
        page.get_by_role("alert").wait_for()


def test_what_can_still_go_out_is_for_who_asked(chromium: Browser, pages: ServedPages, survey: Path) -> None:
    pages.person("olga", "officer")
    with opened(chromium, pages, "ann") as page:
        add_table(page, "bounded", survey)
        page.get_by_role("button", name=re.compile("what can still be released")).click()
        page.get_by_role("heading", name="Largest releasable").wait_for(timeout=60_000)
        address = page.url
    with opened(chromium, pages, "olga") as page:
        page.goto(address)
        assert page.get_by_role("heading", name="Largest releasable").count() == 0
