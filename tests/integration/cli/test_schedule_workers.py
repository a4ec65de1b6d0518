"""Scheduler processes that are killed in the middle of their work: every tick ends with exactly one audit."""

from __future__ import annotations

import os
import signal
from datetime import timedelta

import pytest

from auditor.audits.repository import Audits
from auditor.config import Settings
from auditor.policy import Policy
from auditor.schedules.performing import audits_in
from auditor.schedules.repository import Schedules
from auditor.schedules.runs import Runs
from auditor.schedules.worker import RetryPolicy, Worker
from auditor.store.connection import Connection
from auditor.store.opening import Store, open_store
from auditor.store.schema.head import ensure_schema
from benchmarks.schedule_workers import add_backlog, run_with_kills
from tests.support.schedules import SetClock

pytestmark = pytest.mark.neo4j


@pytest.fixture
def store(neo4j_connection: Connection) -> Store:
    ensure_schema(neo4j_connection)
    return Store(neo4j_connection)


def _worker(store: Store, clock: SetClock) -> Worker:
    store.ledger.clock = clock
    patience = RetryPolicy(lease=timedelta(minutes=5), attempts=3)
    return Worker(
        Schedules(store),
        Runs(store),
        audits_in(store, "ada"),
        clock=clock,
        name=str(os.getpid()),
        retry_policy=patience,
    )


@pytest.mark.parametrize("moment", ["before the audit", "in its transaction", "after the audit"])
def test_a_process_killed_in_the_middle_of_a_tick_leaves_one_audit_in_the_end(
    store: Store, neo4j_settings: Settings, moment: str
) -> None:
    add_backlog(store, 1, 1)
    clock = SetClock(store.ledger.clock())
    child = os.fork()
    if child == 0:
        try:
            _work_and_die(neo4j_settings, clock, moment)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL
    audits = "MATCH (a:AuditorAudit) RETURN count(a) AS n"
    assert store.connection.read(audits)[0]["n"] == (1 if moment == "after the audit" else 0)
    # as long as its lease runs, nobody touches it
    worker = _worker(store, clock)
    assert list(worker.run_due(clock.now)) == []
    clock.go(minutes=5)
    outcomes = list(worker.run_due(clock.now))
    # the last audit of a tick ends it in the same transaction: nothing is left to do after it
    assert len(outcomes) == (0 if moment == "after the audit" else 1)
    (schedule,) = Schedules(store).list()
    (tick,) = Runs(store).of_schedule(schedule.id, 10)
    assert tick.status == "done"
    made = [audit.verdict for audit in Audits(store).list("network:network")]
    assert made == ["violated"]
    assert list(worker.run_due(clock.now)) == []
    assert store.ledger.verify().intact


def _work_and_die(settings: Settings, clock: SetClock, moment: str) -> None:
    with open_store(settings) as store:
        worker = _worker(store, clock)
        real = audits_in(store, "ada")

        def die() -> None:
            os.kill(os.getpid(), signal.SIGKILL)

        def perform(subject: str, policy: Policy, audit_id: str, finish: object) -> str:
            def ending(tx: object) -> None:
                finish(tx)  # type: ignore[operator]
                if moment == "in its transaction":
                    die()

            if moment == "before the audit":
                die()
            verdict = real(subject, policy, audit_id, ending)
            die()
            return verdict

        worker.perform = perform  # type: ignore[assignment]
        list(worker.run_due(clock.now))


@pytest.mark.slow
def test_workers_that_are_killed_again_and_again_lose_and_double_nothing(
    store: Store, neo4j_settings: Settings
) -> None:
    add_backlog(store, schedules=6, runs=20)
    # after so many kills the rest is done in peace, so that it ends on a slow machine as well
    found = run_with_kills(
        neo4j_settings, processes=3, runs=120, seconds_between_kills=0.7, seed=2, most_kills=60, limit=600
    )
    assert found.is_exact, found
    assert found.runs == 120
    assert found.kills > 0
