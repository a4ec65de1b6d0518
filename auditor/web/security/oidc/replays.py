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
    >>> seen.note("a"), seen.note("a"), seen.note("b")
    (True, False, True)
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[str, None] = OrderedDict()
        self._lock = Lock()

    def note(self, name: str) -> bool:
        """Note a message, and return whether it is a new one."""
        with self._lock:
            if digest_of(name) in self._kept:
                return False
            self._kept[digest_of(name)] = None
            if len(self._kept) > _MOST:
                self._kept.popitem(last=False)
            return True
