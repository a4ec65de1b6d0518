"""What is kept for a while only is deleted by whoever sends messages: once an hour, and once by `--once`."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING

from auditor.operating.retention import Pruned, prune
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

    def run(self) -> Pruned | None:
        """Delete, if the last time is an hour ago; None if it is not.

        Raises
        ------
        StoreError
            If the store is away.
        """
        if time.monotonic() < self._next:
            return None
        store, kept = self._context.store, self._context.settings.retention
        found = prune(
            store.connection,
            store.ledger,
            sent_messages=timedelta(days=kept.sent_messages_days) or None,
            done_ticks=timedelta(days=kept.done_ticks_days) or None,
            actor=self._context.actor,
        )
        self._next = time.monotonic() + _SECONDS
        return found


def log_pruned(log: Log, pruned: Pruned | None) -> None:
    """Write how much was deleted; nothing if nothing was."""
    for kind, number in (("messages", pruned.messages), ("ticks", pruned.ticks)) if pruned is not None else ():
        if number:
            log.write("info", "pruned", kind=kind, number=number)
