"""Every request is counted and logged by the name of its route: what was asked for stays out of both."""

import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from auditor.config import LogLevel
from auditor.core.spans import SpanFields, span
from auditor.web.service import Service

_OTHER = "(none)"
# a method may be any word that somebody thinks of
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_API = "/api/v1"


class Watch:
    """Middleware that counts and logs requests.

    Parameters
    ----------
    app : ASGI application
    service : Service
        Whose log and metrics.
    """

    def __init__(self, app: ASGIApp, *, service: Service) -> None:
        self._app, self._service = app, service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and note how it was answered."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        with span("request", {"method": scope["method"] if scope["method"] in _METHODS else "_OTHER"}) as told:
            await self._watched(scope, receive, send, told)

    async def _watched(self, scope: Scope, receive: Receive, send: Send, told: SpanFields) -> None:
        began, status = time.monotonic(), 500

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            seconds = time.monotonic() - began
            route = _route_of(scope)
            told["route"], told["answer"] = route, status
            self._service.metrics.count_request(scope["method"], route, status, seconds)
            if self._service.log is not None:
                level: LogLevel = "error" if status >= 500 else "info"
                self._service.log.write(
                    level,
                    "request",
                    process="serve",
                    method=scope["method"],
                    route=route,
                    answer=status,
                    seconds=round(seconds, 4),
                    person=scope.get("state", {}).get("person"),
                )


def _route_of(scope: Scope) -> str:
    """Return a route as it is written in the program; a path that leads nowhere may be anything, and is not told."""
    path: str | None = getattr(scope.get("route"), "path", None)
    if path is None:
        return _OTHER
    # a route below a router knows its own part alone
    return f"{_API}{path}" if scope["path"].startswith(f"{_API}/") else path
