"""Log-ins that were begun and are not finished: each answer of the provider belongs to one of them, once."""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from auditor.access.secret import digest_of

SECONDS = 600.0
"""How long a person may take at the provider."""

_MOST = 10_000
_BYTES = 32


def _random() -> str:
    return secrets.token_urlsafe(_BYTES)


@dataclass(frozen=True, slots=True)
class Begun:
    """A log-in that was begun in one browser."""

    next: str
    """The page of this service to go to."""
    state: str = field(default_factory=_random)
    nonce: str = field(default_factory=_random)
    verifier: str = field(default_factory=_random)
    """What the code is redeemed with (PKCE)."""
    browser: str = field(default_factory=_random)
    """Text of the cookie of that browser: no other one can finish it."""


class PendingLogIns:
    """What was begun, in the memory of this process, oldest first.

    Parameters
    ----------
    clock : callable, optional
        Returns seconds.

    Examples
    --------
    >>> pending = PendingLogIns()
    >>> begun = pending.begin("/tables")
    >>> pending.take(begun.state, "another browser's cookie") is None
    True
    >>> pending.take(begun.state, begun.browser) is None
    True

    A state is good for one try:

    >>> again = pending.begin("/tables")
    >>> pending.take(again.state, again.browser).next, pending.take(again.state, again.browser)
    ('/tables', None)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._kept: OrderedDict[str, tuple[float, Begun]] = OrderedDict()
        self._clock = clock
        self._lock = Lock()

    def begin(self, next: str) -> Begun:
        """Begin a log-in that leads to a page of this service."""
        begun = Begun(next)
        with self._lock:
            self._kept[digest_of(begun.state)] = (self._clock() + SECONDS, begun)
            if len(self._kept) > _MOST:
                self._kept.popitem(last=False)
        return begun

    def take(self, state: str, browser: str) -> Begun | None:
        """Return the log-in of a state and a browser's cookie, and forget it; None if there is none or its time is up.

        It is forgotten whatever comes of it: nobody tries twice.
        """
        with self._lock:
            until, begun = self._kept.pop(digest_of(state), (0.0, None))
        if begun is None or self._clock() >= until:
            return None
        return begun if secrets.compare_digest(begun.browser.encode(), browser.encode()) else None
