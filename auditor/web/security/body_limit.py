"""Bodies of requests are read up to a limit, whatever they say of their length."""

import contextlib
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from auditor.web.problems import problem_response


class _TooLarge(Exception):
    """More came than is taken."""


class BodyLimit:
    """Middleware that refuses bodies that are too large with 413.

    Parameters
    ----------
    app : ASGI application
    most : callable
        Returns how many bytes a request with this method and path may have.
    """

    def __init__(self, app: ASGIApp, *, most: Callable[[str, str], int]) -> None:
        self._app, self._most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and count what it brings."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._most(scope["method"], scope["path"])
        said = dict(scope["headers"]).get(b"content-length", b"0")
        response = problem_response(413, "The request is too large", f"at most {most} bytes are taken here")
        if not said.isdigit() or int(said) > most:
            await response(scope, receive, send)
            return
        came, begun, exceeded = 0, False, False

        async def counted() -> Message:
            nonlocal came, exceeded
            message = await receive()
            came += len(message.get("body", b""))
            if came > most:
                exceeded = True
                raise _TooLarge
            return message

        async def noted(message: Message) -> None:
            nonlocal begun
            # whoever reads the body takes the error for a broken one, and says so
            if begun or not exceeded:
                begun = True
                await send(message)

        with contextlib.suppress(_TooLarge):
            await self._app(scope, counted, noted)
        if exceeded and not begun:
            await response(scope, receive, send)
