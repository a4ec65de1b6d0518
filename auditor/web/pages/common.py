"""What the modules of pages share: who sees them, and errors as pages."""

from typing import Annotated, Any
from urllib.parse import quote, urlsplit

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from auditor.core.errors import AuditorError
from auditor.web.guarded_route import GuardedRoute
from auditor.web.pages.rendering import render
from auditor.web.problems import status_and_words
from auditor.web.security.identity import NotLoggedIn, find_identity
from graphkit.errors import GraphkitError

Skip = Annotated[int, Query(ge=0, le=10_000_000)]

KNOWN = (AuditorError, GraphkitError)
"""Errors that speak for themselves: a form is shown again with their words."""


def page_router() -> APIRouter:
    """Return a router for pages; they are no part of the API's description."""
    return APIRouter(include_in_schema=False, route_class=GuardedRoute)


def see_other(path: str) -> RedirectResponse:
    """Return the answer to a form: look there now."""
    return RedirectResponse(path, 303)


def said(path: str, word: str) -> RedirectResponse:
    """Return the answer to a form: look there now, where it says that it was done.

    Parameters
    ----------
    path : str
    word : str
        One of :data:`~auditor.web.pages.notices.NOTICES`.
    """
    return see_other(f"{path}{'&' if '?' in path else '?'}said={word}")


def told(error: Exception) -> dict[str, Any]:
    """Return what a page is given that shows a form again after an error.

    Examples
    --------
    >>> from auditor.core.errors import NotFound
    >>> told(NotFound("there is no table 'x'"))
    {'status': 404, 'problem': "there is no table 'x'"}
    """
    status, title, detail = status_and_words(error)
    return {"status": status, "problem": detail or title}


def parts_around(path: str, skip: int, size: int, more: bool) -> dict[str, Any]:
    """Return the addresses of the parts of a list before and after the one that is shown, as templates have them.

    Examples
    --------
    >>> parts_around("/jobs", 50, 50, more=True)
    {'newer': '/jobs?skip=0', 'older': '/jobs?skip=100'}
    >>> parts_around("/jobs", 0, 50, more=False)
    {'newer': None, 'older': None}
    """
    return {
        "newer": f"{path}?skip={max(skip - size, 0)}" if skip else None,
        "older": f"{path}?skip={skip + size}" if more else None,
    }


def own_path(path: str | None) -> str:
    """Return a path of this service, to go to after a log-in; the overview for anything else.

    Examples
    --------
    >>> own_path("/tables/survey"), own_path("//evil.example"), own_path("https://evil.example"), own_path(None)
    ('/tables/survey', '/', '/', '/')
    >>> own_path("/\\\\evil.example")
    '/'
    """
    safe = path is not None and path.startswith("/") and not path.startswith("//") and path.isprintable()
    return path if path is not None and safe and "\\" not in path else "/"


def _page_before(request: Request) -> str:
    """Return the page of this service that a form was on, as the browser says; the overview if it does not."""
    before = urlsplit(request.headers.get("referer", ""))
    if before.netloc != request.url.netloc:
        return "/"
    return own_path(before.path + (f"?{before.query}" if before.query else ""))


def error_page(request: Request, error: Exception) -> Response:
    """Return what went wrong as a page; without a log-in it is the form to log in."""
    if isinstance(error, NotLoggedIn):
        if request.method == "GET":
            wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
            return see_other(f"/login?next={quote(wanted, safe='')}" if wanted != "/" else "/login")
        # what was sent is not kept: it may be protected
        return see_other(f"/login?ended=true&next={quote(_page_before(request), safe='')}")
    status, title, detail = status_and_words(error)
    try:
        identity = find_identity(request)
    except Exception:
        # the store is away, or the session ended in between: the page can do without
        identity = None
    return render(request, "error.html", identity, status=status, title=title, detail=detail)
