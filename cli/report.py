"""`auditor report`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.network.policies import policy_for_network
from cli.terminal.commands import single
from cli.terminal.context import Context
from cli.terminal.options import NetworkArgument
from cli.terminal.policy_option import PolicyOption, PresetOption
from cli.terminal.reading import Reading

if TYPE_CHECKING:
    from auditor.subjects.networks.report.pages import Edition


def report(
    context: Context,
    network: NetworkArgument,
    *,
    out: Annotated[Path, typer.Option("--out", "-o", help="HTML file to write.")],
    public: Annotated[
        bool, typer.Option("--public", metavar="", help="Write the public edition, from the released file alone.")
    ] = False,
    k: Annotated[
        int | None, typer.Option("--k", "-k", help="Required block size; by default that of the policy or the export.")
    ] = None,
    policy: PolicyOption = None,
    preset: PresetOption = None,
    export: Annotated[str | None, typer.Option("--export", help="Id of the export; the newest by default.")] = None,
    force: Annotated[bool, typer.Option("--force", metavar="", help="Replace an existing --out.")] = False,
    reading: Reading,
) -> None:
    """Write an HTML report about a network: risk, release, verification, utility.

    The newest release of a stored network is read and verified again, and judged by --k, --policy or --preset where
    they are given, in both editions. A file has no release: its page tells the audit. Exit code 1 when the page says
    "Not passed"; it is written all the same. Of a file that fails its checks no public page is written.

    Example: auditor report friends --out report.html
    """
    from auditor.core.errors import BadInput
    from auditor.core.staging import check_destination
    from auditor.reports.writing import write_page
    from auditor.subjects.networks.policy import NetworkPolicy
    from auditor.subjects.networks.report.assembling import report_of_graph, report_of_stored
    from auditor.subjects.networks.report.pages import render_network_report

    asked = (policy or preset or k or context.settings.policy) is not None
    rules = policy_for_network(context, policy, preset, k).network if asked else None
    edition: Edition = "public" if public else "internal"
    check_destination(out, force=force)
    with context.output.progress("report") as bar:
        subject = reading.find(context, network)
        if subject.stored is not None:
            name = subject.stored.name
            found = report_of_stored(context.store, name, edition, policy=rules, export_id=export, phase=bar.phase)
        elif public or export is not None:
            raise BadInput(
                f"{network} is a file, and a file has no export to report on; load it with 'auditor network add' and "
                "export it with 'auditor network anonymize'"
            )
        else:
            bar.phase("read")
            loaded = reading.load_and_tell(context, subject)
            bar.phase("measure")
            found = report_of_graph(Path(network).name, loaded.graph, rules or NetworkPolicy())
        bar.phase("write")
        write_page(out, render_network_report(found, edition), force=force)
    release = found.release
    verified = None if release is None else release.verified
    said = "passed" if found.holds else "not passed"
    context.output.answer(
        {
            "network": network,
            "edition": edition,
            "report": out,
            "audit": found.audit.verdict,
            "export": None if release is None else release.export,
            "verified": verified,
            "passed": found.holds,
        },
        f"{out}: {edition} report: {said}",
    )
    if not found.holds:
        raise typer.Exit(1)


app = single(report)
