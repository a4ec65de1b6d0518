"""A real browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["TOO_WIDE", "running_chromium"]

# no update check, no telemetry: the browser is to load the page and nothing else
_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# without windows, the first does less
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

TOO_WIDE = """() => [...document.querySelectorAll('body *')].filter(e => {
    if (e.closest('.scroll, svg, .unseen, .sprite, .skip')) return false;
    const box = e.getBoundingClientRect();
    return box.width && (box.right > innerWidth + 0.5 || box.left < -0.5);
}).map(e => e.tagName + '.' + e.className)"""
"""Script that returns what sticks out of a page."""


@contextmanager
def running_chromium() -> Iterator[Browser]:
    """Give a running Chromium; without one the test is skipped, and fails where CI is set."""
    path = next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        reason = "Chromium is not installed (Debian: apt-get install chromium-headless-shell)"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_OPTIONS)
        yield browser
        browser.close()
