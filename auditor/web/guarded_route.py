"""Routes that know who asks, and what they may, before they read anything of a request's body."""

from collections.abc import Callable, Coroutine, Iterator
from typing import Any

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from auditor.web.security.identity import Needs, admit

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class GuardedRoute(APIRoute):
    """A route whose :class:`~auditor.web.security.identity.Needs` are checked first.

    Notes
    -----
    FastAPI reads a body before it solves dependencies. Here nothing of it is read without a valid token and
    the right that the route needs. The dependencies check again, with what was found.
    """

    def get_route_handler(self) -> Handler:
        """Return the handler with the check before it."""
        handler = self.around(super().get_route_handler())

        async def handle(request: Request) -> Response:
            needs = tuple(needs_of(self.dependant))
            if needs:
                await run_in_threadpool(admit, request, needs)
            return await handler(request)

        return handle

    def around(self, handler: Handler) -> Handler:
        """Return the handler with what a kind of route puts around it, once it is known who asks."""
        return handler


def needs_of(dependant: Dependant) -> Iterator[Needs]:
    """Yield what a route needs."""
    if isinstance(dependant.call, Needs):
        yield dependant.call
    for one in dependant.dependencies:
        yield from needs_of(one)
