"""A service where people log in at a provider of the tests' own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient

from auditor.access.rights import ROLES
from auditor.config import Settings
from auditor.config.oidc import OidcSettings
from auditor.store.opening import Store
from auditor.web.security.oidc.client import OidcClient
from auditor.web.security.rate import Buckets
from tests.support.provider import CLIENT, SECRET, OwnProvider, own_provider
from tests.support.web_service import ServedStore, served

SITE = "http://localhost:8321"
ANSWER = "/login/provider/answer"


@dataclass
class LogIns:
    """A service with a provider, and browsers that come and go."""

    site: ServedStore
    provider: OwnProvider

    @property
    def client(self) -> OidcClient:
        """What the service keeps of its provider."""
        found: OidcClient = self.site.app.state.provider
        return found

    def renew(self, **others: Any) -> None:
        """Forget everything of the provider, and count no failures; with other settings."""
        limits = self.site.limits
        settings = self.site.settings.oidc.model_copy(update=others)
        self.site.app.state.provider = OidcClient(settings)
        per_second = limits.logins / limits.logins_within.total_seconds()
        self.site.app.state.logins = Buckets(per_second=per_second, size=limits.logins)

    def browser(self) -> TestClient:
        """A browser without cookies."""
        return TestClient(self.site.app, base_url=SITE, raise_server_exceptions=False, follow_redirects=False)

    def begun(self, browser: TestClient, next: str = "/") -> dict[str, str]:
        """What the provider answers to a log-in that begins in a browser."""
        sent = browser.get("/login/provider", params={"next": next})
        assert sent.status_code == 303, sent.text
        return self.provider.authorize(sent.headers["Location"])

    def tried(self, browser: TestClient | None = None, **others: str) -> httpx2.Response:
        """The answer to somebody who comes back from the provider, with others parameters than it gave."""
        browser = browser or self.browser()
        return browser.get(ANSWER, params={**self.begun(browser), **others})

    def logged_in(self, **person: Any) -> TestClient:
        """A browser in which somebody has logged in."""
        self.provider.person = {**self.provider.person, **person}
        browser = self.browser()
        answer = self.tried(browser)
        assert answer.status_code == 200, answer.text
        return browser

    def tried_as(self, **person: Any) -> httpx2.Response:
        """The answer to somebody else who comes back from the provider."""
        self.provider.person = {**self.provider.person, **person}
        return self.tried()

    def refusal(self, answer: httpx2.Response, status: int) -> str:
        """What the page says to somebody who is not let in: no cookie of a session comes with it."""
        assert answer.status_code == status, answer.text
        assert "auditor=" not in answer.headers.get("Set-Cookie", "")
        return " ".join(re.sub(r"<[^>]+>", " ", answer.text.partition("<h1>")[2]).split())


@pytest.fixture
def provider() -> Iterator[OwnProvider]:
    """A provider that listens."""
    with own_provider() as found:
        yield found


def service_with(store: Store, settings: Settings, folder: Path, provider: OwnProvider, **others: Any) -> LogIns:
    """Return a service with a provider, and settings of its own."""
    oidc = {
        "issuer": provider.url,
        "client_id": CLIENT,
        "client_secret": SECRET,
        "service_url": SITE,
        "roles": {"a": "officer", "b": "viewer"},
        "timeout": 5,
        **others,
    }
    with_oidc = settings.model_copy(update={"oidc": OidcSettings.model_validate(oidc)})
    site = served(store, with_oidc, folder)
    for role in ROLES:
        # the names of tokens are taken: tests ask who may have them
        assert site.secrets[role]
    return LogIns(site, provider)


@pytest.fixture
def with_provider(
    store: Store, neo4j_settings: Settings, tmp_path: Path, provider: OwnProvider
) -> Callable[..., LogIns]:
    """Make a service with a provider, and settings of its own."""
    return partial(service_with, store, neo4j_settings, tmp_path, provider)


@pytest.fixture
def log_ins(with_provider: Callable[..., LogIns]) -> LogIns:
    """A service with a provider."""
    return with_provider()
