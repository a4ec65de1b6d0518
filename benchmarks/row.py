"""One measured figure."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Row"]


@dataclass(frozen=True, slots=True)
class Row:
    """A figure, the bar it should stay under, and what a peer needs for the same work.

    Examples
    --------
    >>> Row("auditor --help", 0.12, "s", bar=0.4).holds, Row("edges added", 893, "edges", bar=880).holds
    (True, False)
    """

    work: str
    """What was measured, with its instance; the key of the row in docs/performance.md."""
    value: float
    unit: str
    bar: float | None = None
    """The value should be at most this."""
    peer: str = ""
    """Who else does this, and their value: ``paper: 893``."""

    @property
    def holds(self) -> bool:
        """Whether the value is within its bar; true without one."""
        return self.bar is None or self.value <= self.bar
