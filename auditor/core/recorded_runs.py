"""A tick as the store keeps it."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from auditor.core.clock import time_text

RunStatus = Literal["claimed", "done", "failed", "skipped"]

# of the ids of audits; fixed for ever, or a tick that is taken over would be recorded twice
_NAMESPACE = uuid.UUID("6f1f6a0e-6a0c-5d0a-9a0b-7a3e3d2c1b10")


@dataclass(frozen=True, slots=True)
class SkippedRuns:
    """Due times in a row that nobody did and nobody will do."""

    first: datetime
    last: datetime
    count: int | None
    """How many; None for more than anybody counted."""

    def values(self) -> dict[str, Any]:
        """Return what their record holds beside the last one."""
        return {"first_due": time_text(self.first), "count": self.count}


@dataclass(frozen=True, slots=True)
class Run:
    """A due time of a schedule, and what became of it."""

    id: str
    schedule: str
    """Id of the schedule."""
    due: datetime
    """Of skipped ones the last."""
    status: RunStatus
    """``failed`` with :attr:`retry_at` is tried again."""
    attempts: int
    worker: str | None = None
    claim: str | None = None
    """Random; tells the one who has it from all who had it before."""
    lease_until: datetime | None = None
    retry_at: datetime | None = None
    finished_at: datetime | None = None
    reason: str | None = None
    """Why it failed; without protected values."""
    first_due: datetime | None = None
    """Of skipped ones."""
    count: int | None = None

    def audit_id(self, subject: str) -> str:
        """Return the id of the audit of a subject that this tick makes, whoever makes it.

        Examples
        --------
        >>> due = datetime.fromisoformat("2026-03-01T12:00:00Z")
        >>> Run(run_id("s", due), "s", due, "claimed", 1).audit_id("network:friends")
        '300bdf8e-efd1-50ec-838c-f86da7e2d8c2'
        """
        return str(uuid.uuid5(_NAMESPACE, f"{self.id} {subject}"))


def run_id(schedule: str, due: datetime) -> str:
    """Return the id of the tick of a schedule at a due time."""
    return f"{schedule}/{time_text(due)}"
