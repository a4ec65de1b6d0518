"""Pages about files of records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from auditor.core.errors import BadInput
from cli.report.reporter import Reporter, ReportOptions, ReportPage
from cli.terminal.context import Context
from cli.terminal.reading import Reading

_ONLY_RECORDS = (".dta", ".sav", ".zsav")
"""Formats in which no network is read."""


class RecordsReporter(Reporter):
    """See :class:`~cli.report.reporter.Reporter`."""

    def recognizes(self, path: Path, options: ReportOptions) -> bool:
        """Whether roles of columns were given, or a file is of a format that holds nothing but records."""
        return options.roles is not None or path.name.lower().endswith(_ONLY_RECORDS)

    def of_stored(
        self, context: Context, name: str, options: ReportOptions, phase: Callable[[str], None]
    ) -> ReportPage:
        """Return the page about stored records and an export of them."""
        from auditor.subjects.microdata.report.assembling import public_release_of_stored, report_of_stored
        from auditor.subjects.microdata.report.rendering import render_public, render_stored

        _check_no_picture(options)
        if options.roles is not None or options.reading != Reading():
            raise BadInput(
                f"{name!r} is stored, with the roles of its columns; to change them, remove it and add it again"
            )
        policy = options.section("microdata")
        if options.public:
            release = public_release_of_stored(
                context.store, name, policy=policy, export_id=options.export, phase=phase
            )
            phase("write")
            return ReportPage(render_public(release), release.holds, None, release.export, verified=True)
        found = report_of_stored(
            context.store,
            name,
            context.settings.edge_table,
            policy=policy,
            export_id=options.export,
            phase=phase,
        )
        phase("write")
        export = None if found.release is None else found.release.export.id
        verified = None if found.release is None else found.release.found.passed
        return ReportPage(render_stored(found), found.holds, found.audit.verdict, export, verified)

    def of_file(self, context: Context, path: Path, options: ReportOptions, phase: Callable[[str], None]) -> ReportPage:
        """Return the page about a file of records: its audit."""
        from datetime import UTC, datetime

        from auditor.formats.records import open_records
        from auditor.formats.records.missing import missing_words
        from auditor.formats.records.roles import Roles, read_roles
        from auditor.subjects.microdata.auditing import audit_records
        from auditor.subjects.microdata.policy import MicrodataPolicy
        from auditor.subjects.microdata.report.audit_page import AuditReport
        from auditor.subjects.microdata.report.rendering import render_audit

        _check_no_picture(options)
        if options.public or options.export is not None:
            raise BadInput(
                f"{path} is a file, and a file has no export to report on; load it with 'auditor microdata add' and "
                "export it with 'auditor microdata microaggregate' or 'generalize'"
            )
        reading = options.reading
        if replace(reading, delimiter=None) != Reading():
            raise BadInput(
                f"{path} is read as records; of how to read a file, only --delimiter and --missing-text are about these"
            )
        policy = options.section("microdata") or MicrodataPolicy()
        roles = Roles() if options.roles is None else read_roles(options.roles)
        phase("read")
        with open_records(
            path, context.settings.edge_table, delimiter=reading.delimiter, missing=options.missing
        ) as opened:
            context.output.note(*(words.remark for words in missing_words(opened)))
            found = audit_records(opened, roles, policy)
        phase("write")
        html = render_audit(AuditReport(path.name, datetime.now(UTC), found))
        return ReportPage(html, found.verdict == "passed", found.verdict)


def _check_no_picture(options: ReportOptions) -> None:
    if options.picture:
        raise BadInput("--picture draws a network before and after, and these are records; leave it out")
