"""The first page of an empty store leads to what a newcomer can do with a file of each kind."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest

from auditor.core.kinds import kinds
from cli.app import root_command
from tests.support.chromium import BROKEN_WORDS, TOO_WIDE, set_width
from tests.support.web_pages import ServedPages, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.neo4j]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_leads_to_the_form_of_each_kind(chromium: Browser, pages: ServedPages, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    titles = [kind.first.title for kind in kinds() if kind.first]
    assert len(titles) == 3
    with opened(chromium, pages, "ann", color_scheme=scheme) as page:
        page.goto("/")
        assert page.locator(".first h3").all_inner_texts() == titles
        for width in (390, 900, 1440, 2560):
            set_width(page, width)
            assert page.evaluate(TOO_WIDE) + page.evaluate(BROKEN_WORDS) == []
        assert Axe().run(page).violations_count == 0
        for title in titles:
            page.goto("/")
            page.get_by_role("link", name=f"Add {title.lower()}").click()
            assert page.locator("#add").is_visible()
            assert page.locator("input[type=file]").first.is_visible()


def test_the_commands_beside_it_are_commands() -> None:
    for kind in kinds():
        for _, command in kind.first.steps if kind.first else ():
            program, group, name, *arguments = shlex.split(command)
            assert program == "auditor"
            root = root_command()
            context = root.make_context("auditor", [group, name, *arguments])
            _, found, rest = root.resolve_command(context, [group, name, *arguments])
            _, found, rest = found.resolve_command(context, rest)
            found.make_context(name, list(rest), parent=context)
