"""Rates of requests, and of failed attempts to log in: a bucket for each token or address, which fills up again."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from auditor.web.problems import problem_response
from auditor.web.security.shown import KnownTokens, network_of, shown_text

_MOST = 10_000


class Buckets:
    """Buckets by key, in memory; the ones that were not asked for longest are forgotten first.

    Parameters
    ----------
    per_second : float
        How fast a bucket fills.
    size : float
        How much it holds; a new one is full.
    clock : callable, optional
        Returns seconds.

    Examples
    --------
    >>> now = [0.0]
    >>> buckets = Buckets(per_second=1, size=2, clock=lambda: now[0])
    >>> [buckets.take("ann") for _ in range(3)]
    [0.0, 0.0, 1.0]
    >>> now[0] = 1.5
    >>> buckets.take("ann"), buckets.take("ann")
    (0.0, 0.5)
    """

    def __init__(self, *, per_second: float, size: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._size, self._clock = per_second, size, clock
        self._kept: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def take(self, key: str) -> float:
        """Take one from a bucket, and return 0; or take none, and return after how many seconds there will be one."""
        with self._lock:
            level = self._level(key)
            if level < 1:
                return (1 - level) / self._rate
            self._keep(key, level - 1)
            return 0.0

    def wait(self, key: str) -> float:
        """Return after how many seconds there will be one to take; 0 for now."""
        with self._lock:
            return max(0.0, (1 - self._level(key)) / self._rate)

    def _level(self, key: str) -> float:
        level, since = self._kept.get(key, (self._size, self._clock()))
        return min(self._size, level + (self._clock() - since) * self._rate)

    def _keep(self, key: str, level: float) -> None:
        self._kept[key] = (level, self._clock())
        self._kept.move_to_end(key)
        if len(self._kept) > _MOST:
            self._kept.popitem(last=False)


class RateLimit:
    """Middleware that answers 429 to whoever asks too often.

    Parameters
    ----------
    app : ASGI application
    buckets : Buckets
    known : KnownTokens
        Each token has a bucket, whatever cookies and sessions it is shown with. Everything else counts for the address
        that it comes from: what nobody has looked up yet may be made up, another one for each request.
    cookie : str
        Name of the session's cookie.
    """

    def __init__(self, app: ASGIApp, *, buckets: Buckets, known: KnownTokens, cookie: str) -> None:
        self._app, self._buckets, self._known, self._cookie = app, buckets, known, cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or say when to come again."""
        if scope["type"] == "http":
            wait = self._buckets.take(self._key(scope))
            if wait:
                response = problem_response(429, "Too many requests", "ask again later, and less often")
                response.headers["Retry-After"] = str(math.ceil(wait))
                await response(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _key(self, scope: Scope) -> str:
        shown = shown_text(Headers(scope=scope), self._cookie)
        token = None if shown is None else self._known.find(shown)
        client = scope.get("client")
        return f"token {token}" if token is not None else f"address {network_of(client[0] if client else '')}"
