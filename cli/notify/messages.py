"""`auditor notify list|retry|test`."""

import difflib
import json
import os
import secrets
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from auditor.core.clock import time_text, utc_now
from auditor.core.errors import BadInput, NotFound
from auditor.notifications.outbox import Outbox
from auditor.notifications.record import Message
from cli.terminal.context import Context


def list_messages(
    context: Context,
    dead: Annotated[bool, typer.Option("--dead", metavar="", help="Only undelivered ones.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="At most this many, the newest.")] = 50,
) -> None:
    """List notifications, newest first: channel, event, status, and the reason of a failure.

    Example: auditor notify list --dead
    """
    messages = Outbox(context.store).list("dead" if dead else None, limit=limit)
    columns = ("message", "channel", "event", "subject", "written (UTC)", "status", "attempts", "")
    rows = [
        (m.id, m.channel, m.event, m.subject, f"{m.created_at:%Y-%m-%d %H:%M}", m.status, m.attempts, _remark(m))
        for m in messages
    ]
    context.output.answer({"messages": [as_data(message) for message in messages]}, context.output.table(columns, rows))


def as_data(message: Message) -> dict[str, Any]:
    """Return what `--json` tells of a message."""

    shown = {**asdict(message), "body": json.loads(message.body)}
    # what only the one who sends it may know
    del shown["claim"]
    return shown


def _remark(message: Message) -> str:
    again = f"; next {message.next_at:%Y-%m-%d %H:%M:%S}" if message.status == "waiting" and message.attempts else ""
    return f"{message.last_error or ''}{again}"


def retry(
    context: Context,
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


def try_channel(
    context: Context,
    channel: Annotated[str, typer.Argument(help="Name of a channel of the policy.")],
    policy: Annotated[Path, typer.Option("--policy", metavar="FILE", help="Policy (TOML) that has the channel.")],
) -> None:
    """Send a `trial` notification to a channel now, to check address, key and mail server. Needs no store.

    Exit code 3: it did not arrive; the reason is shown.

    Example: auditor notify test collector --policy channels.toml
    """
    from auditor.notifications.delivering import delivery
    from auditor.notifications.message import trial_message
    from auditor.policy import load_policy

    rules = load_policy(policy)
    found = rules.notify.channels.get(channel)
    if found is None:
        near = difflib.get_close_matches(channel, rules.notify.channels, n=1, cutoff=0)
        hint = f"did you mean {near[0]!r}?" if near else "name one in [notify.channels.NAME]"
        raise NotFound(f"{policy}: there is no channel {channel!r}; {hint}")
    message = trial_message(channel, rules, time_text(utc_now()), secrets.token_hex(16))
    with context.output.progress(f"notify {channel}"):
        delivery(context.settings.smtp, os.environ, utc_now)(found, rules.notify, message)
    context.output.answer({"sent": message.id, "channel": channel}, f"{channel} has taken the message {message.id}")
