"""`auditor notify`: messages about changes."""

import typer

from cli.notify.messages import list_messages, retry
from cli.notify.running import run
from cli.notify.trying import try_channel

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True)
app.command("run")(run)
app.command("list")(list_messages)
app.command("retry")(retry)
app.command("test")(try_channel)
