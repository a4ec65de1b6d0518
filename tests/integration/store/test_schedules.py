"""Schedules and their ticks on a real store: one worker at a time, and what a dead one leaves is taken over."""

from __future__ import annotations

import json
import multiprocessing
from datetime import UTC, datetime, timedelta
from itertools import cycle
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier

import pytest

from auditor.config import Settings
from auditor.core.errors import AlreadyExists, BadInput, CommitUnknown, NotFound
from auditor.core.recorded_runs import Run, SkippedRuns
from auditor.schedules.plan import Step
from auditor.schedules.repository import Schedule, Schedules
from auditor.schedules.runs import LeaseLost, Runs
from auditor.store.connection import Connection
from auditor.store.opening import Store, open_store
from auditor.subjects.networks.repository import Networks
from tests.support.adding_races import winner_of_two
from tests.support.schedules import MONDAY, SetClock, add_schedule, store_with_clock
from tests.support.store_samples import random_network

pytestmark = pytest.mark.neo4j

LEASE = timedelta(minutes=5)
SIX = datetime(2026, 1, 5, 6, tzinfo=UTC)


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def kept(store: Store, clock: SetClock) -> Store:
    """A store with a network `n`, and a clock that the test sets."""
    kept = store_with_clock(store.connection, clock)
    Networks(kept).add("n", random_network(1), source="f", actor="ada")
    return kept


def claimed(store: Store, schedule: Schedule, due: datetime = SIX, worker: str = "a") -> Run:
    run, _ = Runs(store).claim(schedule.id, Step(due, None), seen=schedule.settled_until, worker=worker, lease=LEASE)
    assert run is not None
    return run


def test_a_schedule_is_found_again_and_its_changes_are_in_the_ledger(kept: Store, clock: SetClock) -> None:
    added = add_schedule(kept, "weekly", subjects=("network:n",))
    assert Schedules(kept).list() == [added]
    assert (added.created_at, added.settled_until, added.paused) == (MONDAY, MONDAY, False)
    assert json.loads(added.policy_text)["network"]["k"] == 5
    Schedules(kept).pause("weekly", actor="bob")
    Schedules(kept).pause("weekly", actor="bob")
    assert Schedules(kept).show("weekly").paused
    clock.go(days=3)
    Schedules(kept).resume("weekly", actor="bob")
    # what was due meanwhile was not missed
    assert Schedules(kept).show("weekly").settled_until == clock.now
    Schedules(kept).remove("weekly", actor="eve")
    assert Schedules(kept).list() == []
    assert Schedules(kept).show("weekly").removed_at == clock.now
    told = [(entry.kind, entry.actor, entry.subject) for entry in kept.ledger.show(4)]
    assert told == [
        ("schedule_removed", "eve", "schedule:weekly"),
        ("schedule_resumed", "bob", "schedule:weekly"),
        ("schedule_paused", "bob", "schedule:weekly"),
        ("schedule_added", "ada", "schedule:weekly"),
    ]
    assert kept.ledger.verify().intact


def test_a_resumed_schedule_is_not_set_back_by_a_clock_that_was(kept: Store, clock: SetClock) -> None:
    schedule = add_schedule(kept)
    clock.now = SIX
    claimed(kept, schedule)
    Schedules(kept).pause("weekly", actor="ada")
    clock.go(days=-1)
    Schedules(kept).resume("weekly", actor="ada")
    assert Schedules(kept).show("weekly").settled_until == SIX


