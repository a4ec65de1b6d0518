"""Two processes that add something under one name at the same moment."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier

from auditor.config import Settings
from auditor.core.errors import AuditorError
from auditor.store.opening import Store, open_store

__all__ = ["winner_of_two"]

Add = Callable[[Store, int], object]


def winner_of_two(settings: Settings, add: Add, seeds: tuple[int, int]) -> int:
    """Let two processes call `add`, each with a seed of its own, and return the seed of the one that could.

    The other one must have been told that there is one of that name already.
    """
    processes = multiprocessing.get_context("fork")
    barrier, results = processes.Barrier(2), processes.Queue()
    both = [processes.Process(target=_run, args=(settings, add, seed, barrier, results)) for seed in seeds]
    for process in both:
        process.start()
    told = dict(results.get(timeout=60) for _ in both)
    for process in both:
        process.join(60)
    (winner,) = (seed for seed, error in told.items() if error is None)
    assert sorted(error for error in told.values() if error is not None) == ["AlreadyExists"]
    return winner


def _run(settings: Settings, add: Add, seed: int, barrier: Barrier, results: Queue[tuple[int, str | None]]) -> None:
    with open_store(settings) as store:
        barrier.wait(60)
        try:
            add(store, seed)
            results.put((seed, None))
        except AuditorError as error:
            results.put((seed, type(error).__name__))
