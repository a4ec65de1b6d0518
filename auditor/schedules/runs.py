"""Ticks: a due time of a schedule, taken by one worker at a time, and finished only by who holds it.

A worker holds a tick by a lease that it renews while it works. When it dies, the lease runs out and another worker
takes the tick over; should the first one wake up again, its claim is no longer the tick's, and what it wanted to
record is rolled back. All times are those of the ledger's clock, so leases compare the clocks of the workers' machines.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from auditor.core.clock import parse_time, time_text
from auditor.core.errors import StoreError
from auditor.core.recorded_runs import Run, RunStatus, run_id
from auditor.core.transactions import Transaction
from auditor.schedules.plan import Step
from auditor.store.nodes import NodeRepository, Values
from auditor.store.records import decode

# read, under the store's lock
_SCHEDULE = """
MATCH (s:AuditorSchedule {id: $schedule})
RETURN s.paused AS paused, s.begins_at AS begins_at, s.settled_until AS settled_until
"""
# write, under the store's lock
_CREATE = """
MATCH (s:AuditorSchedule {id: $schedule})
MERGE (t:AuditorTick {schedule: $schedule, due: $due})
ON CREATE SET t += $values
MERGE (t)-[:OF]->(s)
SET s.settled_until = $due
"""
# write, under the store's lock
_SETTLE = "MATCH (s:AuditorSchedule {id: $schedule}) SET s.settled_until = $until"
# write, under the store's lock
_SKIPPED_AHEAD = """
MATCH (t:AuditorTick {schedule: $schedule}) WHERE t.due > $now AND t.status = 'skipped'
WITH t, t.first_due AS first_due
DETACH DELETE t
RETURN min(first_due) AS first_due
"""
# read: whose lease ran out, or whose turn has come again
_FREE = """
MATCH (t:AuditorTick) WHERE t.lease_until <= $now OR t.retry_at <= $now
MATCH (t)-[:OF]->(s:AuditorSchedule {paused: false})
RETURN t {.*} AS tick ORDER BY t.due, t.id
"""
# read
_NEXT_FREE = """
MATCH (t:AuditorTick) WHERE t.lease_until IS NOT NULL OR t.retry_at IS NOT NULL
MATCH (t)-[:OF]->(s:AuditorSchedule {paused: false})
RETURN min(coalesce(t.lease_until, t.retry_at)) AS at
"""
# read: the newest
_OF_SCHEDULE = """
MATCH (t:AuditorTick {schedule: $schedule}) WITH t ORDER BY t.due DESC LIMIT $limit
RETURN t {.*} AS tick
"""
# read
_LATEST = """
MATCH (s:AuditorSchedule)
CALL (s) { MATCH (t:AuditorTick {schedule: s.id}) RETURN t ORDER BY t.due DESC LIMIT 1 }
RETURN t {.*} AS tick
"""

_LOST = "another worker has taken over this run"


class LeaseLost(StoreError):
    """Somebody else has taken the tick over, or its schedule was removed; nothing may be recorded for it."""


class Runs(NodeRepository[Run]):
    """The runs of a store."""

    _label, _record = "AuditorTick", Run

    def claim(
        self, schedule: str, step: Step, *, seen: datetime, worker: str, lease: timedelta
    ) -> tuple[Run | None, datetime | None]:
        """Settle the next due time of a schedule: take its run, note those before it as skipped, in one transaction.

        Parameters
        ----------
        schedule : str
            Id of a schedule.
        step : Step
            The run to take, if any, and those between `seen` and it that nobody will do: one record, however many.
        seen : datetime
            Its :attr:`Schedule.settled_until` as it was when `step` was planned.
        worker : str
            Who takes it.
        lease : timedelta
            For how long, unless it is renewed.

        Returns
        -------
        Run or None
            The run, if it was taken.
        datetime or None
            Up to when the schedule is settled now: another time than `seen` if somebody else was faster. None if it
            is paused or gone.
        """
        claim, due, skipped = secrets.token_hex(16), step.due, step.skipped

        def work(tx: Transaction) -> tuple[Run | None, datetime | None]:
            found = tx.run(_SCHEDULE, schedule=schedule).single()
            if found is None or found["paused"]:
                return None, None
            settled = parse_time(found["settled_until"])
            there = None if due is None else self._read(tx, run_id(schedule, due))
            if there is not None and there.claim == claim:
                return there, settled
            if settled != seen:
                return None, settled
            if there is not None:
                # done before its time, by a clock that was ahead and was set back
                tx.run(_SETTLE, schedule=schedule, until=time_text(there.due)).consume()
                return None, there.due
            if skipped is not None:
                self._create(tx, schedule, skipped.last, {"status": "skipped", **skipped.values()})
                settled = skipped.last
            if due is None:
                return None, settled
            values = {"status": "claimed", "attempts": 1, **self._held(claim, worker, lease)}
            return self._create(tx, schedule, due, values), due

        return self.locked(work)

    def set_back(self, schedule: str, *, seen: datetime, now: datetime) -> datetime | None:
        """Let what a clock that was ahead has settled become due again, except for the ticks that were taken.

        Parameters
        ----------
        schedule : str
            Id of a schedule.
        seen : datetime
            Up to when it is settled; later than `now`.
        now : datetime
            The time of a clock that is trusted.

        Returns
        -------
        datetime or None
            Up to when it is settled now; None if somebody else changed that meanwhile.
        """

        def work(tx: Transaction) -> datetime | None:
            found = tx.run(_SCHEDULE, schedule=schedule).single()
            if found is None or parse_time(found["settled_until"]) != seen:
                return None
            ahead = tx.run(_SKIPPED_AHEAD, schedule=schedule, now=time_text(now)).single(strict=True)["first_due"]
            until = now if ahead is None else min(now, parse_time(ahead) - timedelta(microseconds=1))
            until = max(until, parse_time(found["begins_at"]))
            tx.run(_SETTLE, schedule=schedule, until=time_text(until)).consume()
            return until

        return self.locked(work)

    def take_over(self, run: Run, *, worker: str, lease: timedelta, most: int) -> Run | None:
        """Take a tick whose lease ran out or whose turn has come again; None if somebody else was faster.

        One that was tried `most` times already is given up: it comes back failed, and is nobody's.
        """
        claim = secrets.token_hex(16)

        def taken(found: Run | None) -> Values | None:
            if found is not None and found.claim == claim:
                return {}
            free_at = None if found is None else found.lease_until or found.retry_at
            if found is None or free_at is None or free_at > self._ledger.clock():
                return None
            if found.attempts < most:
                return {"status": "claimed", "attempts": found.attempts + 1, **self._held(claim, worker, lease)}
            return self._ended("failed", f"its worker ended, {found.attempts} times")

        return self.locked(lambda tx: self._changed(tx, run.id, taken))

    def renew(self, run: Run, lease: timedelta) -> bool:
        """Hold a run for another while; False if it is lost."""
        return self._leased_until(run, self._ledger.clock() + lease)

    def hold(self, tx: Transaction, run: Run, *, last: bool = False) -> None:
        """Make sure, in the transaction that records what a tick did, that the tick is still held.

        Parameters
        ----------
        tx : Transaction
        run : Run
        last : bool, optional
            Whether all of the tick is done with that; noted in the same transaction.

        Raises
        ------
        LeaseLost
            If it is not; the transaction must not be committed.
        """
        if not _is_held(self._locked(tx, run.id), run):
            raise LeaseLost(_LOST)
        if last:
            self._set(tx, run.id, self._ended("done"))

    def finish(self, run: Run) -> None:
        """Note that all of a tick was done.

        Raises
        ------
        LeaseLost
            If it is no longer held.
        """
        self._end(run, self._ended("done"))

    def fail(self, run: Run, reason: str, retry_at: datetime | None) -> None:
        """Note that a tick failed, and when it is tried again: None for never.

        Parameters
        ----------
        run : Run
        reason : str
            Without protected values.
        retry_at : datetime or None

        Raises
        ------
        LeaseLost
            If it is no longer held.
        """
        self._end(run, self._ended("failed", reason, retry_at))

    def release(self, run: Run) -> None:
        """Let another worker take a run at once that this one was made to leave."""
        self._leased_until(run, self._ledger.clock())

    def free(self) -> list[Run]:
        """Return the ticks that can be taken over, the oldest first: of ran out leases, and those to be tried again."""
        return self._all(Run, _FREE, now=self._ledger.now())

    def next_free(self) -> datetime | None:
        """Return when the next tick can be taken over, unless its lease is renewed."""
        (record,) = self._connection.read(_NEXT_FREE)
        return None if record["at"] is None else parse_time(record["at"])

    def of_schedule(self, schedule: str, limit: int) -> Sequence[Run]:
        """Return the last ticks of a schedule, by its id, the newest first."""
        return self._all(Run, _OF_SCHEDULE, schedule=schedule, limit=limit)

    def latest(self) -> dict[str, Run]:
        """Return the last tick of every schedule that has one, by the schedule's id."""
        return {run.schedule: run for run in self._all(Run, _LATEST)}

    def _create(self, tx: Transaction, schedule: str, due: datetime, values: Values) -> Run:
        given = {"id": run_id(schedule, due), "attempts": 0, **values}
        tx.run(_CREATE, schedule=schedule, due=time_text(due), values=given).consume()
        return decode(Run, {"schedule": schedule, "due": time_text(due), **given})

    def _end(self, run: Run, values: Values) -> None:
        def ended(found: Run | None) -> Values | None:
            if found is None or found.claim != run.claim:
                raise LeaseLost(_LOST)
            # else the transaction is repeated
            return values if found.status == "claimed" else None

        self._change(run.id, ended)

    def _leased_until(self, run: Run, until: datetime) -> bool:
        values = {"lease_until": time_text(until)}
        return self._change(run.id, lambda found: values if _is_held(found, run) else None) is not None

    def _held(self, claim: str, worker: str, lease: timedelta) -> Values:
        until = time_text(self._ledger.clock() + lease)
        return {"claim": claim, "worker": worker, "lease_until": until, "retry_at": None, "finished_at": None}

    def _ended(self, status: RunStatus, reason: str | None = None, retry_at: datetime | None = None) -> Values:
        """Return what a run that ended has; its claim stays: by it a repeated transaction knows what it committed."""
        again = None if retry_at is None else time_text(retry_at)
        at = self._ledger.now()
        return {"status": status, "reason": reason, "finished_at": at, "lease_until": None, "retry_at": again}


def _is_held(found: Run | None, run: Run) -> bool:
    """Say whether a run, as it is, is still the worker's that claimed it."""
    return found is not None and found.claim == run.claim and found.status == "claimed"
