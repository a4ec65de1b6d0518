"""What became of a tick, and what a run of several means for a script."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from auditor.core.recorded_runs import SkippedRuns


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """What a worker did of a schedule in one go."""

    schedule: str
    """Name of the schedule."""
    due: datetime | None
    """None where the whole schedule could not be worked on, or ticks were only skipped."""
    status: Literal["done", "failed", "skipped", "lost"]
    """``lost``: another worker has taken the tick over."""
    verdicts: Mapping[str, str]
    """Of the subjects that were audited."""
    reason: str | None = None
    """Why it failed; without protected values."""
    retry_at: datetime | None = None
    skipped: SkippedRuns | None = None
    """Those before it that nobody will do."""
    export: str | None = None
    """Id of the protected export that was made."""


def exit_code(outcomes: Iterable[RunOutcome]) -> int:
    """Return 3 if something could not be completed, else 1 if an audit says violated, else 0.

    Examples
    --------
    >>> exit_code([RunOutcome("a", None, "done", {"network:n": "violated"})])
    1
    >>> exit_code([RunOutcome("a", None, "done", {"network:n": "passed"}), RunOutcome("b", None, "failed", {})])
    3
    """
    code = 0
    for outcome in outcomes:
        verdicts = set(outcome.verdicts.values())
        if outcome.status in ("failed", "lost") or verdicts - {"passed", "violated"}:
            return 3
        if "violated" in verdicts:
            code = 1
    return code
