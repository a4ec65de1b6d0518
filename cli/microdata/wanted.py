"""What a protected version of records is written to, and what leaves with it as it is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auditor.approvals.words import purpose_of
from auditor.core.errors import BadInput
from auditor.core.names import given_name
from auditor.core.origin import Origin
from cli.terminal.options import ExportNameOption, PurposeOption

if TYPE_CHECKING:
    from auditor.exports.destination import Destination
    from auditor.exports.publishing import Published
    from auditor.subjects.microdata.exports.unchanged import Unchanged
    from cli.terminal.output import Output


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be written, and where."""

    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="File to write: .csv, .tsv or .txt (both with tabs), .parquet or .pq."),
    ] = None
    dry_run: Annotated[bool, typer.Option("--dry-run", metavar="", help="Write nothing; show the figures.")] = False
    force: Annotated[bool, typer.Option("--force", metavar="", help="Replace an existing --out.")] = False
    key_file: Annotated[
        Path | None,
        typer.Option("--key-file", help="Also write original,published row numbers here, readable by you only."),
    ] = None
    forget_key: Annotated[
        bool, typer.Option("--forget-key", metavar="", help="Do not keep in the store which record is which.")
    ] = False
    purpose: PurposeOption = None
    name: ExportNameOption = None

    @property
    def origin(self) -> Origin:
        """What it is for, as a request carries it."""
        return Origin(purpose=purpose_of(self.purpose))

    def files(self, *read: Path | None) -> list[Path]:
        """Return the files that the command reads, and those that it writes."""
        from auditor.exports.manifest import manifest_path

        released = [] if self.out is None else [self.out, manifest_path(self.out)]
        return [*filter(None, read), *released, *filter(None, [self.key_file])]

    def destination(self, *read: Path | None) -> Destination | None:
        """Return where the files go, none of which is one that the command reads; None for the figures alone.

        Raises
        ------
        BadInput
            If neither was said, or a release would replace what the command reads.
        NotFound, AlreadyExists, BadInput
            As :func:`auditor.subjects.microdata.exports.released_file.check_records_place`.
        """
        from auditor.exports.destination import Destination
        from auditor.exports.key_file import is_same
        from auditor.exports.manifest import manifest_path
        from auditor.subjects.microdata.exports.released_file import check_records_place

        if self.dry_run:
            return None
        if self.out is None:
            raise BadInput("say where to write with --out FILE, or --dry-run for the figures alone")
        destination = Destination(self.out, self.force, key_file=self.key_file, name=given_name(self.name))
        check_records_place(destination)
        for target in (self.out, manifest_path(self.out)):
            if any(is_same(target, one) for one in read if one is not None):
                raise BadInput(f"{target} is read by this command; choose another name for the output")
        return destination


def note_unchanged(output: Output, unchanged: Unchanged, beside: str) -> None:
    """Say which columns leave as they are, beside what is protected, and which of them name the record."""
    if unchanged.names:
        output.note(
            f"left as they are: {', '.join(unchanged.names)}; together with {beside} they may still single records "
            "out: audit the released file with all quasi-identifiers"
        )
    if unchanged.naming:
        names, are = ", ".join(unchanged.naming), "has" if len(unchanged.naming) == 1 else "have"
        output.note(
            f"{names} {are} another value in every record: whoever knows it finds the record; leave such columns out "
            f"with --identifier {','.join(unchanged.naming)}"
        )


def what_was_done(published: Published | None) -> str:
    """Say whether something was written, and can be used."""
    if published is None:
        return "nothing was written"
    if published.approval is not None:
        return "a version was made and awaits approval by another person; nothing is released yet"
    return "a version was written"


def unchanged_data(unchanged: Unchanged) -> dict[str, Any]:
    """Return the same for the answer."""
    return {"unchanged": list(unchanged.names), "unchanged_naming": list(unchanged.naming)}
