"""How many streams of events one token may have open: each looks at the store twice a second for up to an hour."""

from collections import Counter
from contextlib import ExitStack
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
    >>> place.close()
    >>> streams.enter("ann").close()
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()
        self._lock = Lock()

    def enter(self, token: str) -> ExitStack:
        """Take a place, and return what gives it back when it is closed: once, however often that is done.

        Raises
        ------
        TooManyStreams
        """
        with self._lock:
            if self._open[token] >= self._most:
                raise TooManyStreams(f"{self._most} streams of this token are open; close one, or ask without a stream")
            self._open[token] += 1
        place = ExitStack()
        place.callback(self._leave, token)
        return place

    def _leave(self, token: str) -> None:
        with self._lock:
            self._open[token] -= 1
            if not self._open[token]:
                del self._open[token]
