"""`auditor ledger verify`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.core.errors import BadInput
from auditor.ledger.checkpoint import head_anchor, read_checkpoints
from auditor.ledger.file import verify_file
from auditor.ledger.verification import Anchor, LedgerReport
from cli.terminal.context import Context

if TYPE_CHECKING:
    from rich.console import RenderableType


def verify(
    context: Context,
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="FILE", help="Verify this exported ledger, without a store."),
    ] = None,
    checkpoint: Annotated[
        list[Path] | None,
        typer.Option("--checkpoint", metavar="FILE", help="Compare with checkpoints; may be repeated."),
    ] = None,
    public_key: Annotated[
        list[Path] | None,
        typer.Option("--public-key", metavar="FILE", help="Whose checkpoints count (PEM); may be repeated."),
    ] = None,
    head: Annotated[
        str | None, typer.Option("--head", metavar="HASH", help="Compare with a head that was written down.")
    ] = None,
    entries: Annotated[
        int | None, typer.Option("--entries", metavar="N", min=1, help="How many entries there were at --head.")
    ] = None,
) -> None:
    """Check the hash chain from the first entry to the last: what was edited, removed, moved or cut off is named.

    Whoever can rewrite all entries from some point on can make a chain that looks intact. Checkpoints, or a head that
    was written down, find that too, and between which entries it begins. What the ledger was compared with is shown.
    Exit code 1 when the ledger is not what it was, or a checkpoint is not what was signed. An entry that is earlier
    than the one before it is a note: a clock was set back.

    Example: auditor ledger verify

    Example: auditor ledger verify --checkpoint march.checkpoint --public-key audit.key.pub

    Example: auditor ledger verify --file ledger.jsonl
    """
    anchors = _anchors(checkpoint or [], public_key or [], head, entries)
    with context.output.progress("ledger: verify"):
        report = verify_file(file, anchors) if file is not None else context.store.ledger.verify(anchors)
    _show_report(context, report, anchors, cut_is_seen=file is None or bool(anchors))
    if not report.intact:
        raise typer.Exit(1)


def _anchors(checkpoints: list[Path], public_keys: list[Path], head: str | None, entries: int | None) -> list[Anchor]:
    """Return what was kept elsewhere; of checkpoints only what one of the keys has signed."""

    anchors = head_anchor(entries, head)
    if not checkpoints:
        if public_keys:
            raise BadInput("--public-key says whose checkpoints count; say --checkpoint too")
        return anchors
    if not public_keys:
        raise BadInput("a checkpoint counts by its signature; say --public-key too")
    from auditor.ledger.keys import check_signature, read_public_keys

    keys = read_public_keys(public_keys)
    for path in checkpoints:
        for signed in read_checkpoints(path):
            check_signature(signed, keys)
            anchors += signed.anchors()
    return anchors


def _show_report(context: Context, report: LedgerReport, anchors: list[Anchor], *, cut_is_seen: bool) -> None:
    shown: list[RenderableType] = [f"the ledger {_verdict(report)}: {report.entries} entries"]
    if report.faults:
        rows = [(fault.seq, fault.what) for fault in report.faults]
        shown.append(context.output.table(("entry", "fault"), rows))
    if report.rewriting is not None:
        shown.append(report.rewriting.sentence)
    elif anchors:
        last = max(anchor.seq for anchor in anchors)
        shown.append(f"it is what was kept, up to entry {last}")
    shown += [comparison.sentence for comparison in report.compared]
    if not anchors:
        shown.append("compared with nothing that was kept elsewhere: a chain that was written anew is not seen")
    if report.notes:
        rows = [(note.seq, note.what) for note in report.notes]
        shown.append(context.output.table(("entry", "note"), rows))
    shown.append(f"head {report.head}")
    if report.intact and not cut_is_seen:
        shown += context.output.advice("a cut end cannot be seen without --checkpoint or --head")
    context.output.answer(
        {
            "intact": report.intact,
            "entries": report.entries,
            "head": report.head,
            "faults": report.faults,
            "rewriting": report.rewriting,
            "kept_up_to": max((anchor.seq for anchor in anchors), default=None),
            "compared": report.compared,
            "notes": report.notes,
        },
        *shown,
    )


def _verdict(report: LedgerReport) -> str:
    if report.intact:
        return "is intact"
    if not report.faults:
        return "is not what it was"
    return f"has {len(report.faults)} fault{'s' if len(report.faults) > 1 else ''}"
