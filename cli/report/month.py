"""`auditor report month`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.core.errors import BadInput
from cli.ledger.signing import named_key
from cli.signing_key import KeyCommandOption, KeyOption
from cli.terminal.context import Context, context_of

if TYPE_CHECKING:
    from rich.console import RenderableType

    from auditor.month_end.document import Document

_FORMS = (".html", ".json")
_SHOWN = 20
"""Rows of a section on the terminal; files have all."""


def month(
    ctx: typer.Context,
    period: Annotated[
        str,
        typer.Argument(metavar="PERIOD", help="2026-10, 2026-Q4, 2026, or 2026-10-01..2026-10-15; in UTC."),
    ],
    *,
    out: Annotated[
        list[Path] | None,
        typer.Option("--out", "-o", metavar="FILE", help="Signed file to write, .html or .json; may be repeated."),
    ] = None,
    key: KeyOption = None,
    key_command: KeyCommandOption = None,
    force: Annotated[bool, typer.Option("--force", metavar="", help="Replace an existing FILE.")] = False,
) -> None:
    """Report on a month, or any period: releases, refusals, decisions, waivers, audits, disclosure views.

    Without --out the report is shown; with it, signed files are written, by the key that signs checkpoints of the
    ledger. The ledger is verified before: if it is not intact, nothing is signed (exit code 1).
    'auditor report verify' verifies such a file, also against an exported ledger.

    Example: auditor report month 2026-10

    Example: auditor report month 2026-10 --key audit.key --out 2026-10.html --out 2026-10.json
    """
    from auditor.core.staging import check_destination
    from auditor.month_end.document import report_on
    from auditor.month_end.period import parse_period

    context = context_of(ctx)
    wanted, files = parse_period(period), out or []
    for file in files:
        if file.suffix.lower() not in _FORMS:
            raise BadInput(f"{file} should end in .html for a page, or in .json")
        check_destination(file, force=force)
    if len(set(files)) < len(files):
        raise BadInput("--out names one file twice; give each file a name of its own")
    if not files:
        with context.output.progress("report: month"):
            document = report_on(context.store, wanted)
        _show(context, document)
        return
    from auditor.ledger.key_source import find_private_key
    from auditor.month_end.signing import check_covers

    private = find_private_key(*named_key(ctx, key, key_command))
    with context.output.progress("report: month") as bar:
        document = report_on(context.store, wanted)
        bar.phase("verify the ledger")
        check_covers(document, context.store.ledger.verify())
        bar.phase("write")
        for file in files:
            _write(file, document, private, force=force)
    head = document["ledger"]["head"]
    context.output.answer(
        {"period": wanted.name, "files": files, "ledger": document["ledger"], "totals": document["totals"]},
        *(f"{file}: signed report on {wanted.title}, up to entry {head['entry']}" for file in files),
    )


def _write(file: Path, document: Document, private: object, *, force: bool) -> None:
    from typing import cast

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from auditor.core.staging import written_aside
    from auditor.month_end.rendering import render_report
    from auditor.month_end.signing import signed_line, signed_page

    key = cast(Ed25519PrivateKey, private)
    is_page = file.suffix.lower() == ".html"
    text = signed_page(render_report(document), document, key) if is_page else f"{signed_line(document, key)}\n"
    with written_aside(file, force=force) as stream:
        stream.write(text.encode("utf-8"))


def _show(context: Context, document: Document) -> None:
    from auditor.month_end.document import is_complete
    from auditor.month_end.period import parse_period
    from auditor.month_end.shown import sections_of, tiles_of
    from graphkit.numbers import count

    title = parse_period(document["period"]["name"]).title
    said = "" if is_complete(document) else ", which is not over"
    shown: list[RenderableType] = [f"report on {title}{said}"]
    rows = [(tile.name, count(tile.figure), tile.note) for tile in tiles_of(document)]
    shown.append(context.output.table(("", "", ""), rows))
    for section in sections_of(document, _SHOWN):
        if not section.rows:
            continue
        more = f"; the first {_SHOWN} of {count(section.total)}" if section.total > _SHOWN else ""
        shown.append(f"{section.title.lower()}{more}")
        cells = [
            [
                str(value)[:16].replace("T", " ") if column.shape == "time" else value
                for column, value in section.cells(row)
            ]
            for row in section.rows
        ]
        shown.append(context.output.table(tuple(column.heading.lower() for column in section.columns), cells))
    context.output.answer(document, *shown)
