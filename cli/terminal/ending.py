"""Being told to end, and ending after the work in hand."""

import contextlib
import os
import select
import signal
from types import FrameType
from typing import Any

_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class AskedToEnd(SystemExit):
    """A signal asked the process to end; it unwinds the stack, so that temporary files and transactions are cleaned up.

    Parameters
    ----------
    number : int
        Of the signal; the exit code is 128 more, as a shell says it.
    """

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.exit_code = 128 + number


class Ending:
    """Takes the first signal to end as a wish, the second one as an order; a context manager.

    A pipe and no `threading.Event`: a signal that arrives while the event is being looked at would wait for itself.
    """

    def __init__(self) -> None:
        self.asked = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> "Ending":
        self._read, self._write = os.pipe()
        self._before = {number: signal.signal(number, self._note) for number in _SIGNALS}
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        for end in (self._read, self._write):
            with contextlib.suppress(OSError):
                os.close(end)

    def is_asked(self) -> bool:
        """Whether somebody wants this to end."""
        return self.asked

    def wait(self, seconds: float) -> bool:
        """Sleep for so long, or until somebody wants this to end; return whether somebody does."""
        if not self.asked:
            select.select([self._read], [], [], max(seconds, 0))
        return self.asked

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise AskedToEnd(number)
        self.asked = True
        os.write(self._write, b"x")
