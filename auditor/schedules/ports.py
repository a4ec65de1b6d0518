"""What a worker needs of the world: the store's schedules and ticks, and who performs an audit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

from auditor.core.hooks import TransactionHook
from auditor.core.recorded_runs import Run, SkippedRuns
from auditor.schedules.repository import Schedule

if TYPE_CHECKING:
    from auditor.policy import Policy

Perform = Callable[[str, "Policy", str, TransactionHook], str]
"""Audits a subject under a policy, records that under an id unless it is recorded already, and returns the verdict."""


Act = Callable[["Schedule", "Policy", "Run", TransactionHook], "str | None"]
"""Makes a protected export where a schedule wants one, unless there is a good one; returns its id. It is given what
raises, in the transaction that records, where the tick was taken over."""


class ScheduleRepository(Protocol):
    """As :class:`auditor.schedules.repository.Schedules`."""

    def list(self) -> Sequence[Schedule]:
        """Return all schedules."""


class RunRepository(Protocol):
    """As :class:`auditor.schedules.runs.Runs`."""

    def claim(
        self,
        schedule: str,
        *,
        seen: datetime,
        due: datetime | None,
        skipped: SkippedRuns | None,
        worker: str,
        lease: timedelta,
    ) -> tuple[Run | None, datetime | None]:
        """Settle the next due time of a schedule."""

    def set_back(self, schedule: str, *, seen: datetime, now: datetime) -> datetime | None:
        """Take back what a clock that was ahead has settled."""

    def take_over(self, run: Run, *, worker: str, lease: timedelta, most: int) -> Run | None:
        """Take a tick that is free."""

    def renew(self, run: Run, lease: timedelta) -> bool:
        """Hold a tick for another while."""

    def hold(self, tx: Any, run: Run, *, last: bool = False) -> None:
        """Make sure that a tick is held; after the last of its audits it is done."""

    def finish(self, run: Run) -> None:
        """Note that a tick is done."""

    def fail(self, run: Run, reason: str, retry_at: datetime | None) -> None:
        """Note that a tick failed."""

    def release(self, run: Run) -> None:
        """Let go of a tick."""

    def free(self) -> list[Run]:
        """Return the ticks that can be taken over."""

    def next_free(self) -> datetime | None:
        """Return when the next one can be."""
