"""Signs of life of workers: whoever looks sees that none runs, or that something is late."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from auditor.operating.store_figures import store_metrics
from auditor.operating.watch import watch_work
from auditor.policy import Policy
from auditor.schedules.repeating import heartbeat
from auditor.schedules.repository import NewSchedule, Schedules
from auditor.schedules.workers import SILENCE, Workers
from auditor.store.connection import Connection
from auditor.store.opening import Store
from auditor.store.schema.head import ensure_schema
from auditor.subjects.networks.repository import Networks
from tests.support.schedules import SetClock, store_with_clock
from tests.support.store_samples import random_network

pytestmark = pytest.mark.neo4j


@pytest.fixture
def clock(neo4j_connection: Connection) -> SetClock:
    ensure_schema(neo4j_connection)
    return SetClock()


@pytest.fixture
def timed(neo4j_connection: Connection, clock: SetClock) -> Store:
    """A store whose clock the test sets."""
    store = store_with_clock(neo4j_connection, clock)
    Networks(store).add("n", random_network(1, n=12, m=14), source="f", actor="ada")
    return store


def schedule(store: Store) -> None:
    Schedules(store).add(NewSchedule(
        "daily", cron="0 6 * * *", timezone="UTC", subjects=("network:n",), policy_hash=Policy().digest(),
        policy_text=Policy().text(), catch_up="last", actor="ann",
    ))  # fmt: skip


def figures(store: Store) -> dict[tuple[str, ...], float]:
    return {
        (sample.name, *sample.labels.values()): sample.value
        for metric in store_metrics(store)
        for sample in metric.samples
        if sample.name.startswith("auditor_worker")
    }


def test_without_schedules_nobody_misses_a_worker(timed: Store) -> None:
    assert watch_work(timed).problems == ()
    assert figures(timed) == {("auditor_workers", "working"): 0, ("auditor_workers", "late"): 0}


def test_no_worker_is_told_and_one_that_lives_is_not(timed: Store, clock: SetClock) -> None:
    schedule(timed)
    assert "no worker runs" in watch_work(timed).problems[0]
    Workers(timed).beat("w 1")
    work = watch_work(timed)
    assert (work.problems, work.working) == ((), 1)
    clock.go(seconds=SILENCE.total_seconds() + 1)
    assert "the last sign of one" in watch_work(timed).problems[0]
    assert figures(timed)[("auditor_workers", "late")] == 1
    assert figures(timed)[("auditor_worker_heartbeat_age_seconds",)] == SILENCE.total_seconds() + 1
    Workers(timed).beat("w 2", within=timedelta(minutes=15))
    clock.go(minutes=10)
    assert watch_work(timed).working == 1


def test_a_due_time_that_nobody_takes_is_late(timed: Store, clock: SetClock) -> None:
    schedule(timed)
    clock.go(days=1, hours=1)
    Workers(timed).beat("w")
    work = watch_work(timed)
    assert work.late == ("daily",)
    assert "late: the schedule 'daily'" in work.problems[0]
    Schedules(timed).pause("daily", actor="ann")
    assert watch_work(timed).problems == ()


def test_a_worker_gives_signs_until_it_ends(timed: Store) -> None:
    came = threading.Event()
    beat = Workers(timed).beat

    class Seen:
        """The workers, and a test that waits for a sign."""

        def beat(self, name: str) -> None:
            beat(name)
            came.set()

        leave = staticmethod(Workers(timed).leave)

    with heartbeat(Seen(), "w"):  # type: ignore[arg-type]
        assert came.wait(60)
        assert [one.name for one in Workers(timed).list()] == ["w"]
    assert Workers(timed).list() == []


def test_what_was_silent_for_days_is_forgotten(timed: Store, clock: SetClock) -> None:
    Workers(timed).beat("old")
    clock.go(days=3)
    Workers(timed).beat("new")
    assert [one.name for one in Workers(timed).list()] == ["new"]
