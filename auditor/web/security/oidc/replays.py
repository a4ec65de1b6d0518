"""Messages that came already: each counts once."""

from collections import OrderedDict
from threading import Lock

from auditor.access.secret import digest_of

_MOST = 10_000


class Seen:
    """Names of messages, in memory, as many as come within the minutes for which one is fresh.

    Examples
    --------
    >>> seen = Seen()
    >>> seen.knows("a"), seen.note("a"), seen.knows("a"), seen.knows("b")
    (False, None, True, False)
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[str, None] = OrderedDict()
        self._lock = Lock()

    def knows(self, name: str) -> bool:
        """Whether a message was noted."""
        with self._lock:
            return digest_of(name) in self._kept

    def note(self, name: str) -> None:
        """Note a message."""
        with self._lock:
            self._kept[digest_of(name)] = None
            if len(self._kept) > _MOST:
                self._kept.popitem(last=False)
