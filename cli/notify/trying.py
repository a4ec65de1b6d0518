"""`auditor notify test`."""

import difflib
import os
import secrets
from pathlib import Path
from typing import Annotated

import typer

from auditor.core.clock import time_text, utc_now
from auditor.core.errors import NotFound
from cli.terminal.context import Context


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
