"""Routes that answer 304 to who has the answer already, and do nothing twice for one idempotency key."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from auditor.access.secret import digest_of
from auditor.web.problems import problem_response
from auditor.web.service import service_of

__all__ = ["SHOWN_ONCE", "KeptRoute"]

Handler = Callable[[Request], Coroutine[Any, Any, Response]]

SHOWN_ONCE = "x-shown-once"
"""Names, in the description of a route, the parts of its answer that are shown once and kept nowhere."""

_LONGEST_KEY = 200
_LONGEST_BODY = 1 << 20


class KeptRoute(APIRoute):
    """A route of the API.

    Notes
    -----
    An answer to GET carries an ETag of its content; one that was sent with it in ``If-None-Match`` gets 304. For POST
    and DELETE an ``Idempotency-Key`` may be sent: with the same request again it gets the answer of the first one for a
    day, with another request 422, and while the first one is under way 409.
    """

    def get_route_handler(self) -> Handler:
        """Return the handler with both around it."""
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            if request.method in ("GET", "HEAD"):
                return _tagged(request, await handler(request))
            key = request.headers.get("Idempotency-Key")
            if key is None:
                return await handler(request)
            hidden = (self.openapi_extra or {}).get(SHOWN_ONCE, ())
            return await _once(request, key, handler, hidden)

        return handle


def _tagged(request: Request, response: Response) -> Response:
    body = getattr(response, "body", None)
    if response.status_code != 200 or not isinstance(body, bytes):
        return response
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    response.headers["ETag"] = tag
    # it may be kept by who asked, and is asked for again each time
    response.headers["Cache-Control"] = "private, no-cache"
    if tag in (one.strip() for one in request.headers.get("If-None-Match", "").split(",")):
        kept = {name: response.headers[name] for name in ("ETag", "Cache-Control")}
        return Response(status_code=304, headers=kept)
    return response


async def _once(request: Request, key: str, handler: Handler, hidden: Sequence[str]) -> Response:
    if not 0 < len(key) <= _LONGEST_KEY or not key.isprintable():
        return problem_response(422, "The request does not fit", f"Idempotency-Key: 1 to {_LONGEST_KEY} letters")
    answers = service_of(request).store.kept_answers
    who = digest_of(request.headers.get("Authorization") or request.headers.get("Cookie", ""))
    body = await request.body()
    asked = hashlib.sha256(f"{request.method} {request.url.path}?{request.url.query}\n".encode() + body).hexdigest()
    claim, mine = secrets.token_hex(16), f"{who} {key}"
    found = await run_in_threadpool(answers.claim, mine, asked, claim)
    if not found.same:
        return problem_response(422, "The key was used", "this Idempotency-Key was sent with another request before")
    if not found.mine:
        if found.status == 0:
            return problem_response(
                409, "It is under way", "a request with this key has begun; look whether it was done, or ask again"
            )
        return Response(found.body, found.status, {"Idempotency-Replayed": "true"}, media_type="application/json")
    kept = False
    try:
        response = await handler(request)
        body = getattr(response, "body", b"")
        if response.status_code < 300 and len(body) <= _LONGEST_BODY:
            text = _without(bytes(body), hidden)
            await run_in_threadpool(answers.keep, mine, claim, response.status_code, text)
            kept = True
        return response
    finally:
        if not kept:
            await run_in_threadpool(answers.forget, mine, claim)


def _without(body: bytes, hidden: Sequence[str]) -> str:
    if not hidden:
        return body.decode()
    shown = json.loads(body)
    return json.dumps({name: None if name in hidden else value for name, value in shown.items()})
