"""Work in processes of their own, which may be killed."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable

from auditor.config import Settings
from auditor.store.opening import Store, open_store

__all__ = ["in_child"]


def in_child(settings: Settings, work: Callable[..., object], *arguments: object) -> int:
    """Run something on the store in a process of its own; return how that ended."""
    process = multiprocessing.get_context("fork").Process(target=_run, args=(settings, work, arguments))
    process.start()
    process.join(120)
    assert process.exitcode is not None
    return process.exitcode


def _run(settings: Settings, work: Callable[..., object], arguments: tuple[object, ...]) -> None:
    store: Store
    with open_store(settings) as store:
        work(store, *arguments)
    os._exit(0)