def test_what_is_no_schedule_is_refused_and_leaves_nothing(kept: Store) -> None:
    add_schedule(kept)
    before = kept.ledger.verify().entries
    with pytest.raises(AlreadyExists, match="there is a schedule 'weekly' already"):
        add_schedule(kept)
    for subjects, error in [
        ((), BadInput),
        (("network:n", "network:n"), BadInput),
        (("n",), BadInput),
        (("network:",), BadInput),
        (("network:other",), NotFound),
        (("table:n",), NotFound),
        (("export:n",), NotFound),
    ]:
        with pytest.raises(error):
            add_schedule(kept, "other", subjects=subjects)
    for attempt in (Schedules(kept).pause, Schedules(kept).resume, Schedules(kept).remove):
        with pytest.raises(NotFound, match="there is no schedule 'other'"):
            attempt("other", actor="ada")
    assert kept.ledger.verify().entries == before
    Schedules(kept).remove("weekly", actor="ada")
    with pytest.raises(NotFound):
        Schedules(kept).remove("weekly", actor="ada")
    # the name is free again, and this is another schedule
    assert add_schedule(kept).removed_at is None
    assert Schedules(kept).show("weekly").removed_at is None


def test_a_tick_is_taken_once_and_settles_what_is_due(kept: Store, clock: SetClock) -> None:
    schedule = add_schedule(kept)
    clock.now = SIX
    run = claimed(kept, schedule)
    assert (run.status, run.attempts, run.worker, run.lease_until) == ("claimed", 1, "a", SIX + LEASE)
    again = Runs(kept).claim(schedule.id, Step(SIX, None), seen=schedule.settled_until, worker="b", lease=LEASE)
    # told what somebody else did meanwhile
    assert again == (None, SIX)
    Runs(kept).finish(run)
    Runs(kept).finish(run)
    (done,) = Runs(kept).of_schedule(schedule.id, 10)
    assert (done.status, done.finished_at, done.lease_until) == ("done", SIX, None)
    assert Runs(kept).free() == []


def test_skipped_ticks_are_one_record(kept: Store, clock: SetClock) -> None:
    schedule = add_schedule(kept)
    last, due = SIX + timedelta(days=998), SIX + timedelta(days=999)
    clock.now = due
    skipped = SkippedRuns(SIX, last, 999)
    run, settled = Runs(kept).claim(
        schedule.id, Step(due, skipped), seen=schedule.settled_until, worker="a", lease=LEASE
    )
    assert run is not None
    assert settled == due
    taken, past = Runs(kept).of_schedule(schedule.id, 10)
    assert taken == run
    assert (past.status, past.first_due, past.due, past.count) == ("skipped", SIX, last, 999)
    # nobody can take one of them
    assert Runs(kept).claim(schedule.id, Step(SIX, None), seen=schedule.settled_until, worker="b", lease=LEASE) == (
        None,
        due,
    )


def test_a_paused_or_removed_schedule_gives_no_tick(kept: Store, clock: SetClock) -> None:
    schedule = add_schedule(kept)
    clock.now = SIX
    for change in (Schedules(kept).pause, Schedules(kept).remove):
        change("weekly", actor="ada")
        assert Runs(kept).claim(schedule.id, Step(SIX, None), seen=schedule.settled_until, worker="a", lease=LEASE) == (
            None,
            None,
        )


def test_a_lease_that_ran_out_is_taken_over_and_the_first_worker_records_nothing_more(
    kept: Store, clock: SetClock
) -> None:
    schedule = add_schedule(kept)
    clock.now = SIX
    first = claimed(kept, schedule)
    clock.go(minutes=4)
    assert Runs(kept).take_over(first, worker="b", lease=LEASE, most=3) is None
    assert Runs(kept).renew(first, LEASE)
    clock.go(minutes=4)
    assert Runs(kept).free() == []
    assert Runs(kept).next_free() == SIX + timedelta(minutes=9)
    clock.go(minutes=1)
    (free,) = Runs(kept).free()
    second = Runs(kept).take_over(free, worker="b", lease=LEASE, most=3)
    assert second is not None
    assert (second.attempts, second.worker) == (2, "b")
    assert Runs(kept).take_over(free, worker="c", lease=LEASE, most=3) is None
    # the first worker wakes up
    assert not Runs(kept).renew(first, LEASE)
    with pytest.raises(LeaseLost):
        Runs(kept).finish(first)
    with pytest.raises(LeaseLost):
        Runs(kept).fail(first, "reason", None)
    Runs(kept).release(first)

    def record(tx: object) -> None:
        tx.run("CREATE (:AuditorAudit {id: 'must not be'})")  # type: ignore[attr-defined]
        Runs(kept).hold(tx, first)  # type: ignore[arg-type]

    with pytest.raises(LeaseLost):
        kept.connection.write(record)
    assert kept.connection.read("MATCH (a:AuditorAudit) RETURN count(a) AS n")[0]["n"] == 0
    kept.connection.write(lambda tx: Runs(kept).hold(tx, second))
    Runs(kept).finish(second)
    assert [run.status for run in Runs(kept).of_schedule(schedule.id, 10)] == ["done"]


