"""A worker with a clock that the test sets: what it takes, what it skips, and what clock steps do to it."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.core.errors import NotFound, StoreError, StoreUnavailable
from auditor.core.recorded_runs import Run
from auditor.policy import Policy
from auditor.schedules.cron import parse_cron
from auditor.schedules.daemon import LONGEST_SLEEP, run_until_stopped
from auditor.schedules.outcome import RunOutcome
from auditor.schedules.plan import Step
from auditor.schedules.repeating import renewed_lease
from auditor.schedules.worker import RetryPolicy, Worker
from tests.support.schedules import MONDAY, SetClock
from tests.support.tick_book import MemoryBook

SIX = datetime(2026, 1, 5, 6, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def book(clock: SetClock) -> MemoryBook:
    return MemoryBook(clock)


def worker_of(book: MemoryBook, perform: Any = None, name: str = "w", **options: Any) -> Worker:
    return Worker(book, book, perform or book.perform, clock=book.clock, name=name, **options)


def run(book: MemoryBook, worker: Worker | None = None) -> list[RunOutcome]:
    return list((worker or worker_of(book)).run_due(book.clock()))


def test_nothing_is_due_before_its_time_and_once_at_it(book: MemoryBook, clock: SetClock) -> None:
    book.add()
    assert run(book) == []
    clock.now = SIX
    (outcome,) = run(book)
    assert (outcome.due, outcome.status, outcome.verdicts) == (SIX, "done", {"network:n": "passed"})
    assert run(book) == []
    assert len(book.audits) == 1


@pytest.mark.parametrize(
    ("catch_up", "late", "done", "skipped"),
    [
        ("all", 0, 4, 0),
        ("all", 60, 4, 0),
        ("last", 0, 1, 3),
        ("last", 60, 1, 3),
        ("none", 0, 1, 3),
        ("none", 10, 1, 3),
        ("none", 11, 0, 4),
    ],
)
def test_missed_ticks(book: MemoryBook, clock: SetClock, catch_up: Any, late: int, done: int, skipped: int) -> None:
    book.add(catch_up=catch_up)
    clock.now = SIX + 3 * DAY + timedelta(minutes=late)
    outcomes = run(book)
    assert len(book.audits) == len(book.of_status("done")) == done
    assert sum(outcome.status == "done" for outcome in outcomes) == done
    spans = [outcome.skipped for outcome in outcomes if outcome.skipped is not None]
    assert [span.count for span in spans] == ([skipped] if skipped else [])
    # one record, however many
    assert len(book.of_status("skipped")) == (1 if skipped else 0)
    assert run(book) == []


def test_years_of_missed_minutes_are_settled_at_once(book: MemoryBook, clock: SetClock) -> None:
    book.add(cron="* * * * *")
    clock.now = SIX + timedelta(days=3 * 365)
    (outcome,) = run(book)
    assert outcome.due == clock.now
    assert outcome.skipped is not None
    assert (outcome.skipped.last, outcome.skipped.count) == (clock.now - timedelta(minutes=1), None)


def test_all_schedules_are_done_in_the_order_of_their_times(book: MemoryBook, clock: SetClock) -> None:
    book.add("even", cron="0 6,8 * * *", catch_up="all")
    book.add("odd", cron="0 7,9 * * *", catch_up="all")
    clock.now = SIX + timedelta(hours=5)
    assert [outcome.schedule for outcome in run(book)] == ["even", "odd", "even", "odd"]


def test_a_paused_schedule_is_left_alone(book: MemoryBook, clock: SetClock) -> None:
    book.schedules["daily"] = replace(book.add(), paused=True)
    clock.now = SIX
    assert run(book) == []
    assert worker_of(book).next_due(clock.now) is None


def test_a_schedule_that_cannot_be_read_does_not_stop_the_others(book: MemoryBook, clock: SetClock) -> None:
    book.add("broken", timezone="Europe/Atlantis")
    book.add("good")
    clock.now = SIX
    broken, good = run(book)
    assert (broken.status, good.status) == ("failed", "done")
    assert broken.reason is not None
    assert "there is no time zone 'Europe/Atlantis'" in broken.reason


def test_a_subject_that_fails_is_tried_again_and_then_given_up(book: MemoryBook, clock: SetClock) -> None:
    book.add(subjects=("network:gone", "network:n"), catch_up="all")
    told: list[str] = []

    def perform(subject: str, policy: Policy, audit_id: str, finish: Any) -> str:
        told.append(subject)
        if subject == "network:gone":
            raise NotFound("there is no network 'gone'")
        return book.perform(subject, policy, audit_id, finish)

    worker = worker_of(book, perform)
    clock.now = SIX
    (first,) = run(book, worker)
    assert (first.status, first.reason) == ("failed", "network:gone: there is no network 'gone'")
    assert first.verdicts == {"network:n": "passed"}
    assert first.retry_at == SIX + timedelta(minutes=1)
    assert run(book, worker) == []
    assert worker.next_due(clock.now) == first.retry_at
    clock.go(minutes=1)
    (second,) = run(book, worker)
    assert second.retry_at == clock.now + timedelta(minutes=5)
    clock.go(minutes=5)
    (third,) = run(book, worker)
    assert (third.status, third.retry_at) == ("failed", None)
    # the other subject was audited once, and the next tick goes on
    assert [*book.audits.values()] == ["network:n"]
    clock.now = SIX + DAY
    assert [outcome.due for outcome in run(book, worker)] == [clock.now]
    assert len(book.audits) == 2


def test_what_a_foreign_error_says_is_not_kept(book: MemoryBook, clock: SetClock) -> None:
    book.add()

    def perform(*_: Any) -> str:
        raise KeyError("Ada Lovelace, 17")

    clock.now = SIX
    (outcome,) = run(book, worker_of(book, perform))
    assert outcome.reason == "network:n: internal error (KeyError)"


def test_a_worker_whose_tick_was_taken_over_records_nothing(book: MemoryBook, clock: SetClock) -> None:
    book.add()
    other = worker_of(book, name="other")

    def perform(subject: str, policy: Policy, audit_id: str, finish: Any) -> str:
        # it sleeps longer than its lease; the other one does it meanwhile
        clock.go(minutes=6)
        assert [outcome.status for outcome in run(book, other)] == ["done"]
        finish(None)
        raise AssertionError("nothing may be recorded")

    clock.now = SIX
    (outcome,) = run(book, worker_of(book, perform))
    assert outcome.status == "lost"
    assert len(book.audits) == 1


def test_a_worker_that_is_made_to_end_lets_go_of_its_tick(book: MemoryBook, clock: SetClock) -> None:
    book.add()

    def perform(*_: Any) -> str:
        raise SystemExit(143)

    clock.now = SIX
    with pytest.raises(SystemExit):
        run(book, worker_of(book, perform))
    assert [outcome.status for outcome in run(book)] == ["done"]


def test_a_worker_that_is_told_to_end_finishes_the_tick_in_hand(book: MemoryBook, clock: SetClock) -> None:
    book.add(catch_up="all")
    stop = threading.Event()

    def perform(*arguments: Any) -> str:
        stop.set()
        return book.perform(*arguments)

    clock.now = SIX + 3 * DAY
    assert [outcome.due for outcome in run(book, worker_of(book, perform, stopping=stop.is_set))] == [SIX]
    assert book.of_status("claimed") == []


def test_a_store_that_is_away_ends_the_run_and_the_lease_is_left_to_run_out(book: MemoryBook, clock: SetClock) -> None:
    book.add()

    def perform(*_: Any) -> str:
        raise StoreUnavailable("the store does not answer")

    clock.now = SIX
    with pytest.raises(StoreUnavailable):
        run(book, worker_of(book, perform))
    clock.go(minutes=5)
    assert [outcome.status for outcome in run(book)] == ["done"]


def test_a_clock_that_was_set_back_doubles_nothing(book: MemoryBook, clock: SetClock) -> None:
    book.add(catch_up="all")
    clock.now = SIX
    run(book)
    clock.go(hours=-3)
    assert run(book) == []
    clock.now = SIX
    assert run(book) == []
    clock.now = SIX + DAY
    run(book)
    assert book.of_status("done") == [SIX, SIX + DAY]


@pytest.mark.parametrize("catch_up", ["none", "last"])
def test_what_was_skipped_by_a_clock_that_was_ahead_is_done_in_its_time(
    book: MemoryBook, clock: SetClock, catch_up: Any
) -> None:
    book.add(catch_up=catch_up)
    clock.now = SIX + 365 * DAY
    run(book)
    assert book.of_status("done") == [SIX + 365 * DAY]
    clock.now = SIX - timedelta(minutes=10)
    assert run(book) == []
    for day in range(366):
        clock.now = SIX + day * DAY
        run(book)
    # each once, the one that was done too early as well
    assert book.of_status("done") == [SIX + day * DAY for day in range(366)]
    assert len(book.audits) == 366


def test_two_clocks_that_differ_by_an_hour_do_each_tick_once(book: MemoryBook, clock: SetClock) -> None:
    book.add(cron="*/20 * * * *", catch_up="all")
    both = worker_of(book, name="right"), worker_of(book, name="ahead")
    for minute in range(0, 600, 5):
        clock.now = SIX + timedelta(minutes=minute)
        list(both[0].run_due(clock.now))
        list(both[1].run_due(clock.now + timedelta(hours=1)))
    cron = parse_cron("*/20 * * * *", "UTC")
    assert book.of_status("done") == list(cron.between(MONDAY, clock.now + timedelta(hours=1)))
    assert len(book.audits) == len(book.of_status("done"))


STEPS = st.lists(st.tuples(st.sampled_from("ab"), st.integers(-50_000, 50_000)), max_size=12)


@settings(max_examples=100, deadline=None)
@given(STEPS, st.sampled_from(["none", "last", "all"]))
def test_no_clock_step_loses_or_doubles_a_tick(steps: list[tuple[str, int]], catch_up: Any) -> None:
    clock = SetClock()
    book = MemoryBook(clock)
    book.add(cron="0 * * * *", catch_up=catch_up)
    workers = {name: worker_of(book, name=name) for name in "ab"}
    for name, seconds in steps:
        clock.go(seconds=seconds)
        run(book, workers[name])
    # from now on the clock is right, and somebody looks every minute
    begin = max(clock.now, MONDAY)
    clock.now = begin
    for _ in range(5 * 60):
        clock.go(minutes=1)
        run(book, workers["a"])
    done = book.of_status("done")
    expected = list(parse_cron("0 * * * *", "UTC").between(begin, clock.now))
    assert [due for due in done if begin < due <= clock.now] == expected
    if catch_up == "all":
        assert [due for due in done if due <= clock.now] == list(
            parse_cron("0 * * * *", "UTC").between(MONDAY, clock.now)
        )
    assert len(book.audits) == len(done) == len(set(done))


def test_the_daemon_sleeps_until_something_is_due_but_never_long(book: MemoryBook, clock: SetClock) -> None:
    book.add()
    slept: list[float] = []
    reported: list[RunOutcome] = []

    def wait(seconds: float) -> bool:
        slept.append(seconds)
        clock.go(seconds=seconds)
        return clock.now > SIX + timedelta(minutes=1)

    worker = worker_of(book)
    run_until_stopped(worker, clock=clock, wait=wait, report=reported.append, trouble=pytest.fail)
    assert max(slept) <= LONGEST_SLEEP.total_seconds()
    assert [outcome.due for outcome in reported] == [SIX]


def test_what_becomes_due_during_an_audit_is_not_slept_over(book: MemoryBook, clock: SetClock) -> None:
    book.add(cron="* * * * *", catch_up="all")
    slept: list[float] = []

    def perform(*arguments: Any) -> str:
        clock.go(minutes=2)
        return book.perform(*arguments)

    def wait(seconds: float) -> bool:
        slept.append(seconds)
        return len(slept) > 2

    clock.now = MONDAY + timedelta(minutes=1)
    run_until_stopped(worker_of(book, perform), clock=clock, wait=wait, report=lambda _: None, trouble=pytest.fail)
    assert slept[:2] == [0, 0.05]


def test_the_daemon_outlives_a_store_that_is_away(book: MemoryBook, clock: SetClock) -> None:
    book.add()
    told: list[StoreError] = []
    waits = iter([False, False, True])
    clock.now = SIX

    class Away(MemoryBook):
        def free(self) -> list[Run]:
            if not told:
                raise StoreUnavailable("the store does not answer")
            return super().free()

    away = Away(clock)
    away.schedules = book.schedules
    run_until_stopped(
        worker_of(away), clock=clock, wait=lambda _: next(waits), report=lambda _: None, trouble=told.append
    )
    assert [str(error) for error in told] == ["the store does not answer"]
    assert away.of_status("done") == [SIX]


def test_after_trouble_it_looks_again_soon_and_then_later_and_later(book: MemoryBook, clock: SetClock) -> None:
    """A store that was started again is found within seconds, one that stays away is not asked all the time."""
    slept: list[float] = []
    away = iter([True, True, True, False, True])

    class Away(MemoryBook):
        def free(self) -> list[Run]:
            if next(away):
                raise StoreUnavailable("the store does not answer")
            return super().free()

    def wait(seconds: float) -> bool:
        slept.append(seconds)
        return len(slept) > 5

    run_until_stopped(worker_of(Away(clock)), clock=clock, wait=wait, report=lambda _: None, trouble=lambda _: None)
    assert slept == [0, 1, 2, 4, LONGEST_SLEEP.total_seconds(), 1]


def test_a_tick_that_the_store_interrupted_is_done_by_the_same_worker_without_waiting_for_its_lease(
    book: MemoryBook, clock: SetClock
) -> None:
    book.add()
    clock.now = SIX
    there = iter([False, True])

    def perform(subject: str, policy: Policy, audit: str, finish: Any) -> str:
        if not next(there):
            raise StoreUnavailable("the store does not answer")
        finish(None)
        return "passed"

    worker = worker_of(book, perform)
    with pytest.raises(StoreUnavailable):
        list(worker.run_due(clock()))
    assert [outcome.status for outcome in worker.run_due(clock())] == ["done"]
    assert book.of_status("done") == [SIX]


def test_a_lease_is_renewed_while_the_work_goes_on(book: MemoryBook, clock: SetClock) -> None:
    renewed = threading.Event()

    class Counting(MemoryBook):
        def renew(self, run: Run, lease: timedelta) -> bool:
            renewed.set()
            return False

    counting = Counting(clock)
    counting.add()
    run, _ = counting.claim("daily", Step(SIX, None), seen=MONDAY, worker="w", lease=timedelta(seconds=1))
    assert run is not None
    with renewed_lease(counting, run, timedelta(milliseconds=4)):
        assert renewed.wait(60)


def test_patience_ends() -> None:
    retry_policy = RetryPolicy(attempts=2)
    assert (retry_policy.wait(1), retry_policy.wait(2)) == (timedelta(minutes=1), None)
