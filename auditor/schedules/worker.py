"""A worker: it takes the ticks that are due, one after another, and has their subjects audited.

Any number of workers may run at once, on one machine or many. A tick belongs to the one that claims it; an audit is
recorded under an id that follows from tick and subject, in a transaction that makes sure that the tick is still held.
So a worker may be killed at any moment, and every audit is still recorded exactly once.
"""

import heapq
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache, partial

from auditor.core.clock import Clock
from auditor.core.errors import BadInput, StoreUnavailable, reason_of
from auditor.core.recorded_runs import Run
from auditor.core.transactions import Transaction
from auditor.policy import Policy, stored_policy
from auditor.schedules.cron import Cron, parse_cron
from auditor.schedules.outcome import RunOutcome
from auditor.schedules.performing import Act, Perform
from auditor.schedules.plan import Step, next_step
from auditor.schedules.repeating import renewed_lease
from auditor.schedules.repository import Schedule, Schedules
from auditor.schedules.runs import LeaseLost, Runs

_LONGEST_REASON = 300
# clocks of two machines may differ by so much without one of them being called wrong
_AHEAD = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How long a worker holds a tick, and how often a failed one is tried."""

    lease: timedelta = timedelta(minutes=5)
    """After so long without a sign of life a tick is taken over; more than the clocks of the machines may differ."""
    attempts: int = 3
    first_wait: timedelta = timedelta(minutes=1)
    """Until the second attempt; each wait is five times the one before."""

    def wait(self, attempts: int) -> timedelta | None:
        """Return how long to wait after so many attempts; None to give up.

        Examples
        --------
        >>> [str(RetryPolicy().wait(attempts)) for attempts in (1, 2, 3)]
        ['0:01:00', '0:05:00', 'None']
        """
        return None if attempts >= self.attempts else self.first_wait * 5 ** (attempts - 1)


@dataclass(slots=True)
class Worker:
    """Does what is due."""

    schedules: Schedules
    runs: Runs
    perform: Perform
    """Audits a subject."""
    _: KW_ONLY
    clock: Clock
    """The time; that of the store's ledger."""
    name: str
    """Who it is, as runs keep it."""
    retry_policy: RetryPolicy = field(default_factory=RetryPolicy)
    stopping: Callable[[], bool] = lambda: False
    """Asked before each run whether to end."""
    act: Act | None = None
    """Makes protected exports."""
    _dropped: list[Run] = field(default_factory=list)

    def run_due(self, now: datetime) -> Iterator[RunOutcome]:
        """Do all that is due at a time and that nobody else has, the oldest first, and yield what became of each.

        Parameters
        ----------
        now : datetime
            What is due later is left, however long this takes.

        Raises
        ------
        StoreUnavailable
            If the store is away; nothing is lost, and a later run goes on.
        """
        while self._dropped:
            # the store was away: without this the worker would wait for its own lease to end
            self.runs.release(self._dropped[-1])
            self._dropped.pop()
        schedules = {schedule.id: schedule for schedule in self.schedules.list() if not schedule.paused}
        yield from self._run_free(schedules)
        yield from self._run_new(list(schedules.values()), now)

    def next_due(self, now: datetime) -> datetime | None:
        """Return the next time at which there may be something to do; None for no time that is known."""
        times = [self.runs.next_free()]
        for schedule in self.schedules.list():
            if not schedule.paused:
                try:
                    # of a clock that was set back it is looked at soon
                    times.append(_cron_of(schedule).next_after(min(schedule.settled_until, now + _AHEAD)))
                except BadInput:
                    continue
        return min((time for time in times if time is not None), default=None)

    def _run_free(self, schedules: dict[str, Schedule]) -> Iterator[RunOutcome]:
        """Go on with what others left, and try again what failed."""
        for run in self.runs.free():
            if self.stopping():
                return
            schedule = schedules.get(run.schedule)
            if schedule is None:
                continue
            policy = self.retry_policy
            taken = self.runs.take_over(run, worker=self.name, lease=policy.lease, most=policy.attempts)
            if taken is None:
                continue
            if taken.status == "failed":
                yield RunOutcome(schedule.name, taken.due, "failed", {}, taken.reason)
            else:
                yield self._done(schedule, taken)

    def _run_new(self, schedules: list[Schedule], now: datetime) -> Iterator[RunOutcome]:
        """Take ticks over all schedules in the order of their due times."""
        waiting: list[tuple[datetime, str, Schedule, Step]] = []
        for schedule in schedules:
            until = schedule.settled_until
            if until > max(now + _AHEAD, schedule.begins_at):
                # by a clock that was ahead, this one or another: what it skipped is still to come
                until = self.runs.set_back(schedule.id, seen=until, now=now) or until
            try:
                _add_step(waiting, replace(schedule, settled_until=until), now)
            except BadInput as error:
                # written by another version, or its time zone is unknown here
                yield RunOutcome(schedule.name, None, "failed", {}, str(error))
        while waiting and not self.stopping():
            _, _, schedule, step = heapq.heappop(waiting)
            run, settled = self.runs.claim(
                schedule.id, step, seen=schedule.settled_until, worker=self.name, lease=self.retry_policy.lease
            )
            if run is not None:
                yield replace(self._done(schedule, run), skipped=step.skipped)
            elif step.due is None and settled == step.at:
                yield RunOutcome(schedule.name, None, "skipped", {}, skipped=step.skipped)
            if settled is not None:
                # that is further on, by this worker or by another one
                _add_step(waiting, replace(schedule, settled_until=settled), now)

    def _done(self, schedule: Schedule, run: Run) -> RunOutcome:
        """Have all subjects audited; one that fails is no reason to leave the others out."""
        verdicts: dict[str, str] = {}
        reasons: list[str] = []
        ended, export = False, None
        outcome = partial(RunOutcome, schedule.name, run.due)
        # an export belongs to the tick, too
        acts = schedule.protect_k is not None and self.act is not None
        try:
            with renewed_lease(self.runs, run, self.retry_policy.lease):
                policy = _policy_of(schedule)
                for place, subject in enumerate(schedule.subjects, start=1):
                    last = place == len(schedule.subjects) and not reasons and not acts
                    try:
                        verdicts[subject], ended = self._audited(subject, policy, run, last=last)
                    except (LeaseLost, StoreUnavailable):
                        raise
                    except Exception as error:
                        reasons.append(f"{subject}: {reason_of(error)}")
                if acts and not reasons:
                    export = self._exported(schedule, policy, run, reasons)
            if not reasons:
                if not ended:
                    self.runs.finish(run)
                return outcome("done", verdicts, export=export)
            reason = "; ".join(reasons)[:_LONGEST_REASON]
            wait = self.retry_policy.wait(run.attempts)
            retry_at = None if wait is None else self.clock() + wait
            self.runs.fail(run, reason, retry_at)
            return outcome("failed", verdicts, reason, retry_at)
        except LeaseLost as error:
            return outcome("lost", verdicts, str(error))
        except StoreUnavailable:
            self._dropped.append(run)
            raise
        except (KeyboardInterrupt, SystemExit):
            # made to end at once: another worker need not wait for the lease
            self.runs.release(run)
            raise

    def _audited(self, subject: str, policy: Policy, run: Run, *, last: bool) -> tuple[str, bool]:
        """Have a subject audited, and return the verdict and whether the tick was noted as done with it."""
        ended = False

        def finish(tx: Transaction) -> None:
            nonlocal ended
            self.runs.hold(tx, run, last=last)
            ended = last

        # not called for an audit that an attempt before this one has recorded
        return self.perform(subject, policy, run.audit_id(subject), finish), ended

    def _exported(self, schedule: Schedule, policy: Policy, run: Run, reasons: list[str]) -> str | None:
        """Have a protected export made where one is wanted, and return its id; say why it could not be."""
        assert self.act is not None
        try:
            return self.act(schedule, policy, run, lambda tx: self.runs.hold(tx, run))
        except (LeaseLost, StoreUnavailable):
            raise
        except Exception as error:
            reasons.append(f"export: {reason_of(error)}")
            return None


def _add_step(waiting: list[tuple[datetime, str, Schedule, Step]], schedule: Schedule, now: datetime) -> None:
    step = next_step(_cron_of(schedule), schedule.catch_up, schedule.settled_until, now)
    if step is not None:
        heapq.heappush(waiting, (step.at, schedule.id, schedule, step))


def _cron_of(schedule: Schedule) -> Cron:
    return _parsed(schedule.cron, schedule.timezone)


_parsed = lru_cache(maxsize=1_000)(parse_cron)


def _policy_of(schedule: Schedule) -> Policy:
    return stored_policy(schedule.policy_text, f"policy of the schedule {schedule.name!r}")
