"""`auditor ledger`: the chain of what was done and decided."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.context import Context, context_of

if TYPE_CHECKING:
    from rich.console import RenderableType

    from auditor.ledger_verification import Anchor, LedgerReport

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True)


@app.command()
def verify(
    ctx: typer.Context,
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="FILE", help="Verify this exported ledger; no store is asked or started."),
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
    was written down, find that too, and between which entries it begins. Exit code 1 when the ledger is not what it
    was, or a checkpoint is not what was signed.

    Example: auditor ledger verify

    Example: auditor ledger verify --checkpoint march.checkpoint --public-key audit.key.pub

    Example: auditor ledger verify --file ledger.jsonl
    """
    context = context_of(ctx)
    anchors = _anchors(checkpoint or [], public_key or [], head, entries)
    with context.output.progress("ledger: verify"):
        if file is not None:
            from auditor.ledger_file import verify_file

            report = verify_file(file, anchors)
        else:
            report = context.store.ledger.verify(anchors)
    _show_report(context, report, anchors, cut_is_seen=file is None or bool(anchors))
    if not report.intact:
        raise typer.Exit(1)


def _anchors(checkpoints: list[Path], public_keys: list[Path], head: str | None, entries: int | None) -> list[Anchor]:
    """Return what was kept elsewhere; of checkpoints only what one of the keys has signed."""
    from auditor.errors import BadInput
    from auditor.ledger_checkpoint import head_anchor, read_checkpoints

    anchors = head_anchor(entries, head)
    if not checkpoints:
        if public_keys:
            raise BadInput("--public-key says whose checkpoints count; say --checkpoint too")
        return anchors
    if not public_keys:
        raise BadInput("a checkpoint counts by its signature; say --public-key too")
    from auditor.ledger_keys import check_signature, read_public_keys

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
        },
        *shown,
    )


def _verdict(report: LedgerReport) -> str:
    if report.intact:
        return "is intact"
    if not report.faults:
        return "is not what it was"
    return f"has {len(report.faults)} fault{'s' if len(report.faults) > 1 else ''}"


@app.command("create-key")
def create_key(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File for the private key; FILE.pub is the public one.")],
) -> None:
    """Make a key for signing checkpoints (Ed25519): FILE for who signs, FILE.pub for who verifies.

    Keep FILE where those who can write to the store cannot read it, and give FILE.pub away.

    Example: auditor ledger create-key audit.key
    """
    from auditor.errors import BadInput
    from auditor.ledger_keys import create_key as create
    from auditor.ledger_keys import public_path

    context = context_of(ctx)
    if file.resolve().is_relative_to(context.settings.home.resolve()):
        raise BadInput(f"{file} would be in the folder of the store; a key that signs the ledger belongs elsewhere")
    identifier = create(file)
    context.output.answer(
        {"private": file, "public": public_path(file), "key": identifier},
        f"private key: {file}",
        f"public key: {public_path(file)}",
        f"id {identifier}",
    )


@app.command()
def checkpoint(
    ctx: typer.Context,
    key: Annotated[
        Path,
        typer.Option("--key", metavar="FILE", envvar="AUDITOR_LEDGER_KEY", help="Private key; create-key makes one."),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="File to write; by default it is printed.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", metavar="", help="Replace an existing FILE.")] = False,
) -> None:
    """Verify the ledger and sign how far it goes: number of entries, hash of the last one, time.

    Keep checkpoints where those who can write to the store cannot: 'auditor ledger verify --checkpoint' then finds a
    ledger that was rewritten or cut. A ledger that is not intact is not signed (exit code 1).

    Example: auditor ledger checkpoint --key audit.key --out march.checkpoint
    """
    from auditor.ledger_keys import read_private_key, sign_report
    from auditor.staging import check_destination, written_aside

    context = context_of(ctx)
    private = read_private_key(key)
    if out is not None:
        check_destination(out, force=force)
    with context.output.progress("ledger: checkpoint"):
        ledger = context.store.ledger
        signed = sign_report(ledger.verify(), private, at=ledger.now())
    if out is not None:
        with written_aside(out, force=force) as stream:
            stream.write(f"{signed.line()}\n".encode())
    elif not context.output.json:
        # a terminal must not break the line: it can be appended to a file of checkpoints
        typer.echo(signed.line())
        return
    data = {"file": out, "checkpoint": signed.values()}
    context.output.answer(data, f"{out}: {signed.checkpoint.entries} entries, head {signed.checkpoint.head}")


@app.command()
def show(
    ctx: typer.Context,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="At most so many entries.")] = 20,
    before: Annotated[int | None, typer.Option("--before", min=2, help="Only entries before this one.")] = None,
    about: Annotated[
        str | None,
        typer.Option("--about", metavar="SUBJECT", help="Only entries about network:NAME or table:NAME."),
    ] = None,
) -> None:
    """Show the newest entries, newest first.

    Example: auditor ledger show --limit 5

    Example: auditor ledger show --about network:friends
    """
    context = context_of(ctx)
    entries = context.store.ledger.show(limit, before, about)
    rows = [
        (str(entry.seq), str(entry.at)[:19].replace("T", " "), entry.actor, entry.kind, entry.subject)
        for entry in entries
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
    """Write the whole ledger to a file that can be verified without the store: auditor ledger verify --file FILE.

    Example: auditor ledger export ledger.jsonl
    """
    context = context_of(ctx)
    with context.output.progress("ledger: export"):
        entries, head = context.store.ledger.export(file, force=force)
    context.output.answer(
        {"file": file, "entries": entries, "head": head}, f"{entries} entries in {file}", f"head {head}"
    )
