"""Log-in at a provider, in a real browser: through `oidc-provider-mock`, on another site than the service."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from auditor.config import Settings
from auditor.config.oidc import OidcSettings
from auditor.store.opening import Store
from tests.support.chromium import set_width
from tests.support.web_pages import ServedPages, opened, served_pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [
    pytest.mark.browser,
    pytest.mark.neo4j,
    # of how the mock uses Authlib
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


@pytest.fixture(scope="module")
def with_mock(module_store: Store, neo4j_settings: Settings) -> Iterator[ServedPages]:
    """A service at 127.0.0.1, and a provider at localhost."""
    from oidc_provider_mock import User, run_server_in_thread

    people = [
        User(sub="1", claims={"preferred_username": "Ann Lee", "groups": ["staff", "auditors"]}),
        User(sub="2", claims={"preferred_username": "Bob Ray", "groups": ["staff"]}),
    ]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with run_server_in_thread(user_claims=people) as provider:
        oidc = OidcSettings(
            issuer=f"http://localhost:{provider.server_port}",
            client_id="auditor",
            client_secret="any",
            service_url=f"http://127.0.0.1:{port}",
            name="Example House",
            roles={"auditors": "officer"},
        )
        settings = neo4j_settings.model_copy(update={"oidc": oidc})
        with served_pages(module_store, settings, port=port) as served:
            yield served


def at_provider(page: Page, who: str) -> None:
    """Log in as somebody at the provider, whose page wants a style sheet from elsewhere."""
    page.route(re.compile("cdn"), lambda route: route.abort())
    page.get_by_role("link", name="Log in with Example House").click()
    page.get_by_role("button", name=who, exact=True).click()


def test_a_browser_goes_there_and_comes_back_to_the_page_that_was_wanted(
    chromium: Browser, with_mock: ServedPages
) -> None:
    with opened(chromium, with_mock, None, complaints=False) as page:
        page.goto("/tables")
        at_provider(page, "1")
        page.wait_for_url("**/tables")
        page.get_by_role("heading", name="Tables").wait_for()
        page.get_by_text("Ann Lee").first.click()
        page.get_by_role("button", name="Log out").click()
        page.wait_for_url(re.compile(r"http://localhost:\d+/.*id_token_hint="))
        page.goto("/tables")
        page.get_by_role("heading", name="Log in").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_its_pages_have_no_barrier_and_fit(chromium: Browser, with_mock: ServedPages, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    def check(page: Page) -> None:
        for width in (360, 1440):
            set_width(page, width)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        report = Axe().run(page)
        assert report.violations_count == 0, report.generate_report()

    with opened(chromium, with_mock, None, complaints=False, color_scheme=scheme) as page:
        page.goto("/login")
        check(page)
        at_provider(page, "2")
        page.get_by_text("You are in no group").wait_for()
        check(page)
