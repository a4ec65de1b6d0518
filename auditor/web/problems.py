"""Errors as problem details (RFC 9457): what went wrong in a sentence, never what was in the data."""

import logging
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from auditor.core.errors import (
    AlreadyExists,
    AuditorError,
    BadInput,
    NotFound,
    Refused,
    StoreConflict,
    StoreLocked,
    StoreUnavailable,
)
from auditor.web.security.identity import Forbidden, NotLoggedIn
from auditor.web.security.streams import TooManyStreams
from auditor.web.security.turns import TooBusy
from graphkit.errors import GraphkitError, InvalidInput

_LOG = logging.getLogger("auditor.web")
_MEDIA = "application/problem+json"

# the first that fits
_STATUSES: tuple[tuple[type[Exception], int, str], ...] = (
    (Forbidden, 403, "Not allowed"),
    (TooManyStreams, 429, "Too many streams"),
    (TooBusy, 503, "The service is busy"),
    (NotFound, 404, "Not found"),
    (AlreadyExists, 409, "It already exists"),
    (Refused, 409, "The answer is no"),
    (BadInput, 422, "The request cannot be understood"),
    (InvalidInput, 422, "The request cannot be understood"),
    (StoreConflict, 409, "It changed meanwhile"),
    (StoreLocked, 503, "The store is busy"),
    (StoreUnavailable, 503, "The store is away"),
    (AuditorError, 500, "It could not be completed"),
    (GraphkitError, 500, "It could not be completed"),
)
_TITLES = {
    400: "The request cannot be understood",
    404: "Not found",
    405: "Not possible here",
    406: "Not available in that format",
    413: "The request is too large",
    415: "Not in that form",
}


class Problem(BaseModel):
    """What went wrong."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str | None = None


PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": words, "content": {_MEDIA: {}}}
    for status, words in {
        400: "The request cannot be read.",
        401: "No valid token or session.",
        403: "Not allowed with this token.",
        404: "There is no such thing.",
        409: "It already exists, was changed meanwhile, or the answer is no.",
        413: "The request is too large.",
        415: "The body is of another kind.",
        422: "The request does not fit.",
        429: "Too many requests; Retry-After says when to come again.",
        503: "The store is away, or the service is busy; Retry-After says when to come again.",
    }.items()
}
"""What every route of the API may answer, for its description."""


def problem_response(status: int, title: str, detail: str | None = None) -> Response:
    """Return a problem as an answer."""
    problem = Problem(title=title, status=status, detail=detail)
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {"Retry-After": "5"} if status in (429, 503) else {}
    return JSONResponse(problem.model_dump(exclude_none=True), status, headers, media_type=_MEDIA)


def http_problem(error: HTTPException) -> Response:
    """Return an error of HTTP as a problem; what the framework says of one is not passed on."""
    detail = error.detail if error.status_code == 413 else None
    response = problem_response(error.status_code, _TITLES.get(error.status_code, "The request was refused"), detail)
    response.headers.update(error.headers or {})
    return response


def status_and_words(error: Exception) -> tuple[int, str, str | None]:
    """Return the status of an error, a title, and what can be said of it; only our own errors speak for themselves."""
    if isinstance(error, NotLoggedIn):
        return 401, "Log in first", "send a valid token as 'Authorization: Bearer ...'"
    for kind, status, title in _STATUSES:
        if isinstance(error, kind):
            return status, title, " ".join(str(error).split())
    return 500, "Something went wrong here", None


def add_problem_handlers(app: FastAPI, page: Callable[[Request, Exception], Response]) -> None:
    """Let an application answer errors with problems; outside of the API with a page.

    Parameters
    ----------
    app : FastAPI
    page : callable
        Returns an error as a page.
    """

    async def known(request: Request, error: Exception) -> Response:
        if _is_page(request):
            return await run_in_threadpool(page, request, error)
        return problem_response(*status_and_words(error))

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        # never what was sent: it may be a token, or data
        first = error.errors()[0]
        detail = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        if _is_page(request):
            return await run_in_threadpool(page, request, BadInput(detail))
        return problem_response(422, "The request does not fit", detail)

    async def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if _is_page(request) and error.status_code == 404:
            return await run_in_threadpool(page, request, NotFound("there is no such page"))
        return http_problem(error)

    async def unknown(request: Request, error: Exception) -> Response:
        # its class alone: words of other libraries may quote data
        _LOG.error("%s %s: %s", request.method, request.url.path, type(error).__name__)
        return await known(request, error)

    for kind in (NotLoggedIn, Forbidden, TooManyStreams, AuditorError, GraphkitError):
        app.add_exception_handler(kind, known)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(Exception, unknown)


def _is_page(request: Request) -> bool:
    return not request.url.path.startswith(("/api/", "/static/", "/healthz", "/readyz", "/metrics"))
