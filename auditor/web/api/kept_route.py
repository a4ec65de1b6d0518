"""Routes that answer 304 to clients that have the answer already, and do nothing twice for one idempotency key."""

import asyncio
import contextlib
import hashlib
import json
import secrets
from collections.abc import AsyncIterator, Sequence
from tempfile import SpooledTemporaryFile

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response
from starlette.types import Message, Receive

from auditor.core.errors import StoreError
from auditor.web.api.idempotency_keys import LEASE, IdempotencyKeys, KeptAnswer
from auditor.web.guarded_route import GuardedRoute, Handler, needs_of
from auditor.web.problems import problem_response
from auditor.web.security.identity import Identity, find_identity
from auditor.web.service import service_of

SHOWN_ONCE = "x-shown-once"
"""Names, in the description of a route, the parts of its answer that are shown once and kept nowhere."""

_LONGEST_KEY = 200
_LONGEST_BODY = 1 << 20
# what is larger lies in a temporary file while it is compared
_IN_MEMORY = 1 << 20
_PIECE = 1 << 16
_RENEWALS = 3


class IdempotentRoute(GuardedRoute):
    """A route of the API.

    Notes
    -----
    An answer to GET carries an ETag of its content; one that was sent with it in ``If-None-Match`` gets 304. For POST
    and DELETE an ``Idempotency-Key`` may be sent: with the same request again it gets the answer of the first one for a
    day, with another request 422, and while the first one is under way 409. Who asks and what they may is known before,
    each time: an answer is repeated for the token that got it, while it has the rights that it had then. What needs the
    right to look is never kept: protected figures stay where they are, and each view is one in the ledger.
    """

    def around(self, handler: Handler) -> Handler:
        """Return the handler with both around it."""
        hidden = (self.openapi_extra or {}).get(SHOWN_ONCE, ())
        is_view = any(one.right == "look" for one in needs_of(self.dependant))

        async def handle(request: Request) -> Response:
            if request.method in ("GET", "HEAD"):
                return _tagged(request, await handler(request))
            # looked up before: every route of the API needs a right
            key, identity = request.headers.get("Idempotency-Key"), find_identity(request)
            if key is None or identity is None or is_view:
                return await handler(request)
            return await _once(request, identity, key, handler, hidden)

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


async def _once(request: Request, identity: Identity, key: str, handler: Handler, hidden: Sequence[str]) -> Response:
    if not 0 < len(key) <= _LONGEST_KEY or not key.isprintable():
        return problem_response(422, "The request does not fit", f"Idempotency-Key: 1 to {_LONGEST_KEY} letters")
    answers = IdempotencyKeys(service_of(request).store)
    async with _spooled(request) as (again, asked):
        claim, mine = secrets.token_hex(16), f"{identity.token} {key}"
        found = await run_in_threadpool(answers.claim, mine, asked, claim, rights=sorted(identity.rights))
        if found is not None:
            return _answered_before(found, identity)
        kept = False
        try:
            async with _renewed(answers, mine, claim):
                response = await handler(again)
            body = getattr(response, "body", b"")
            if response.status_code < 300 and len(body) <= _LONGEST_BODY:
                text = _without(bytes(body), hidden)
                await run_in_threadpool(answers.keep, mine, claim, response.status_code, text)
                kept = True
            return response
        finally:
            if not kept:
                await run_in_threadpool(answers.forget, mine, claim)


def _answered_before(found: KeptAnswer, identity: Identity) -> Response:
    if not found.same:
        return problem_response(422, "The key was used", "this Idempotency-Key was sent with another request before")
    if found.status == 0:
        return problem_response(
            409, "It is under way", "a request with this key has begun; look whether it was done, or ask again"
        )
    if not identity.rights.issuperset(found.rights):
        return problem_response(403, "Not allowed", "the first request with this key had rights that you lost")
    return Response(found.body, found.status, {"Idempotency-Replayed": "true"}, media_type="application/json")


@contextlib.asynccontextmanager
async def _spooled(request: Request) -> AsyncIterator[tuple[Request, str]]:
    """Read a body piece by piece, and give the same request with the digest that tells it from others.

    What is more than a megabyte lies in a temporary file; more than the limit on bodies never comes here.
    """
    digest = hashlib.sha256(f"{request.method} {request.url.path}?{request.url.query}\n".encode())
    with SpooledTemporaryFile(max_size=_IN_MEMORY) as spool:
        async for piece in request.stream():
            digest.update(piece)
            await run_in_threadpool(spool.write, piece)
        size = spool.tell()
        spool.seek(0)
        yield Request(request.scope, _reader(spool, size, request.receive)), digest.hexdigest()


def _reader(spool: SpooledTemporaryFile[bytes], size: int, receive: Receive) -> Receive:
    """Return what gives a body that was read before, and then whatever else comes: that the client went away."""
    given, ended = 0, False

    async def read() -> Message:
        nonlocal given, ended
        if ended:
            return await receive()
        piece = await run_in_threadpool(spool.read, _PIECE)
        given += len(piece)
        ended = given >= size
        return {"type": "http.request", "body": piece, "more_body": not ended}

    return read


@contextlib.asynccontextmanager
async def _renewed(answers: IdempotencyKeys, key: str, claim: str) -> AsyncIterator[None]:
    """Renew the lease of a key as long as its request is under way."""

    async def renew() -> None:
        while True:
            await asyncio.sleep(LEASE.total_seconds() / _RENEWALS)
            # the next one may succeed; what is kept in the end is kept under the claim alone
            with contextlib.suppress(StoreError):
                await run_in_threadpool(answers.renew, key, claim)

    renewal = asyncio.create_task(renew())
    try:
        yield
    finally:
        renewal.cancel()


def _without(body: bytes, hidden: Sequence[str]) -> str:
    if not hidden:
        return body.decode()
    shown = json.loads(body)
    return json.dumps({name: None if name in hidden else value for name, value in shown.items()})
