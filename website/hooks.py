"""What MkDocs calls while it builds the site; `mkdocs.yml` names this file.

Reference pages and notebooks become pages when the site is built, so no copy of them can be out of date.
"""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from website.http_api import description, http_page
from website.notebooks import as_markdown
from website.python_api import PACKAGES, python_page

_NAMED_BLOCK = re.compile(r"^(```\w+) .*$", re.MULTILINE)
_ROW = re.compile(r"^\|.*", re.MULTILINE)
_CODE_WITH_BAR = re.compile(r"`([^`]*\\\|[^`]*)`")
_ROLE = re.compile(r":[a-z]+:(?=<code>)")
_ROOT = Path(__file__).resolve().parent.parent


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are written from the source."""
    api = description()
    made = {
        "http-api.md": http_page(api),
        "openapi.json": json.dumps(api, ensure_ascii=False, indent=1) + "\n",
        "changes.md": (_ROOT / "CHANGELOG.md").read_text(encoding="utf-8").replace("](docs/", "]("),
        **{f"python-{package}.md": python_page(package) for package in PACKAGES},
    }
    for notebook in [file for file in files if file.src_uri.endswith(".ipynb")]:
        made[_page_of(notebook.src_uri)] = as_markdown(notebook.content_string, Path(notebook.src_uri).name)
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Lead to the page of a notebook instead of its file; drop the names of blocks, which only tests use.

    A bar in the code of a table is escaped for the forges; Python-Markdown would show the backslash.
    """
    markdown = _NAMED_BLOCK.sub(r"\1", markdown)
    markdown = _ROW.sub(lambda row: _CODE_WITH_BAR.sub(_code, row[0]), markdown)
    if page.file.src_uri.startswith("tutorials/"):
        return markdown
    return markdown.replace(".ipynb)", ".md)")


def on_page_content(html: str, **_: Any) -> str:
    """Drop the roles that docstrings give to names, such as `:func:`."""
    return _ROLE.sub("", html)


def on_post_page(output: str, **_: Any) -> str:
    """Name the dialog of the search, which the theme leaves without a name for those who do not see it."""
    return output.replace('role="dialog">', 'role="dialog" aria-label="Search">')


def _code(match: re.Match[str]) -> str:
    return f"<code>{escape(match[1].replace(chr(92) + '|', '|')).replace('|', '&#124;')}</code>"


def _page_of(notebook: str) -> str:
    return str(Path(notebook).with_suffix(".md"))
