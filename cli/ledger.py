"""`auditor ledger`: the chain of what was done and decided."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from cli.context import context_of

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True)


@app.command()
def verify(ctx: typer.Context) -> None:
    """Check the hash chain from the first entry to the last: edits, removals and a cut end are found.

    Keep the printed head elsewhere: with it a later verification finds a chain that was written anew. Exit code 1 when
    a fault is found.

    Example: auditor ledger verify
    """
    context = context_of(ctx)
    with context.output.progress("ledger: verify"):
        report = context.store.ledger.verify()
    faults = [(fault.seq, fault.what) for fault in report.faults]
    verdict = "is intact" if report.intact else f"has {len(faults)} faults"
    shown = [f"the ledger {verdict}: {report.entries} entries", f"head {report.head}"]
    context.output.answer(
        {"intact": report.intact, "entries": report.entries, "head": report.head, "faults": report.faults},
        *(shown if report.intact else [shown[0], context.output.table(("entry", "fault"), faults), shown[1]]),
    )
    if not report.intact:
        raise typer.Exit(1)


@app.command()
def show(
    ctx: typer.Context,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="At most so many entries.")] = 20,
    before: Annotated[int | None, typer.Option("--before", min=2, help="Only entries before this one.")] = None,
) -> None:
    """Show the newest entries, newest first.

    Example: auditor ledger show --limit 5
    """
    context = context_of(ctx)
    entries = context.store.ledger.show(limit, before)
    rows = [
        (str(entry.seq), entry.at[:19].replace("T", " "), entry.actor, entry.kind, entry.subject) for entry in entries
    ]
    context.output.answer(
        {"entries": [json.loads(entry.json_line()) for entry in entries]},
        context.output.table(("entry", "at (UTC)", "who", "what", "about"), rows),
    )


@app.command()
def export(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File to write, one entry a line as JSON.")],
    force: Annotated[bool, typer.Option("--force", metavar="", help="Replace an existing FILE.")] = False,
) -> None:
    """Write the whole ledger to a file that can be verified without the store.

    Example: auditor ledger export ledger.jsonl
    """
    context = context_of(ctx)
    with context.output.progress("ledger: export"):
        entries = context.store.ledger.export(file, force=force)
    context.output.answer({"file": file, "entries": entries}, f"{entries} entries in {file}")
