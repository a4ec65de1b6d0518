"""A service that listens, and a browser in front of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import uvicorn

from auditor.access.rights import Role
from auditor.access.tokens import Tokens
from auditor.config import Settings
from auditor.policy import Policy
from auditor.store import Store
from auditor.web.app import create_app
from auditor.web.jobs.runner import JobRunner
from auditor.web.service import Limits, Service

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["ServedPages", "opened", "served_pages"]

_PATIENCE = 20.0


@dataclass
class ServedPages:
    """A service that listens."""

    url: str
    service: Service
    people: dict[str, str] = field(default_factory=dict)
    """Texts of tokens by person."""

    @property
    def store(self) -> Store:
        """Its store."""
        return self.service.store

    def person(self, name: str, role: Role) -> str:
        """Give somebody a token, and return its text."""
        until = self.store.ledger.clock() + timedelta(days=1)
        self.people[name] = Tokens(self.store).create(person=name, role=role, expires_at=until, actor="test")[1]
        return self.people[name]


@contextmanager
def served_pages(
    store: Store, settings: Settings, policy: Policy | None = None, port: int = 0
) -> Iterator[ServedPages]:
    """Let a service listen on a port, by default a free one, with four people, as long as the block runs."""
    limits = Limits(per_second=1e6, burst=1_000_000)
    service = Service(store, policy or Policy(), settings, limits=limits)
    service.runner = JobRunner(service)
    server = uvicorn.Server(
        uvicorn.Config(create_app(service), port=port, log_config=None, timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    end = time.monotonic() + _PATIENCE
    while not server.started:
        assert thread.is_alive()
        assert time.monotonic() < end
        thread.join(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    served = ServedPages(f"http://127.0.0.1:{port}", service)
    for name, role in (("ann", "officer"), ("adam", "administrator"), ("rob", "requester"), ("vera", "viewer")):
        served.person(name, role)  # type: ignore[arg-type]
    try:
        yield served
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def opened(
    browser: Browser,
    served: ServedPages,
    person: str | None,
    *,
    width: int = 1280,
    complaints: bool = True,
    **given: Any,
) -> Iterator[Page]:
    """Give a page of somebody who logged in by the form; afterwards: only the service was asked, nothing complained.

    Parameters
    ----------
    browser : Browser
    served : ServedPages
    person : str or None
        None to stay outside.
    width : int
    complaints : bool
        Whether complaints of the browser fail.
    **given
        Options of the browser's context.
    """
    context = browser.new_context(viewport={"width": width, "height": 900}, base_url=served.url, **given)
    page = context.new_page()
    page.set_default_timeout(15_000)
    found: list[str] = []
    page.on("request", lambda request: request.url.startswith(served.url) or found.append(request.url))
    page.on("console", lambda message: message.type == "error" and found.append(message.text))
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("dialog", lambda dialog: found.append(dialog.message))
    try:
        if person is not None:
            page.goto("/login")
            page.get_by_label("Token").fill(served.people[person])
            page.get_by_role("button", name="Log in").click()
            page.get_by_role("heading", name="Overview").wait_for()
        yield page
        assert not complaints or found == []
    finally:
        context.close()
