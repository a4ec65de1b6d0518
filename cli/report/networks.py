"""Pages about networks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from auditor.core.errors import BadInput
from cli.report.reporter import Reporter, ReportOptions, ReportPage
from cli.terminal.context import Context

if TYPE_CHECKING:
    from auditor.subjects.networks.policy import NetworkPolicy
    from auditor.subjects.networks.report.network_report import NetworkReport
    from auditor.subjects.networks.report.pages import Edition


class NetworkReporter(Reporter):
    """See :class:`~cli.report.reporter.Reporter`."""

    def recognizes(self, path: Path, options: ReportOptions) -> bool:
        """Whether a file ends like a format of networks, and no roles of columns were given."""
        from auditor.formats.networks.registry import format_of_name

        return options.roles is None and format_of_name(path.name) is not None

    def of_stored(
        self, context: Context, name: str, options: ReportOptions, phase: Callable[[str], None]
    ) -> ReportPage:
        """Return the page about a stored network and an export of it."""
        from auditor.subjects.networks.report.assembling import report_of_stored

        _check_no_roles(options)
        options.reading.find(context, f"network:{name}")
        edition, rules = _edition(options), _rules(options)
        found = report_of_stored(
            context.store,
            name,
            edition,
            policy=rules,
            export_id=options.export,
            picture_for=context.actor if options.picture else None,
            phase=phase,
        )
        return _page(found, edition, phase)

    def of_file(self, context: Context, path: Path, options: ReportOptions, phase: Callable[[str], None]) -> ReportPage:
        """Return the page about a network in a file: its audit."""
        from auditor.subjects.networks.policy import NetworkPolicy
        from auditor.subjects.networks.report.assembling import report_of_graph
        from cli.terminal.subject import Subject

        _check_no_roles(options)
        if options.public or options.picture or options.export is not None:
            raise BadInput(
                f"{path} is a file, and a file has no export to report on; load it with 'auditor network add' and "
                "export it with 'auditor network anonymize'"
            )
        rules = _rules(options) or NetworkPolicy()
        phase("read")
        loaded = options.reading.load_and_tell(context, Subject(path=path))
        phase("measure")
        return _page(report_of_graph(path.name, loaded.graph, rules), "internal", phase)


def _check_no_roles(options: ReportOptions) -> None:
    if options.roles is not None:
        raise BadInput("--roles is about a file of records, and this is a network")


def _edition(options: ReportOptions) -> Edition:
    return "public" if options.public else "internal"


def _rules(options: ReportOptions) -> NetworkPolicy | None:
    return cast("NetworkPolicy | None", options.section("network"))


def _page(found: NetworkReport, edition: Edition, phase: Callable[[str], None]) -> ReportPage:
    from auditor.subjects.networks.report.pages import render_network_report

    phase("write")
    release = found.release
    return ReportPage(
        render_network_report(found, edition),
        found.holds,
        found.audit.verdict,
        None if release is None else release.export,
        None if release is None else release.verified,
    )
