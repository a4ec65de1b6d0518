"""`auditor notify`: messages about changes."""

from cli.notify.messages import list_messages, retry, try_channel
from cli.notify.running import run
from cli.terminal.commands import group

__all__ = ["app"]

app = group(run=run, list=list_messages, retry=retry, test=try_channel)
