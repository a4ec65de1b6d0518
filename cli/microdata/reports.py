"""Pages that commands about files of records write beside their answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.core.errors import BadInput
from cli.terminal.output import Output

if TYPE_CHECKING:
    from auditor.subjects.microdata.auditing import RecordsAudit
    from auditor.subjects.microdata.exports.exporting import ExportedRecords
    from auditor.subjects.microdata.exports.generalized.exporting import ExportedGeneralization


@dataclass(frozen=True, slots=True)
class AuditPage:
    """A page about an audit."""

    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Also write an HTML page for the house.")
    ] = None
    force: Annotated[bool, typer.Option("--force", metavar="", help="Replace an existing --report.")] = False

    def check(self, others: Sequence[Path]) -> None:
        """Refuse a place where the page cannot be written, before any work.

        Raises
        ------
        AlreadyExists, BadInput, NotFound
            As :func:`auditor.core.staging.check_destination`, or if it is one of the others.
        """
        _check_pages((self.report,), others, force=self.force)

    def write(self, output: Output, name: str, result: RecordsAudit) -> None:
        """Write the page.

        Raises
        ------
        NotDelivered
            If the file system refuses.
        """
        if self.report is None:
            # an audit loads neither charts nor engines
            return
        from datetime import UTC, datetime

        from auditor.reports.writing import write_page
        from auditor.subjects.microdata.report.audit_page import AuditReport
        from auditor.subjects.microdata.report.rendering import render_audit

        write_page(self.report, render_audit(AuditReport(name, datetime.now(UTC), result)), force=self.force)
        output.note(f"{self.report}: internal report")


def _check_pages(pages: Sequence[Path | None], others: Sequence[Path], *, force: bool) -> None:
    from auditor.core.staging import check_destination
    from auditor.exports.key_file import is_same

    taken = list(others)
    for path in filter(None, pages):
        if any(is_same(path, other) for other in taken):
            raise BadInput(f"{path} is another file of this command; choose another name for the report")
        check_destination(path, force=force)
        taken.append(path)


@dataclass(frozen=True, slots=True)
class GeneralizedPage:
    """A page about a generalized version."""

    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Also write an HTML page for the house: before and after."),
    ] = None
    curve: Annotated[
        bool, typer.Option("--curve", metavar="", help="Try other k with little work, too: what they would cost.")
    ] = False

    def check(self, others: Sequence[Path], *, force: bool) -> None:
        """Refuse a place where the page cannot be written, before any work.

        Raises
        ------
        AlreadyExists, BadInput, NotFound
            As :func:`auditor.core.staging.check_destination`.
        """
        _check_pages((self.report,), others, force=force)

    def write(self, output: Output, name: str, result: ExportedGeneralization, *, force: bool) -> list[Path]:
        """Write the page, and return it.

        Raises
        ------
        NotDelivered
            If the file system refuses.
        """
        if self.report is None:
            return []
        from datetime import UTC, datetime

        from auditor.reports.writing import write_page
        from auditor.subjects.microdata.report.generalized_page import GeneralizedReport
        from auditor.subjects.microdata.report.rendering import render_generalized

        page = render_generalized(GeneralizedReport(name, datetime.now(UTC), result))
        write_page(self.report, page, force=force)
        output.note(f"{self.report}: internal report")
        return [self.report]


@dataclass(frozen=True, slots=True)
class Pages:
    """Pages about a protected version."""

    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Also write an HTML page for the house: before and after."),
    ] = None
    public_report: Annotated[
        Path | None,
        typer.Option("--public-report", metavar="FILE", help="Also write a page for the public, of the release alone."),
    ] = None
    curve: Annotated[
        bool,
        typer.Option("--curve", metavar="", help="Try other k with little work, too: risk against utility."),
    ] = False

    def check(self, others: Sequence[Path], *, force: bool, dry_run: bool) -> None:
        """Refuse places where pages cannot be written, before any work; others are files that they must not replace.

        Raises
        ------
        AlreadyExists, BadInput, NotFound
            As :func:`auditor.core.staging.check_destination`; or if there is nothing to say in public.
        """
        if dry_run and self.public_report is not None:
            raise BadInput("a public report is about a file that was written; leave out --dry-run")
        _check_pages((self.report, self.public_report), others, force=force)

    def write(self, output: Output, name: str, result: ExportedRecords, *, force: bool) -> list[Path]:
        """Write the pages, and return those that were: nothing goes to the public before it is approved.

        Raises
        ------
        NotDelivered
            If the file system refuses.
        """
        from datetime import UTC, datetime

        from auditor.reports.writing import write_page
        from auditor.subjects.microdata.report.public_page import public_release
        from auditor.subjects.microdata.report.release_page import ReleaseReport
        from auditor.subjects.microdata.report.rendering import render_public, render_release

        def render_public_edition(report: ReleaseReport) -> str:
            return render_public(public_release(report))

        pages = {"internal": (self.report, render_release), "public": (self.public_report, render_public_edition)}
        written = []
        for edition, (path, render) in pages.items():
            if path is None:
                continue
            if edition == "public" and result.published is not None and result.published.approval is not None:
                output.note(f"{path} was not written: the release awaits approval")
                continue
            write_page(path, render(ReleaseReport(name, datetime.now(UTC), result)), force=force)
            output.note(f"{path}: {edition} report")
            written.append(path)
        return written
