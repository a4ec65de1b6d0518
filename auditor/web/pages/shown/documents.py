"""The documentation, as it comes with the program: its pages as HTML, and what they say about a text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from posixpath import join, normpath

from markdown_it import MarkdownIt
from markupsafe import Markup

import auditor

_PACKAGE = Path(auditor.__file__).parent
_HEADING = re.compile(r"^(#{1,4}) +(.+?) *#*$")
_LINK = re.compile(r'<a href="(?![a-z]+:|/|#)([^"#]*)(#[^"]*)?">')
_IMAGE = re.compile(r'<img src="(?![a-z]+:|/)([^"]+)"([^>]*)>')
_NAME = re.compile(r"[a-z0-9][a-z0-9/_-]*")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page of the documentation."""

    document: str
    title: str
    anchor: str
    """Empty for the beginning of the page."""
    text: str


def documents_folder() -> Path:
    """Return the folder of the documentation: in an installed package, or beside it where the source is."""
    packaged = _PACKAGE / "docs"
    return packaged if packaged.is_dir() else _PACKAGE.parent / "docs"


def find_document(name: str) -> Path | None:
    """Return the file of a page of the documentation; None if there is none of that name.

    Examples
    --------
    >>> find_document("web").name, find_document("../README"), find_document("nowhere")
    ('web.md', None, None)
    """
    path = documents_folder() / f"{name}.md"
    return path if _NAME.fullmatch(name) and path.is_file() else None


def document_titles() -> list[tuple[str, str]]:
    """Return name and title of all pages of the documentation, by title."""
    found = {section.document: section.title for section in reversed(_sections()) if not section.anchor}
    return sorted(found.items(), key=lambda item: item[1].lower())


def render_document(path: Path) -> Markup:
    """Return a page of the documentation as HTML: its own HTML is shown as text, pictures by their words, and a link
    to what is no page of it as its words.
    """
    text = path.read_text(encoding="utf-8")
    folder = path.parent.relative_to(documents_folder()).as_posix()
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    anchors = iter([anchor_of(found[2]) for line in _prose(text) if (found := _HEADING.match(line))])
    html = re.sub(r"<(h[1-4])>", lambda found: f'<{found[1]} id="{next(anchors)}">', html)
    html = _LINK.sub(lambda found: _linked(folder, found[1], found[2] or ""), html)
    html = _IMAGE.sub(lambda found: f"<em>{_alt(found[2])}</em>", html)
    # what is scrolled can be reached by the keyboard
    html = html.replace("<pre>", '<pre class="scroll" tabindex="0">')
    html = html.replace("<table>", '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>')
    html = html.replace("</table>", "</table></div>")
    # the page of the service has the title
    return Markup(re.sub(r"<h1[^>]*>.*?</h1>", "", html, count=1, flags=re.DOTALL))


def search_documents(text: str, limit: int) -> list[Section]:
    """Return the sections that have a text in their title, then those that have all of its words.

    Examples
    --------
    >>> search_documents("disclosure views", 3)[0].document
    'web'
    """
    wanted = text.lower()
    words = wanted.split()
    if not words:
        return []
    titled = [one for one in _sections() if wanted in one.title.lower()]
    told = [one for one in _sections() if one not in titled and all(word in one.text.lower() for word in words)]
    return [*titled, *told][:limit]


def anchor_of(heading: str) -> str:
    """Return what a heading is linked by.

    Examples
    --------
    >>> anchor_of("What a `NAME` or FILE means")
    'what-a-name-or-file-means'
    """
    return re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip())


@cache
def _sections() -> tuple[Section, ...]:
    folder = documents_folder()
    return tuple(
        section
        for path in sorted(folder.rglob("*.md"))
        if _NAME.fullmatch(name := path.relative_to(folder).with_suffix("").as_posix())
        for section in _sections_of(name, path.read_text(encoding="utf-8"))
    )


def _sections_of(name: str, text: str) -> Iterator[Section]:
    title, anchor, lines = name, "", []
    for line in _prose(text):
        found = _HEADING.match(line)
        if found is None:
            lines.append(line)
            continue
        if lines or anchor:
            yield Section(name, title, anchor, "\n".join(lines))
        plain = re.sub(r"[`*]", "", found[2])
        title, anchor, lines = plain, "" if len(found[1]) == 1 else anchor_of(found[2]), [plain]
    yield Section(name, title, anchor, "\n".join(lines))


def _prose(text: str) -> Iterator[str]:
    """Yield the lines of a page that are not code: a comment of a shell is no heading."""
    fenced = False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield line


def _linked(folder: str, target: str, anchor: str) -> str:
    """Return the beginning of a link to another page."""
    name = normpath(join(folder, target.removesuffix(".md")))
    return f'<a href="/help/{name}{anchor}">' if target.endswith(".md") and find_document(name) else "<a>"


def _alt(attributes: str) -> str:
    found = re.search(r'alt="([^"]*)"', attributes)
    return found[1] if found else ""
