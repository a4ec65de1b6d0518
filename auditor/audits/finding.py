"""One thing that an audit found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Finding", "Severity"]

Severity = Literal["violation", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule of the policy, what was measured and what was allowed. Holds no label and no attribute."""

    rule: str
    """Name of the rule, as in the policy file."""
    where: str
    """The part of the subject that it is about, in the subject's public terms."""
    severity: Severity
    figure: float | int
    threshold: float | int
    message: str
    """One sentence for a person."""
