"""`auditor ledger show`."""

import json
from contextlib import suppress
from datetime import datetime
from typing import Annotated

import typer

from cli.terminal.context import Context

_TIMES = ["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S"]


def show(
    context: Context,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="At most so many entries.")] = 20,
    before: Annotated[int | None, typer.Option("--before", min=2, help="Only entries before this one.")] = None,
    about: Annotated[
        str | None,
        typer.Option(
            "--about",
            metavar="SUBJECT",
            help="Only entries about network:, table: or schedule:NAME, or audit:, export:, waiver:, token:, message:, "
            "approval: or policy:ID.",
        ),
    ] = None,
    by: Annotated[str | None, typer.Option("--by", metavar="PERSON", help="Only what this person did.")] = None,
    kind: Annotated[
        list[str] | None, typer.Option("--kind", metavar="KIND", help="Only entries of this kind; may be repeated.")
    ] = None,
    since: Annotated[
        datetime | None, typer.Option("--since", formats=_TIMES, metavar="TIME", help="Only from this time (UTC) on.")
    ] = None,
    until: Annotated[
        datetime | None, typer.Option("--until", formats=_TIMES, metavar="TIME", help="Only before this time (UTC).")
    ] = None,
) -> None:
    """Show the newest entries, newest first.

    A page ends at --limit entries; --before with the last of them shows the next page. With --json this is `before`,
    null on the last page.

    Example: auditor ledger show --limit 5

    Example: auditor ledger show --about network:friends

    Example: auditor ledger show --kind export --kind key_forgotten --since 2026-01-01
    """
    from datetime import UTC

    about = _whole(context, about)
    times = [None if at is None else at.replace(tzinfo=UTC) for at in (since, until)]
    found = context.store.ledger.show(limit + 1, before, about, kinds=kind or (), by=by, since=times[0], until=times[1])
    entries = found[:limit]
    more = entries[-1].seq if len(found) > limit else None
    rows = [
        (str(entry.seq), str(entry.at)[:19].replace("T", " "), entry.actor, entry.kind, entry.subject)
        for entry in entries
    ]
    advice = context.output.advice(f"older ones: --before {more}") if more is not None else []
    context.output.answer(
        {"entries": [json.loads(entry.json_line()) for entry in entries], "before": more},
        context.output.table(("entry", "at (UTC)", "who", "what", "about"), rows),
        *advice,
    )


def _whole(context: Context, about: str | None) -> str | None:
    """Return a subject with its whole id, where it is an export that there is."""
    from auditor.core.errors import NotFound
    from auditor.exports.repository import Exports

    if about is None or not about.startswith("export:"):
        return about
    with suppress(NotFound):
        return f"export:{Exports(context.store).show(about.removeprefix('export:')).id}"
    return about
