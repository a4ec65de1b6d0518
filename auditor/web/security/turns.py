"""Long computations that a person waits for: few at a time, so that the service goes on answering everybody else."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Semaphore

from auditor.core.errors import AuditorError

_SHORT = 0.25


class TooBusy(AuditorError):
    """As many computations are under way as the service does at a time."""


class Turns:
    """Turns at computing, in this process.

    Parameters
    ----------
    most : int
        How many there are at a time.

    Examples
    --------
    >>> turns = Turns(1)
    >>> with turns.one(), turns.one():
    ...     pass
    Traceback (most recent call last):
    ...
    auditor.web.security.turns.TooBusy: others are having risks and bounds computed; try again in a moment
    >>> with turns.one():
    ...     pass
    """

    def __init__(self, most: int) -> None:
        self._turns = Semaphore(most)

    @contextmanager
    def one(self) -> Iterator[None]:
        """Take a turn.

        Raises
        ------
        TooBusy
            If there is none for a moment.
        """
        if not self._turns.acquire(timeout=_SHORT):
            raise TooBusy("others are having risks and bounds computed; try again in a moment")
        try:
            yield
        finally:
            self._turns.release()


MEASURING = Turns(3)
"""Those of views of risks and bounds."""
