"""`auditor health`: whether the store can be used."""

from __future__ import annotations

import typer

from cli.context import context_of

__all__ = ["app"]

app = typer.Typer()


@app.command()
def health(ctx: typer.Context) -> None:
    """Say whether the store can be used, for probes and before an upgrade; the local one is started if need be.

    Exit code 3 if not, with what is wrong.

    Example: auditor health
    """
    from auditor.operating.health import readiness

    context = context_of(ctx)
    problems = readiness(context.store)
    context.output.answer({"ready": not problems, "problems": problems}, *(problems or ("ready",)))
    if problems:
        raise typer.Exit(3)
