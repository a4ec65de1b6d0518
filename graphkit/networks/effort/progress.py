"""How an engine says what it has reached while it works."""

from collections.abc import Callable

Progress = Callable[[str, int | None, int | None], None]
"""Called with the phase, the size of the best valid set so far and the proven bound (None: none yet)."""


def silent(phase: str, incumbent: int | None, bound: int | None) -> None:
    """Report nothing.

    Examples
    --------
    >>> silent("bound", None, None)
    """
