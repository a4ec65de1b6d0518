"""Templates: everything is escaped, and an undefined name is an error."""

from datetime import datetime
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi import Request
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

import auditor
from auditor.approvals.waiting import WaitingFor
from auditor.core.kinds import KINDS, kind_named
from auditor.formats.tables.words import in_words
from auditor.reports.names import readable
from auditor.web.pages.addresses import marginal_url, subject_url
from auditor.web.pages.navigation import navigation_items
from auditor.web.pages.notices import NOTICES
from auditor.web.pages.shown.breaking import breakable
from auditor.web.pages.shown.topics import find_help
from auditor.web.pages.trend import sparkline
from auditor.web.security.identity import Call, Identity
from graphkit.numbers import count, figure, share

_HERE = Path(__file__).parent
# each page counts what waits
_MOST_WAITING = 200
STATIC = _HERE / "static"
"""Folder of style sheets, scripts and pictures."""


def page(call: Call, template: str, /, *, status: int = 200, **given: Any) -> HTMLResponse:
    """Return a page for the person who sends a call; see :func:`render`."""
    mine = WaitingFor(call.store).person(call.person, approves=call.may("approve"), most=_MOST_WAITING)
    shown = {"for_me": mine.number, "more_for_me": mine.more, **given}
    return render(call.request, template, call.identity, status=status, **shown)


def render(
    request: Request, template: str, identity: Identity | None, /, *, status: int = 200, **given: Any
) -> HTMLResponse:
    """Return a page.

    Parameters
    ----------
    request : Request
    template : str
        Name of a file among the templates.
    identity : Identity or None
        Who sees it; templates have it as ``me``, for what they may do and for the ``csrf`` of forms.
    status : int, optional
    **given
        What the template shows.
    """
    shared = {
        "me": identity,
        "path": request.url.path,
        "version": auditor.__version__,
        "navigation": [] if identity is None else navigation_items(identity),
        "notice": NOTICES.get(request.query_params.get("said", "")),
        "problem": None,
        "help": find_help(request.url.path),
        "searched": "",
        "for_me": 0,
        "more_for_me": False,
    }
    return HTMLResponse(_environment(tuple(KINDS)).get_template(template).render({**shared, **given}), status)


def fragment(template: str, /, **given: Any) -> Markup:
    """Return a part of a page that is the same whoever sees it."""
    return Markup(_environment(tuple(KINDS)).get_template(template).render(given))


@cache
def _environment(known: tuple[str, ...]) -> Environment:
    of_kinds = {kind.plural: FileSystemLoader([*map(_templates, kind.templates)]) for kind in map(kind_named, known)}
    reports = FileSystemLoader(_templates("auditor.reports"))
    loader = ChoiceLoader([FileSystemLoader(_HERE / "templates"), PrefixLoader({**of_kinds, "reports": reports})])
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "minute": _minute,
        "day": _day,
        "count": count,
        "figure": figure,
        "readable": readable,
        "name": breakable,
        "sentence": _sentence,
        "share": share,
        "lines": _lines,
        "part": lambda name: quote(str(name), safe=""),
        "subject_url": subject_url,
        "sparkline": sparkline,
    }
    environment.globals |= {"marginal_url": marginal_url, "in_words": in_words}
    return environment


def _templates(package: str) -> Path:
    """Return the folder of templates of a package."""
    return Path(next(iter(import_module(package).__path__))) / "templates"


def _minute(at: datetime | None) -> Markup:
    """Return a time to the minute, in UTC as all times here."""
    if at is None:
        return Markup("")
    return Markup('<time datetime="{}"><span class="nowrap">{}</span> {}</time>').format(
        at.isoformat(timespec="seconds"), f"{at:%Y-%m-%d}", f"{at:%H:%M}"
    )


def _lines(text: str) -> Markup:
    """Return words with the ends of their lines, and nothing in them that nobody sees."""
    return Markup("<br>").join(breakable(line) for line in text.split("\n"))


def _sentence(text: str) -> str:
    """Return a text as the beginning of a sentence, without its full stop."""
    # a space that does not break would be spelled out in what may hold a name
    return (text[:1].upper() + text[1:]).removesuffix(".").replace("\N{NO-BREAK SPACE}", " ")


def _day(at: datetime | None) -> str:
    return "" if at is None else f"{at:%Y-%m-%d}"
