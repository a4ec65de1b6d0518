"""What is kept for a while only is deleted by whoever sends messages: once an hour, and once by `--once`."""

from __future__ import annotations

import time
from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING

from auditor.operating.retention import prune
from cli.terminal.context import Context

if TYPE_CHECKING:
    from auditor.operating.logs import Log

_SECONDS = 3600.0


class Pruner:
    """Deletes what is older than the settings keep it.

    Parameters
    ----------
    context : Context
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._next = 0.0

    def run(self, log: Log | None = None) -> None:
        """Delete, if the last time is an hour ago, and log how much was deleted, if anything was.

        Raises
        ------
        StoreError
            If the store is away.
        """
        if time.monotonic() < self._next:
            return
        kept = self._context.settings.retention
        pruned = prune(
            self._context.store,
            sent_messages=timedelta(days=kept.sent_messages_days) or None,
            done_ticks=timedelta(days=kept.done_ticks_days) or None,
            actor=self._context.actor,
        )
        self._next = time.monotonic() + _SECONDS
        for kind, number in asdict(pruned).items():
            if log is not None and number:
                log.write("info", "pruned", kind=kind, number=number)