def test_a_tick_that_nobody_survives_is_given_up(kept: Store, clock: SetClock) -> None:
    schedule = add_schedule(kept)
    clock.now = SIX
    run: Run | None = claimed(kept, schedule)
    for attempts in (2, 3):
        clock.go(minutes=6)
        assert run is not None
        run = Runs(kept).take_over(run, worker="b", lease=LEASE, most=3)
        assert run is not None
        assert run.attempts == attempts
    clock.go(minutes=6)
    given_up = Runs(kept).take_over(run, worker="b", lease=LEASE, most=3)  # type: ignore[arg-type]
    assert given_up is not None
    assert (given_up.status, given_up.retry_at) == ("failed", None)
    assert given_up.reason == "its worker ended, 3 times"
    assert Runs(kept).free() == []


def test_a_failed_tick_comes_again_at_its_time(kept: Store, clock: SetClock) -> None:
    schedule = add_schedule(kept)
    clock.now = SIX
    run = claimed(kept, schedule)
    Runs(kept).fail(run, "no network 'n'", SIX + timedelta(minutes=1))
    assert Runs(kept).free() == []
    assert Runs(kept).next_free() == SIX + timedelta(minutes=1)
    clock.go(minutes=1)
    (free,) = Runs(kept).free()
    assert (free.status, free.reason, free.finished_at) == ("failed", "no network 'n'", SIX)
    # not while it is paused
    Schedules(kept).pause("weekly", actor="ada")
    assert (Runs(kept).free(), Runs(kept).next_free()) == ([], None)
    Schedules(kept).resume("weekly", actor="ada")
    second = Runs(kept).take_over(free, worker="a", lease=LEASE, most=3)
    assert second is not None
    Runs(kept).fail(second, "no network 'n'", None)
    assert (Runs(kept).free(), Runs(kept).next_free()) == ([], None)


def test_a_tick_that_is_let_go_is_free_at_once(kept: Store, clock: SetClock) -> None:
    clock.now = MONDAY
    schedule = add_schedule(kept)
    clock.now = SIX
    run = claimed(kept, schedule)
    Runs(kept).release(run)
    assert [free.id for free in Runs(kept).free()] == [run.id]


def test_removing_a_schedule_ends_its_open_ticks_and_keeps_all(kept: Store, clock: SetClock) -> None:
    schedule = add_schedule(kept)
    clock.now = SIX
    run = claimed(kept, schedule)
    Schedules(kept).remove("weekly", actor="ada")
    with pytest.raises(LeaseLost):
        Runs(kept).finish(run)
    (left,) = Runs(kept).of_schedule(schedule.id, 10)
    assert (left.status, left.reason) == ("failed", "the schedule was removed")
    clock.go(days=1)
    assert (Runs(kept).free(), Runs(kept).next_free()) == ([], None)


def _add(store: Store, seed: int) -> None:
    add_schedule(store, cron=f"{seed} 6 * * *")


def test_of_two_that_add_one_name_one_wins(kept: Store, neo4j_settings: Settings) -> None:
    winner = winner_of_two(neo4j_settings, _add, (1, 2))
    assert Schedules(kept).show("weekly").cron == f"{winner} 6 * * *"


ROUNDS = 20


