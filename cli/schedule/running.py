"""`auditor schedule run`."""

from __future__ import annotations

import os
import socket
from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.core.errors import StoreError
from auditor.schedules.outcome import RunOutcome, exit_code
from auditor.schedules.repeating import heartbeat
from auditor.schedules.repository import Schedules
from auditor.schedules.runs import Runs
from auditor.schedules.workers import Workers
from cli.notify.pruning import Pruner
from cli.notify.sending import log_message, send, shown
from cli.terminal.context import Context
from cli.terminal.daemon_log import LogFormatOption, log_of
from cli.terminal.ending import Ending

if TYPE_CHECKING:
    from auditor.config import LogLevel
    from auditor.operating.logs import Log
    from auditor.schedules.worker import Worker

# timers start it every few minutes: after so long there is none
_ONCE_AGAIN = timedelta(minutes=15)


def run(
    context: Context,
    once: Annotated[bool, typer.Option("--once", metavar="", help="Do what is due now, then end.")] = False,
    lease: Annotated[
        float,
        typer.Option(
            "--lease",
            metavar="SECONDS",
            min=1,
            help="After this time without a heartbeat another worker takes over a run.",
        ),
    ] = 300,
    log_format: LogFormatOption = None,
) -> None:
    """Run due audits until you stop it, or with --once those that are due now.

    Any number may run at the same time, on one machine or several: each tick is done by one, and when that one dies, by
    another. SIGTERM or Ctrl-C finishes the tick in hand; a second one does not wait for it.

    Messages that wait to be sent are sent, too, as 'auditor notify run' does. Without --once it logs to stderr: one
    event a line, as JSON or text.

    Exit codes with --once: 0 all passed, or nothing was due; 1 an audit says violated; 3 something could not be
    completed. Without it 0, when it was told to end.

    Example: auditor schedule run --once
    """
    from auditor.schedules.performing import audits_in
    from auditor.schedules.protecting import exports_in
    from auditor.schedules.worker import RetryPolicy, Worker

    store = context.store
    name = f"{socket.gethostname()} {os.getpid()}"
    with Ending() as ending:
        worker = Worker(
            Schedules(store),
            Runs(store),
            audits_in(store, context.actor),
            clock=store.ledger.clock,
            name=name,
            retry_policy=RetryPolicy(lease=timedelta(seconds=lease)),
            stopping=ending.is_asked,
            act=exports_in(store),
        )
        if once:
            # one after another stands for one worker of this machine
            Workers(store).beat(f"{socket.gethostname()} once", within=_ONCE_AGAIN)
            _once(context, worker, ending)
        else:
            with heartbeat(Workers(store), name):
                _daemon(context, worker, ending, log_of(context, log_format))


def _once(context: Context, worker: Worker, ending: Ending) -> None:
    outcomes = []
    with context.output.progress("schedule run") as bar:
        for outcome in worker.run_due(context.store.ledger.clock()):
            outcomes.append(outcome)
            bar.phase(outcome.schedule)
    try:
        for message in send(context, ending.is_asked):
            if message.status != "sent":
                context.output.note(" ".join(filter(None, shown(message))))
    except StoreError as error:
        context.output.note(f"messages are sent later: {error}")
    columns = ("schedule", "due (UTC)", "status", "audits", "")
    code = exit_code(outcomes)
    if ending.asked:
        context.output.note("stopped: the next worker does the other due runs")
        code = 3
    context.output.answer({"ticks": outcomes}, context.output.table(columns, map(_row, outcomes)))
    if code:
        raise typer.Exit(code)


def _daemon(context: Context, worker: Worker, ending: Ending, log: Log) -> None:
    import auditor
    from auditor.schedules.daemon import run_until_stopped

    counts: Counter[str] = Counter()
    pruner = Pruner(context)

    def report(outcome: RunOutcome) -> None:
        counts[outcome.status] += 1
        _log_tick(log, outcome)

    def afterwards() -> None:
        try:
            for message in send(context, ending.is_asked):
                log_message(log, message)
        except StoreError as error:
            log.write("warning", "messages-later", error=error)
        pruner.run(log)

    log.write("info", "started", process="schedule", version=auditor.__version__)
    run_until_stopped(
        worker,
        clock=context.store.ledger.clock,
        wait=ending.wait,
        report=report,
        trouble=lambda error: log.write("error", "trouble", error=error),
        afterwards=afterwards,
    )
    log.write("info", "ended", process="schedule")
    context.output.answer({"ticks": counts}, f"ended; ticks: {counts.total()}")


def _log_tick(log: Log, outcome: RunOutcome) -> None:
    level: LogLevel = "info" if outcome.status in ("done", "skipped") else "warning"
    if outcome.status == "failed" and outcome.retry_at is None:
        level = "error"
    log.write(
        level,
        "tick",
        schedule=outcome.schedule,
        due=outcome.due,
        status=outcome.status,
        verdicts=outcome.verdicts,
        reason=outcome.reason,
        retry_at=outcome.retry_at,
        number=None if outcome.skipped is None else outcome.skipped.count,
    )


def _row(outcome: RunOutcome) -> tuple[str, str, str, str, str]:
    audits = ", ".join(f"{subject} {verdict}" for subject, verdict in outcome.verdicts.items())
    remarks = [outcome.reason] if outcome.reason is not None else []
    if outcome.retry_at is not None:
        remarks.append(f"again at {outcome.retry_at:%Y-%m-%d %H:%M:%S}")
    if outcome.export is not None:
        remarks.append(f"export {outcome.export}")
    if outcome.skipped is not None:
        remarks.append(f"skipped: {'many' if outcome.skipped.count is None else outcome.skipped.count}")
    due = "" if outcome.due is None else f"{outcome.due:%Y-%m-%d %H:%M}"
    return outcome.schedule, due, outcome.status, audits, "; ".join(remarks)
