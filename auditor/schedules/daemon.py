"""The loop of a worker that goes on until it is told to end."""

from collections.abc import Callable
from datetime import timedelta

from auditor.core.clock import Clock
from auditor.core.errors import StoreError
from auditor.schedules.outcome import RunOutcome
from auditor.schedules.worker import Worker

LONGEST_SLEEP = timedelta(seconds=30)
"""A worker looks again at least this often: schedules may be added, and clocks set, while it sleeps."""

_SHORTEST_SLEEP = timedelta(milliseconds=50)
_FIRST_PAUSE = timedelta(seconds=1)


def run_until_stopped(
    worker: Worker,
    *,
    clock: Clock,
    wait: Callable[[float], bool],
    report: Callable[[RunOutcome], None],
    trouble: Callable[[StoreError], None],
    afterwards: Callable[[], None] = lambda: None,
) -> None:
    """Do what is due whenever it is, until told to end.

    Parameters
    ----------
    worker : Worker
        It ends its work between two ticks when it is told to.
    clock : callable
        The time.
    wait : callable
        Sleeps for so many seconds; returns true, at once, when told to end.
    report : callable
        Given what became of each tick.
    trouble : callable
        Told when the store is away; it is asked again after a second, and then after longer and longer pauses.
    afterwards : callable, optional
        Done each time, after what is due: sending what is to be told.
    """

    def work() -> float:
        for outcome in worker.run_due(clock()):
            report(outcome)
        afterwards()
        now = clock()
        due = worker.next_due(now)
        pause = LONGEST_SLEEP if due is None else min(max(due - now, _SHORTEST_SLEEP), LONGEST_SLEEP)
        return pause.total_seconds()

    repeat(work, wait=wait, trouble=trouble)


def repeat(work: Callable[[], float], *, wait: Callable[[float], bool], trouble: Callable[[StoreError], None]) -> None:
    """Do something again and again, until told to end.

    Parameters
    ----------
    work : callable
        Returns after how many seconds it is done again.
    wait, trouble : callable
        As of :func:`run_until_stopped`.
    """
    seconds, backoff = 0.0, _FIRST_PAUSE
    while not wait(seconds):
        try:
            seconds, backoff = work(), _FIRST_PAUSE
        except StoreError as error:
            trouble(error)
            seconds, backoff = backoff.total_seconds(), min(2 * backoff, LONGEST_SLEEP)
