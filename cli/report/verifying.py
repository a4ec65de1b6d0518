"""`auditor report verify`: nothing of what wrote a report is imported here."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated

import typer

from auditor.core.errors import BadFile
from cli.terminal.context import Context

_MOST_FAULTS = 50


def verify(
    context: Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Signed report of 'auditor report month'.")],
    *,
    public_key: Annotated[
        list[Path], typer.Option("--public-key", metavar="FILE", help="Whose reports count (PEM); may be repeated.")
    ],
    ledger: Annotated[
        Path | None,
        typer.Option("--ledger", metavar="LEDGER", help="Compare with this exported ledger: does it follow from it?"),
    ] = None,
) -> None:
    """Verify a signed report on a month: every letter is what was signed, and it follows from the ledger.

    A page is verified whole, with what a reader sees. With --ledger the chain of the exported ledger is verified too,
    and what the report says of entries, approvals, waivers and audits is derived from it again. Needs no store.
    Exit code 1 when the report is not what was signed, or does not follow from the ledger.

    Example: auditor report verify 2026-10.html --public-key audit.key.pub

    Example: auditor report verify 2026-10.html --public-key audit.key.pub --ledger ledger.jsonl
    """
    from auditor.ledger.verifier import anchors_of_report, check_report, read_public_key, read_report, verify_lines

    keys = {}
    for path in public_key:
        try:
            raw = read_public_key(_text(path))
        except ValueError:
            raise BadFile(
                f"{path} holds no public Ed25519 key; 'auditor ledger create-key' writes it as FILE.pub"
            ) from None
        keys[hashlib.sha256(raw).hexdigest()] = raw
    notes: list[str] = []
    with context.output.progress("report: verify"):
        try:
            report, faults = read_report(_text(file), keys, str(file))
        except ValueError as error:
            raise BadFile(str(error)) from None
        if ledger is not None and not faults:
            lines = _text(ledger).replace("\r\n", "\n").removesuffix("\n").split("\n")
            try:
                faults = verify_lines(lines, anchors_of_report(report, str(file)), notes)
                faults = faults or check_report(report, lines, str(file))
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                raise BadFile(f"{ledger} is no exported ledger that this report can be compared with") from error
    signed, where = not faults, report.get("ledger", {})
    shown = [f"{file}: {'as it was signed' if signed else 'not what it should be'}", *faults[:_MOST_FAULTS]]
    if signed and ledger is not None:
        shown.append(f"it follows from {ledger}, entries up to {where['head']['entry']}")
    elif signed:
        shown += context.output.advice("whether it follows from the ledger is seen with --ledger")
    period = report["period"]["name"] if signed else None
    context.output.answer(
        {"signed": signed, "period": period, "ledger": where if signed else None, "faults": faults, "compared": notes},
        *shown,
    )
    if faults:
        raise typer.Exit(1)


def _text(path: Path) -> str:
    """Return the text of a file.

    Raises
    ------
    BadFile
        If it cannot be read.
    """
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or 'I/O error'}") from None
    except UnicodeDecodeError:
        raise BadFile(f"{path} is no text in UTF-8, and no file of this program") from None
