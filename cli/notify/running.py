"""`auditor notify run`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from cli.notify.pruning import Pruner
from cli.notify.sending import log_message, send, shown
from cli.terminal.context import Context
from cli.terminal.daemon_log import LogFormatOption, log_of
from cli.terminal.ending import Ending

if TYPE_CHECKING:
    from auditor.operating.logs import Log

_PAUSE = 10.0


def run(
    context: Context,
    once: Annotated[bool, typer.Option("--once", metavar="", help="Send what is due now, then end.")] = False,
    log_format: LogFormatOption = None,
) -> None:
    """Send waiting notifications until you stop it, or with --once those that are due now.

    'auditor schedule run' does that, too; this is for changes that are found in other ways, or for another machine: the
    one that has the secrets. Any number may run at the same time. A message that does not arrive is tried again, later
    and later. Messages that were sent, and ticks that are done, are deleted when they are older than the settings of
    [retention] keep them.

    Without --once it logs to stderr: one event a line, as JSON or text.

    Exit codes with --once: 0 all were sent, or none waited; 3 one did not arrive. Without it 0, when told to end.

    Example: auditor notify run --once
    """
    with Ending() as ending:
        if once:
            _once(context, ending)
        else:
            _daemon(context, ending, log_of(context, log_format))


def _once(context: Context, ending: Ending) -> None:
    with context.output.progress("notify run") as bar:
        messages = []
        for message in send(context, ending.is_asked):
            messages.append(message)
            bar.phase(message.channel)
        if not ending.asked:
            Pruner(context).run()
    columns = ("channel", "event", "subject", "status", "")
    context.output.answer({"messages": messages}, context.output.table(columns, map(shown, messages)))
    if ending.asked or any(message.status != "sent" for message in messages):
        raise typer.Exit(3)


def _daemon(context: Context, ending: Ending, log: Log) -> None:
    import auditor
    from auditor.schedules.daemon import repeat

    counts: Counter[str] = Counter()
    pruner = Pruner(context)
    log.write("info", "started", process="notify", version=auditor.__version__)

    def work() -> float:
        for message in send(context, ending.is_asked):
            counts[message.status] += 1
            log_message(log, message)
        pruner.run(log)
        return _PAUSE

    repeat(work, wait=ending.wait, trouble=lambda error: log.write("error", "trouble", error=error))
    log.write("info", "ended", process="notify")
    context.output.answer({"messages": counts}, f"ended; messages sent: {counts['sent']}")
