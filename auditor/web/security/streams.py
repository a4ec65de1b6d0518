"""How many streams of events one token may have open: each looks at the store twice a second for up to an hour."""

from __future__ import annotations

from collections import Counter
from threading import Lock


class TooManyStreams(Exception):
    """A token has as many streams open as it may."""


class Streams:
    """Counts open streams by token, in this process.

    Parameters
    ----------
    most : int
        How many a token may have.

    Examples
    --------
    >>> streams = Streams(1)
    >>> place = streams.enter("ann")
    >>> streams.enter("ann")
    Traceback (most recent call last):
    ...
    auditor.web.security.streams.TooManyStreams: 1 streams of this token are open; close one, or ask without a stream
    >>> place.leave()
    >>> streams.enter("ann").leave()
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()
        self._lock = Lock()

    def enter(self, token: str) -> Place:
        """Take a place, to be given back.

        Raises
        ------
        TooManyStreams
        """
        with self._lock:
            if self._open[token] >= self._most:
                raise TooManyStreams(f"{self._most} streams of this token are open; close one, or ask without a stream")
            self._open[token] += 1
        return Place(self, token)

    def leave(self, token: str) -> None:
        """Give a place back."""
        with self._lock:
            self._open[token] -= 1
            if not self._open[token]:
                del self._open[token]


class Place:
    """A place among the open streams of a token; given back once, however often that is said.

    Parameters
    ----------
    streams : Streams
    token : str
    """

    def __init__(self, streams: Streams, token: str) -> None:
        self._streams, self._token, self._left = streams, token, False

    def leave(self) -> None:
        """Give it back."""
        if not self._left:
            self._left = True
            self._streams.leave(self._token)
