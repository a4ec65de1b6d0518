"""`auditor health`: whether the store can be used."""

from __future__ import annotations

from typing import Any

import typer

from cli.terminal.context import context_of

__all__ = ["app"]

app = typer.Typer()


@app.command()
def health(ctx: typer.Context) -> None:
    """Say whether the store can be used, for probes and before an upgrade; the local one is started if need be.

    Exit code 3 if not, with what is wrong. It also says whether workers give signs of life and whether schedules are
    late; that is for the operator, and changes no exit code.

    Example: auditor health
    """
    from auditor.operating.health import readiness
    from auditor.operating.watch import watch_work

    context = context_of(ctx)
    problems = readiness(context.store)
    data: dict[str, Any] = {"ready": not problems, "problems": problems}
    if not problems:
        work = watch_work(context.store)
        workers = [{"name": one.name, "at": one.at, "state": one.state(work.now)} for one in work.workers]
        data |= {"workers": workers, "late": work.late, "remarks": work.problems}
        for problem in work.problems:
            context.output.note(problem)
    context.output.answer(data, *(problems or ("ready",)))
    if problems:
        raise typer.Exit(3)
