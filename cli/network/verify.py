"""`auditor network verify`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auditor.core.errors import BadInput, NotFound
from cli.terminal.context import Context
from cli.terminal.reading import Reading
from cli.terminal.records import said

if TYPE_CHECKING:
    from auditor.subjects.networks.exports.verifying import KnownToOwner, VerifiedRelease

_EXIT = {True: 0, False: 1, None: 3}
_SAID = {
    True: "holds what it claims",
    False: "does not hold what it claims",
    None: "nothing fails, but whether it is k-anonymous could not be checked",
}


def verify(
    context: Context,
    released: Annotated[Path, typer.Argument(metavar="RELEASED", help="A released network file.")],
    *,
    manifest: Annotated[
        Path | None, typer.Option("--manifest", metavar="FILE", help="Its manifest; the one beside it by default.")
    ] = None,
    original: Annotated[
        Path | None,
        typer.Option("--original", metavar="FILE", help="The network file that was protected, with --key-file."),
    ] = None,
    key_file: Annotated[
        Path | None, typer.Option("--key-file", metavar="FILE", help="Key file that was written with the release.")
    ] = None,
    only: Annotated[
        Path | None,
        typer.Option("--only", metavar="FILE", help="Who is protected, where the release protects a subset."),
    ] = None,
    previous: Annotated[
        list[Path] | None,
        typer.Option(
            "--previous", metavar="FILE", help="Earlier release of its claim, in the same order (repeatable)."
        ),
    ] = None,
    previous_key: Annotated[
        list[Path] | None,
        typer.Option("--previous-key", metavar="FILE", help="Key file of each --previous (repeatable)."),
    ] = None,
    reading: Reading,
) -> None:
    """Verify a released network against its manifest: is it the file that was released, and does it hold its claim?

    Needs no store. The checksums are compared, and the claim is checked again from the file, by code without the
    engines. With --original and --key-file it is also checked that nothing of the original is missing; how to read a
    file then is said of the original. An export of a stored network is verified with `auditor audit run export:ID`.

    Exit code 1: a check fails. Exit code 3: nothing fails, but who is protected is not known (--only).

    Example: auditor network verify released.csv

    Example: auditor network verify released.csv --original friends.csv --key-file key.csv
    """
    from auditor.subjects.networks.exports.verifying import verify_released_network

    with context.output.progress("verify"):
        known = _known(original, key_file, only, list(previous or ()), list(previous_key or ()), reading)
        found = verify_released_network(released, manifest, known)
    checks = found.verification.checks
    context.output.answer(
        {
            "released": str(released),
            "export": found.manifest.export,
            "passed": found.passed,
            "verification": checks,
            "not_checked": [{"name": name, "reason": why} for name, why in found.not_checked],
        },
        f"{released}: {_SAID[found.passed]}",
        context.output.checks(checks, "of the released file", found.not_checked),
        *context.output.advice(*_next(found)),
    )
    raise typer.Exit(_EXIT[found.passed])


def _next(found: VerifiedRelease) -> list[str]:
    failed = [check.name for check in found.verification.checks if not check.passed]
    if failed == ["checksum"]:
        return ["Somebody changed or saved it again, and its structure alone is as claimed: use the file as released"]
    return []


def _known(
    original: Path | None,
    key: Path | None,
    only: Path | None,
    previous: list[Path],
    previous_keys: list[Path],
    reading: Reading,
) -> KnownToOwner | None:
    """Return what the owner has, None for a recipient.

    Raises
    ------
    NotFound
        If a file is not there.
    BadInput
        If options do not go together, or the original cannot be read.
    """
    from auditor.subjects.networks.exports.verifying import KnownToOwner

    if original is None or key is None:
        if original is not None or key is not None:
            raise BadInput("--original and --key-file belong together; give both, or neither")
        more: dict[str, Any] = {"only": only, "previous": previous, "previous_key": previous_keys, **said(reading)}
        for name, value in more.items():
            if value:
                raise BadInput(f"--{name.replace('_', '-')} is about the original; give --original and --key-file, too")
        return None
    if len(previous) != len(previous_keys):
        raise BadInput(
            f"released files named with --previous: {len(previous)}, keys given with --previous-key: "
            f"{len(previous_keys)}; give the key of each file, in the same order"
        )
    for path in (original, key, *([] if only is None else [only]), *previous, *previous_keys):
        if not path.is_file():
            raise NotFound(f"{path} is no file; check the path")
    return KnownToOwner(
        reading.read(original), str(original), key, only, tuple(zip(previous, previous_keys, strict=True))
    )
