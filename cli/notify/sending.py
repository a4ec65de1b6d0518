"""Messages of the store that are due are sent, for commands that do that and for those that do it, too."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from cli.terminal.context import Context

if TYPE_CHECKING:
    from auditor.notifications.sending import SentMessage
    from auditor.operating.logs import Log


def send(context: Context, stopping: Callable[[], bool]) -> Iterator[SentMessage]:
    """Write what is to be told of ticks, send all that is due, and yield what became of each message."""
    import numpy as np

    from auditor.notifications.delivering import delivery
    from auditor.notifications.sending import send_due, write_run_messages

    store = context.store
    write_run_messages(store)
    yield from send_due(
        store,
        deliver=delivery(context.settings.smtp, os.environ, store.ledger.clock),
        worker=f"{socket.gethostname()} {os.getpid()}",
        chance=np.random.default_rng(),
        stopping=stopping,
    )


def log_message(log: Log, message: SentMessage) -> None:
    """Write what became of a message."""
    log.write(
        "info" if message.status == "sent" else "warning" if message.status == "failed" else "error",
        "message",
        message=message.id,
        channel=message.channel,
        notice=message.event,
        subject=message.subject,
        status=message.status,
        reason=message.reason,
        retry_at=message.next_at,
    )


def shown(message: SentMessage) -> tuple[str, str, str, str, str]:
    """Return a row about what became of a message."""
    again = "" if message.next_at is None else f"; again at {message.next_at:%Y-%m-%d %H:%M:%S}"
    return message.channel, message.event, message.subject, message.status, f"{message.reason or ''}{again}"
