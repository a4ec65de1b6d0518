"""Scheduler processes that are killed again and again, and what they leave in the store."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import random
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from multiprocessing.context import ForkProcess
from typing import TYPE_CHECKING

from auditor.schedules.repository import Schedules
from auditor.schedules.runs import Runs
from benchmarks.small_subjects import add_network, add_schedule

if TYPE_CHECKING:
    from auditor.config import Settings
    from auditor.store import Store

_NAME = "network"
_LEASE = timedelta(seconds=2)
# a tick may be hit by several kills; here none is given up for that
_ATTEMPTS = 50


@dataclass(frozen=True, slots=True)
class KilledRun:
    """What became of a backlog of ticks."""

    runs: int
    done: int
    audits: int
    entries: int
    """Of the ledger, about audits by schedules."""
    lost: int
    """Ticks without an audit."""
    doubled: int
    """Audits of a tick beyond the first one."""
    kills: int
    taken_over: int
    """Ticks that needed more than one worker."""
    seconds: float
    intact: bool
    """Whether the ledger is."""

    @property
    def is_exact(self) -> bool:
        """Whether every tick is done and has exactly one audit, with one entry in an intact ledger."""
        exact = self.runs == self.done == self.audits == self.entries
        return exact and not self.lost and not self.doubled and self.intact


def add_backlog(store: Store, schedules: int, runs: int) -> None:
    """Add schedules that each have so many ticks to make up for; they audit a small network."""
    from auditor.core.clock import time_text

    add_network(store, _NAME)
    for number in range(schedules):
        add_schedule(store, f"schedule {number}", _NAME, "all")
    began = datetime(store.ledger.clock().year - runs, 1, 1, 1, tzinfo=UTC)
    store.connection.execute(
        "MATCH (s:AuditorSchedule) SET s.settled_until = $begin, s.begins_at = $begin", begin=time_text(began)
    )


def run_with_kills(
    settings: Settings,
    *,
    processes: int,
    runs: int,
    seconds_between_kills: float,
    seed: int,
    most_kills: int | None = None,
    limit: float = 600,
) -> KilledRun:
    """Run workers until no tick is left, killing one (-9) again and again and putting a new one in its place.

    Parameters
    ----------
    settings : Settings
        Of a store with a backlog of `ticks` ticks in all.
    processes : int
    ticks : int
    seconds_between_kills : float
        Each time between half of it and one and a half.
    seed : int
        Which one, and when.
    most_kills : int or None
        After so many, the workers are left alone; None goes on to the end.
    limit : float
        After so many seconds it is given up.
    """
    from auditor.store import open_store

    chance = random.Random(seed)
    names = itertools.count()
    workers = [_started(settings, next(names)) for _ in range(processes)]
    began, kills = time.monotonic(), 0
    try:
        with open_store(settings) as store:
            next_kill = began + seconds_between_kills * chance.uniform(0.5, 1.5)
            while _done(store) < runs and time.monotonic() < began + limit:
                time.sleep(0.05)
                if time.monotonic() >= next_kill and (most_kills is None or kills < most_kills):
                    place = chance.randrange(processes)
                    workers[place].kill()
                    workers[place].join()
                    workers[place] = _started(settings, next(names))
                    kills += 1
                    next_kill = time.monotonic() + seconds_between_kills * chance.uniform(0.5, 1.5)
            took = time.monotonic() - began
            for worker in workers:
                worker.terminate()
            for worker in workers:
                worker.join(60)
            return _measured(store, kills, took)
    finally:
        for worker in workers:
            worker.kill()
            worker.join()


def _started(settings: Settings, number: int) -> ForkProcess:
    process = multiprocessing.get_context("fork").Process(target=_work, args=(settings, number))
    process.start()
    return process


def _work(settings: Settings, number: int) -> None:
    """Be one scheduler process."""
    from auditor.schedules.daemon import run_until_stopped
    from auditor.schedules.performing import audits_in
    from auditor.schedules.worker import RetryPolicy, Worker
    from auditor.store import open_store
    from cli.terminal.ending import Ending

    with Ending() as ending, open_store(settings) as store:
        worker = Worker(
            Schedules(store),
            Runs(store),
            audits_in(store, "benchmark"),
            clock=store.ledger.clock,
            name=f"{number} {os.getpid()}",
            retry_policy=RetryPolicy(lease=_LEASE, attempts=_ATTEMPTS),
            stopping=ending.is_asked,
        )
        run_until_stopped(worker, clock=store.ledger.clock, wait=ending.wait, report=_ignore, trouble=_ignore)


def _ignore(what: object) -> None:
    """Nobody listens."""


def _done(store: Store) -> int:
    return int(store.connection.read("MATCH (t:AuditorTick {status: 'done'}) RETURN count(t) AS n")[0]["n"])


def _measured(store: Store, kills: int, seconds: float) -> KilledRun:
    from collections import Counter

    from auditor.core.recorded_runs import Run

    found: list[Run] = [
        run for schedule in Schedules(store).list() for run in Runs(store).of_schedule(schedule.id, 1_000_000)
    ]
    records = store.connection.read("MATCH (a:AuditorAudit {trigger: 'schedule'}) RETURN a.id AS id")
    audits = Counter(str(record["id"]) for record in records)
    wanted = {run.audit_id(f"network:{_NAME}") for run in found}
    report = store.ledger.verify()
    entries = store.connection.read(
        "MATCH (e:AuditorEntry {kind: 'audit'}) WHERE e.payload CONTAINS '\"trigger\":\"schedule\"' "
        "RETURN count(e) AS n"
    )
    return KilledRun(
        runs=len(found),
        done=sum(run.status == "done" for run in found),
        audits=audits.total(),
        entries=int(entries[0]["n"]),
        lost=len(wanted - set(audits)),
        doubled=audits.total() - len(audits) + len(set(audits) - wanted),
        kills=kills,
        taken_over=sum(run.attempts > 1 for run in found),
        seconds=seconds,
        intact=report.intact,
    )
