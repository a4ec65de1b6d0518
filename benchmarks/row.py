"""One measured figure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A figure, the bar it should stay under, and what a peer needs for the same work.

    Examples
    --------
    >>> Row("proven optimal", 85.0, "%", bar=80.0, at_least=True).limit
    '≥ 80 %'
    >>> Row("auditor --help", 0.12, "s", bar=0.4).holds, Row("edges added", 893, "edges", bar=880).holds
    (True, False)
    """

    work: str
    """What was measured, with its instance; the key of the row in docs/figures/performance.csv."""
    value: float
    unit: str
    bar: float | None = None
    """The value should be at most this; at least this where `at_least` says so."""
    peer: str = ""
    """Who else does this, and their value: ``paper: 893``."""
    at_least: bool = False

    @property
    def holds(self) -> bool:
        """Whether the value is within its bar; true without one."""
        if self.bar is None:
            return True
        return self.value >= self.bar if self.at_least else self.value <= self.bar

    @property
    def limit(self) -> str:
        """The bar in words; empty without one."""
        return "" if self.bar is None else f"{'≥' if self.at_least else '≤'} {self.bar:g} {self.unit}"
