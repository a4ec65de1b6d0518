"""The browser of the tests waits for a page as a whole, however slowly it comes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


class Slow(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        if self.path == "/half":
            self.wfile.write(b"<!doctype html><h1>First</h1>")
            self.wfile.flush()
            time.sleep(0.5)
        self.wfile.write(b"<a href=/half>On</a><p>One</p><p>Two</p>")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def slow() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_what_is_counted_after_a_click_is_all_there(chromium: Browser, slow: str) -> None:
    page = chromium.new_page()
    page.goto(slow)
    page.get_by_role("link", name="On").click()
    assert page.url == f"{slow}/half"
    assert page.locator("p").count() == 2
    page.close()


def test_what_is_counted_behind_what_was_waited_for_is_all_there(chromium: Browser, slow: str) -> None:
    page = chromium.new_page()
    page.goto(slow)
    page.get_by_role("link", name="On").focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="First").wait_for()
    assert page.locator("p").count() == 2
    page.close()
