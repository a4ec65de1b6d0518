"""`auditor notify retry`."""

from __future__ import annotations

from typing import Annotated

import typer

from auditor.core.errors import BadInput
from auditor.notifications.outbox import Outbox
from cli.terminal.context import context_of


def retry(
    ctx: typer.Context,
    message: Annotated[
        str | None, typer.Argument(metavar="ID", help="Id of a notification, from `notify list`.")
    ] = None,
    all_dead: Annotated[bool, typer.Option("--all-dead", metavar="", help="All undelivered notifications.")] = False,
) -> None:
    """Send an undelivered or waiting notification with the next run; a delivered one is not sent again.

    The ledger records the retry.

    Example: auditor notify retry MESSAGE

    Example: auditor notify retry --all-dead
    """
    context = context_of(ctx)
    output, outbox = context.output, Outbox(context.store)
    if (message is None) != all_dead:
        raise BadInput("say which: the id of a message, or --all-dead")
    advice = output.advice("Next: auditor notify run --once")
    if message is None:
        number = outbox.retry_dead(actor=context.actor)
        output.answer({"retried": number}, f"notifications that will be sent again: {number}", *advice)
        return
    found = outbox.retry(message, actor=context.actor)
    if found.status == "sent":
        output.answer({"retried": 0}, f"{message} has arrived; it is not sent again")
    else:
        output.answer({"retried": 1}, f"{message} will be sent again", *advice)
