"""When a message that did not arrive is sent again: later and later, and not all at the same moment."""

from dataclasses import dataclass
from datetime import timedelta

import numpy as np


@dataclass(frozen=True, slots=True)
class Backoff:
    """How often a message is tried, and how long a sender holds it."""

    attempts: int = 12
    """After so many it is dead; with the waits below that is two and a half days."""
    first_wait: timedelta = timedelta(seconds=10)
    """Until the second attempt; each wait is four times the one before."""
    longest_wait: timedelta = timedelta(hours=12)
    lease: timedelta = timedelta(minutes=5)
    """After so long without an answer another sender takes it; longer than any attempt lasts."""

    def wait(self, attempts: int, chance: np.random.Generator) -> timedelta | None:
        """Return how long to wait after so many attempts, from half to one and a half of the plan; None to give up.

        Examples
        --------
        >>> import numpy as np
        >>> [str(Backoff().wait(attempts, np.random.default_rng(1))).split(".")[0] for attempts in (1, 2, 6, 11, 12)]
        ['0:00:10', '0:00:40', '2:52:41', '12:08:30', 'None']
        """
        if attempts >= self.attempts:
            return None
        # a large power of four is no time any more
        planned: timedelta = min(self.first_wait * 4 ** min(attempts - 1, 20), self.longest_wait)
        return planned * (0.5 + float(chance.random()))
