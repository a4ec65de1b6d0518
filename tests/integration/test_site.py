"""The site is complete, all its links lead somewhere, and it loads nothing from another host."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parents[2]
LOADED = {
    ("script", "src"), ("img", "src"), ("img", "srcset"), ("source", "src"), ("source", "srcset"), ("video", "src"),
    ("audio", "src"), ("iframe", "src"), ("embed", "src"), ("object", "data"), ("image", "href"), ("use", "href"),
}  # fmt: skip
"""Tags and attributes whose address a browser loads; `link` by its relation, below."""
ONLY_NAMED = {"canonical", "next", "prev", "edit", "license", "author"}
"""Relations of a `link` that load nothing."""
OF_THE_THEME = re.compile(
    r'^(!!!|\?\?\?\+?|===) |:(material|octicons|fontawesome|simple)-|class="[^"]*\b(md-|grid)|\{[%{#]'
)
"""What Material alone, or its extensions, would render."""
LOADED_BY_STYLES = re.compile(r"(?:url\(\s*|@import\s+|(?:href|src)=)[\"']?([^\"')\s]*)")
UNRENDERED = re.compile(r"^(- |\| |\d+\. |#+ |```)|:(func|class|meth|mod|attr):", re.MULTILINE)


class Read(HTMLParser):
    """What a page refers to, what can be referred to in it, and the text of its paragraphs."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.in_navigation: list[str] = []
        self.paragraphs: list[str] = []
        self._open: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = {name: value or "" for name, value in attrs}
        self.anchors |= {of[name] for name in ("id", "name") if name in of}
        self._open.append(tag)
        if tag == "p":
            self.paragraphs.append("")
        if tag == "a" and "href" in of:
            self.links.append(of["href"])
            if "nav" in self._open:
                self.in_navigation.append(of["href"])
        if tag == "link" and of.get("rel") not in ONLY_NAMED:
            self.loaded.append(of["href"])
        self.loaded += [of[name] for name in of if (tag, name) in LOADED]
        self.loaded += re.findall(r"url\(([^)]*)\)", of.get("style", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            del self._open[len(self._open) - 1 - self._open[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if "p" in self._open and "code" not in self._open:
            self.paragraphs[-1] += data


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built strictly: a warning of MkDocs fails."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Read]:
    return {path: Read(path) for path in sorted(site.rglob("*.html"))}


def test_every_page_is_in_the_navigation(site: Path, pages: dict[Path, Read]) -> None:
    docs = ROOT / "docs"
    sources = [path.relative_to(docs) for kind in ("*.md", "*.ipynb") for path in docs.rglob(kind)]
    assert {str(path.with_suffix(".html")) for path in sources} <= set(pages[site / "index.html"].in_navigation)
    assert {str(path.relative_to(site)) for path in pages} - {"404.html"} == {
        link for link in pages[site / "index.html"].in_navigation if not link.startswith(("#", "."))
    }


def test_every_link_leads_somewhere(site: Path, pages: dict[Path, Read]) -> None:
    broken = []
    for path, page in pages.items():
        for link in page.links + page.loaded:
            to = urlsplit(link)
            if (
                to.scheme or to.netloc or path.name == "404.html"
            ):  # the server's page for any address: links from its root
                continue
            target = (path.parent / unquote(to.path)).resolve() if to.path else path
            target = target / "index.html" if target.is_dir() else target
            found = target.exists() and (
                not to.fragment or target not in pages or unquote(to.fragment) in pages[target].anchors
            )
            if not found:
                broken.append(f"{path.relative_to(site)}: {link}")
    assert broken == []


def test_nothing_is_loaded_from_another_host(site: Path, pages: dict[Path, Read]) -> None:
    loaded = [(path, address) for path, page in pages.items() for address in page.loaded]
    for path in [*site.rglob("*.css"), *site.rglob("*.svg")]:
        text = path.read_text(encoding="utf-8")
        loaded += [(path, address) for address in LOADED_BY_STYLES.findall(text)]
    assert len(loaded) > 100
    assert [(path, address) for path, address in loaded if _is_away(address)] == []


def _is_away(address: str) -> bool:
    to = urlsplit(address.strip("\"' "))
    return bool(to.netloc) or to.scheme not in ("", "data")


@pytest.mark.browser
def test_the_search_works_without_a_server_and_asks_no_other_host(site: Path, chromium: Browser) -> None:
    asked: list[str] = []
    complaints: list[str] = []
    with chromium.new_context(offline=True) as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto((site / "index.html").as_uri())
        page.locator("input[name=query]").fill("k-degree anonymity")
        page.locator("a[href*='degree-anonymity.html']", has_text="anonymity").first.wait_for()
        for other in ("commands.html", "tutorials/network.html", "performance.html"):
            page.goto((site / other).as_uri())
    assert {urlsplit(address).scheme for address in asked} <= {"file", "blob", "data"}
    assert any(address.endswith("search_index.js") for address in asked)
    assert complaints == []


def test_pages_are_rendered_whole(pages: dict[Path, Read]) -> None:
    left = [(path.name, text) for path, page in pages.items() for text in page.paragraphs if UNRENDERED.search(text)]
    assert left == []


def _lines() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "docs").rglob("*.md")):
        text = re.sub(r"```.*?```|`[^`]*`", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        yield from ((path.name, line) for line in text.splitlines())


def test_no_page_depends_on_the_theme() -> None:
    assert [found for found in _lines() if OF_THE_THEME.search(found[1])] == []
