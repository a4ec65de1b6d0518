"""`auditor health`: whether the store can be used."""

from typing import Any

import typer

from auditor.operating.health import readiness
from auditor.operating.watch import watch_work
from cli.terminal.commands import single
from cli.terminal.context import Context


def health(context: Context) -> None:
    """Check whether the store is usable, for probes and before an upgrade; starts the local one if needed.

    Exit code 3: it is not usable; the problem is shown. It also reports missing heartbeats of workers and late
    schedules; these do not change the exit code.

    Example: auditor health
    """
    problems = readiness(context.store)
    data: dict[str, Any] = {"ready": not problems, "problems": problems}
    if not problems:
        work = watch_work(context.store)
        workers = [{"name": one.name, "at": one.at, "state": one.state(work.now)} for one in work.workers]
        data |= {"workers": workers, "late": work.late, "remarks": work.problems}
        context.output.note(*work.problems)
    context.output.answer(data, *(problems or ("ready",)))
    if problems:
        raise typer.Exit(3)


app = single(health)