def _claim(settings: Settings, worker: str, barrier: Barrier, results: Queue[list[str]]) -> None:
    """Go through all ticks of a schedule, each at the same moment as the other worker."""
    taken = []
    with open_store(settings) as store:
        schedule = Schedules(store).show("weekly")
        seen = schedule.settled_until
        for day in range(ROUNDS):
            due = SIX + timedelta(days=day)
            barrier.wait(60)
            run, settled = Runs(store).claim(schedule.id, Step(due, None), seen=seen, worker=worker, lease=LEASE)
            assert settled == due
            seen = due
            if run is not None:
                taken.append(run.id)
    results.put(taken)


def test_of_two_workers_at_one_tick_one_gets_it(kept: Store, neo4j_settings: Settings) -> None:
    schedule = add_schedule(kept)
    processes = multiprocessing.get_context("fork")
    barrier, results = processes.Barrier(2), processes.Queue()
    both = [processes.Process(target=_claim, args=(neo4j_settings, worker, barrier, results)) for worker in ("a", "b")]
    for process in both:
        process.start()
    taken = [id for _ in both for id in results.get(timeout=120)]
    for process in both:
        process.join(60)
    assert len(taken) == len(set(taken)) == ROUNDS
    assert len(Runs(kept).of_schedule(schedule.id, 1000)) == ROUNDS


@pytest.mark.parametrize("told", [False, True])
def test_a_claim_whose_commit_was_not_heard_of_is_known_when_it_is_repeated(
    told: bool, kept: Store, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection repeats it, or says that it does not know; a lease of minutes would be left to nobody."""
    schedule = add_schedule(kept)
    clock.now = SIX
    write = Connection.write

    def twice(self: Connection, work: object) -> object:
        write(self, work)  # type: ignore[arg-type]
        return write(self, work)  # type: ignore[arg-type]

    lost = cycle([True, False])

    def once_lost(self: Connection, work: object) -> object:
        done = write(self, work)  # type: ignore[arg-type]
        if next(lost):
            raise CommitUnknown("the connection was lost during the commit")
        return done

    monkeypatch.setattr(Connection, "write", once_lost if told else twice)
    run = claimed(kept, schedule)
    Runs(kept).fail(run, "reason", SIX)
    again = Runs(kept).take_over(run, worker="b", lease=LEASE, most=3)
    assert again is not None
    assert again.attempts == 2
    Runs(kept).finish(again)
    add_schedule(kept, "other")
    for change in (Schedules(kept).pause, Schedules(kept).resume, Schedules(kept).remove):
        change("other", actor="ada")
    assert [entry.kind for entry in kept.ledger.show(10)] == [
        *("schedule_removed", "schedule_resumed", "schedule_paused", "schedule_added", "schedule_added"),
        "network_added",
    ]


def test_what_a_clock_that_was_ahead_has_skipped_is_due_again_and_what_it_did_is_not(
    kept: Store, clock: SetClock
) -> None:
    schedule = add_schedule(kept)
    ahead = SIX + timedelta(days=99)
    clock.now = ahead
    skipped = SkippedRuns(SIX, ahead - timedelta(days=1), 99)
    run, settled = Runs(kept).claim(schedule.id, Step(ahead, skipped), seen=MONDAY, worker="a", lease=LEASE)
    assert run is not None
    assert settled == ahead
    clock.now = SIX + timedelta(days=2)
    assert Runs(kept).set_back(schedule.id, seen=MONDAY, now=clock.now) is None
    # from before the first one that was skipped; the next step skips anew what is past
    until = Runs(kept).set_back(schedule.id, seen=ahead, now=clock.now)
    assert until == SIX - timedelta(microseconds=1)
    assert Runs(kept).of_schedule(schedule.id, 10) == [run]
    assert Runs(kept).claim(schedule.id, Step(ahead, None), seen=until, worker="b", lease=LEASE) == (None, ahead)
    assert Runs(kept).of_schedule(schedule.id, 10) == [run]
    # never before it began
    Schedules(kept).pause("weekly", actor="ada")
    Schedules(kept).resume("weekly", actor="ada")
    assert Runs(kept).set_back(schedule.id, seen=ahead, now=MONDAY) == clock.now
