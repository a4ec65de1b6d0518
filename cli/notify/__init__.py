"""`auditor notify`: messages about changes."""

from cli.notify.messages import list_messages, retry
from cli.notify.running import run
from cli.notify.trying import try_channel
from cli.terminal.commands import group

__all__ = ["app"]

app = group(run=run, list=list_messages, retry=retry, test=try_channel)
