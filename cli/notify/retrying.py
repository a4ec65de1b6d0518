"""`auditor notify retry`."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.terminal.context import context_of

__all__ = ["retry"]


def retry(
    ctx: typer.Context,
    message: Annotated[str | None, typer.Argument(metavar="ID", help="Of a message, as `notify list` has it.")] = None,
    all_dead: Annotated[bool, typer.Option("--all-dead", metavar="", help="All messages that were given up.")] = False,
) -> None:
    """Let a message that was given up, or waits, be sent with the next run; one that arrived is not sent again.

    It is in the ledger.

    Example: auditor notify retry MESSAGE

    Example: auditor notify retry --all-dead
    """
    from auditor.core.errors import BadInput
    from auditor.notifications.outbox import Outbox
    from cli.terminal.actor import current_actor

    context = context_of(ctx)
    output, outbox = context.output, Outbox(context.store)
    if (message is None) != all_dead:
        raise BadInput("say which: the id of a message, or --all-dead")
    advice = output.advice("Next: auditor notify run --once")
    if message is None:
        number = outbox.retry_dead(actor=current_actor())
        output.answer({"retried": number}, f"messages that wait again: {number}", *advice)
        return
    found = outbox.retry(message, actor=current_actor())
    if found.status == "sent":
        output.answer({"retried": 0}, f"{message} has arrived; it is not sent again")
    else:
        output.answer({"retried": 1}, f"{message} waits again", *advice)
