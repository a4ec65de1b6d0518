"""A real browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

__all__ = ["BROKEN_WORDS", "TOO_WIDE", "running_chromium", "set_width"]

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


def set_width(page: Page, width: int) -> None:
    """Give a window a width, and wait until the page is drawn with it: before, boxes of both widths can be met."""
    page.set_viewport_size({"width": width, "height": 900})
    page.wait_for_function("width => innerWidth === width", arg=width)
    page.evaluate("() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


BROKEN_WORDS = """() => {
    const found = [], range = document.createRange();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walk.nextNode()); ) {
        const parent = node.parentElement;
        if (!parent || parent.closest('code, pre, svg, select, .unseen') || !parent.getClientRects().length) continue;
        // the heads of stacked tables are there for readers of screens alone
        if ((parent.closest('thead')?.getBoundingClientRect().width ?? 2) <= 1) continue;
        for (const token of node.data.matchAll(/\\S+/g)) {
            // what has digits, signs within or no end is an identifier, which may break; a hyphen is a place to break
            if (!/^[^\\p{L}\\p{N}]*\\p{L}+([-’'\\/]\\p{L}+)*[^\\p{L}\\p{N}]*$/u.test(token[0])) continue;
            for (const word of token[0].matchAll(/\\p{L}{2,22}/gu)) {
                range.setStart(node, token.index + word.index);
                range.setEnd(node, token.index + word.index + word[0].length);
                const lines = new Set([...range.getClientRects()].map(box => Math.round(box.top)));
                if (lines.size > 1) found.push(word[0]);
            }
        }
    }
    return found;
}"""
"""Script that returns the words of a page that are broken within."""


@contextmanager
def running_chromium() -> Iterator[Browser]:
    """Give a running Chromium; without one the test is skipped, and fails where CI is set."""
    path = next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        reason = "Chromium is not installed (Debian: apt-get install chromium-headless-shell)"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import Locator, sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_OPTIONS)
        with pytest.MonkeyPatch.context() as patched:
            for name in ("click", "wait_for"):
                patched.setattr(Locator, name, _then_loaded(getattr(Locator, name)))
            yield browser
        browser.close()


def _then_loaded(act: Callable[..., None]) -> Callable[..., None]:
    """Let an act end when the page it led to is whole: what is counted at once must not be of half a page."""

    @wraps(act)
    def loaded(where: Locator, *args: Any, **kwargs: Any) -> None:
        act(where, *args, **kwargs)
        where.page.wait_for_load_state()

    return loaded
