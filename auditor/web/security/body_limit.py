"""Bodies of requests are read up to a limit, whatever they say of their length."""

from collections.abc import Callable

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from auditor.web.problems import http_problem


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
        refusal = HTTPException(413, f"at most {most} bytes are taken here")
        if not said.isdigit() or int(said) > most:
            await http_problem(refusal)(scope, receive, send)
            return
        came = 0

        async def counted() -> Message:
            nonlocal came
            message = await receive()
            came += len(message.get("body", b""))
            if came > most:
                # readers of the body let it pass, and the handler of such errors answers it
                raise refusal
            return message

        await self._app(scope, counted, send)
