"""`auditor microdata verify`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.microdata.options import OriginalReading, Records, hierarchies_of
from cli.microdata.pairs import as_pairs
from cli.microdata.source import find_microdata_or_file, opened_records
from cli.terminal.context import Context

if TYPE_CHECKING:
    from graphkit.verification import Verification


def verify(
    context: Context,
    original: Records,
    released: Annotated[Path, typer.Argument(metavar="RELEASED", help="A released file; its manifest lies beside it.")],
    *,
    key: Annotated[
        Path | None, typer.Option("--key", help="Key file: which row of RELEASED is which of the original.")
    ] = None,
    hierarchy: Annotated[
        list[Any] | None,
        typer.Option(
            "--hierarchy",
            metavar="A=FILE",
            parser=as_pairs,
            help="Hierarchy by which an attribute was generalized, as it was given then (repeatable).",
        ),
    ] = None,
    reading: OriginalReading,
) -> None:
    """Verify a released file against the original: does it hold what its manifest claims?

    Of groups: do k records share their values, and with the key, are these the values that their records give? Of
    generalized records: may every original be k released records, and the reverse, in assignments of all of them? The
    engines take no part. An export of stored microdata is verified with `auditor audit run export:ID`, which knows the
    key and the hierarchies. Exit code 1 when a check fails.

    Example: auditor microdata verify people.csv released.csv
    """
    from auditor.subjects.microdata.exports.verifying import WhatIsKnown, verify_release

    subject = find_microdata_or_file(context, original)
    # roles are declared with stored microdata
    kept_back = () if isinstance(subject, Path) else subject.declared.kept_back
    known = WhatIsKnown(key, hierarchies_of(hierarchy), kept_back)
    with context.output.progress("verify"), opened_records(context, subject, reading) as opened:
        found = verify_release(opened, released, known)
    said = "holds what it claims" if found.passed else f"does not hold what it claims of {original}"
    doubt = None if found.passed else _doubt(original, released, found)
    context.output.answer(
        {"released": str(released), "passed": found.passed, "verification": found.checks, "doubt": doubt},
        f"{released} {said}",
        context.output.checks(found.checks, "of the released file"),
        *([] if doubt is None else [doubt]),
    )
    if not found.passed:
        raise typer.Exit(1)


def _doubt(original: str, released: Path, found: Verification) -> str | None:
    """Return which of the files may be another one than is thought, where checks fail."""
    failed = [check.name for check in found.checks if not check.passed]
    if failed in (["file"], ["checksum"]):
        # nothing that depends on the original fails
        return None
    asked = (
        f"{original} is not the very file that was protected, or is not read as it was then (--delimiter, "
        "--missing-text, --hierarchy, --key)"
    )
    if "checksum" in failed:
        return f"Either {released} was changed after its release, or {asked}."
    return f"{released} has the checksum of its manifest: unless both were changed, {asked}."
