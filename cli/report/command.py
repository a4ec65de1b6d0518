"""`auditor report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.microdata.options import MissingText
from cli.terminal.completing import files_or
from cli.terminal.context import Context
from cli.terminal.policy_option import PolicyOption, PresetOption, policy_of
from cli.terminal.reading import Reading


def report(
    context: Context,
    subject: Annotated[
        str,
        typer.Argument(
            metavar="NAME|FILE",
            autocompletion=files_or("network", "microdata"),
            help="A stored network, stored microdata, a network file, or with --roles a file of records.",
        ),
    ],
    *,
    out: Annotated[Path, typer.Option("--out", "-o", help="HTML file to write.")],
    public: Annotated[
        bool, typer.Option("--public", metavar="", help="Write the public edition, from the released file alone.")
    ] = False,
    picture: Annotated[
        bool,
        typer.Option(
            "--picture",
            metavar="",
            help="Draw a sample before and after: internal edition only; the ledger records the view.",
        ),
    ] = False,
    k: Annotated[
        int | None,
        typer.Option("--k", "-k", help="Required size of blocks or classes; by default as in the policy or export."),
    ] = None,
    policy: PolicyOption = None,
    preset: PresetOption = None,
    export: Annotated[
        str | None, typer.Option("--export", help="Id of the export, or its first 8 characters; the newest by default.")
    ] = None,
    roles: Annotated[
        Path | None,
        typer.Option("--roles", metavar="ROLES", help="Roles of the columns of a file of records (TOML)."),
    ] = None,
    missing_text: MissingText = None,
    force: Annotated[bool, typer.Option("--force", metavar="", help="Replace an existing --out.")] = False,
    reading: Reading,
) -> None:
    """Write an HTML report about a network or microdata: risk, release, verification, utility.

    The newest release of a stored subject is read and verified again, and judged by --k, --policy or --preset where
    they are given, in both editions. A file has no release: its page tells the audit. Exit code 1 when the page says
    "Not passed"; it is written all the same. Of a file that fails its checks no public page is written.

    A file is read as a network, unless --roles says what its columns are, or its format (.dta, .sav) holds nothing but
    records.

    --picture adds a small sample of a network before and after its export, without labels. It shows which edges were
    added, so it is for the internal edition alone, and the ledger records who viewed it.

    Example: auditor report friends --out report.html

    Example: auditor report people.csv --roles roles.toml --out report.html
    """
    from auditor.core.staging import check_destination
    from auditor.reports.writing import write_page
    from cli.report.finding import find_reported
    from cli.report.reporter import ReportOptions
    from graphkit.errors import InvalidInput

    if k is not None and k < 2:
        raise InvalidInput(f"k ({k}) must be at least 2")
    asked = any(said is not None for said in (policy, preset, k, context.settings.policy))
    rules = policy_of(context, policy, preset) if asked else None
    if picture and public:
        raise InvalidInput(
            "--picture shows which edges were added, so the public edition never has it; say one of them"
        )
    if missing_text and roles is None:
        raise InvalidInput("--missing-text is about a file of records; say with --roles what its columns are")
    options = ReportOptions(public, k, rules, export, reading, roles, picture, tuple(missing_text or ()))
    check_destination(out, force=force)
    with context.output.progress("report") as bar:
        kind, reporter, found = find_reported(context, subject, options)
        if isinstance(found, Path):
            page = reporter.of_file(context, found, options, bar.phase)
        else:
            page = reporter.of_stored(context, found, options, bar.phase)
        write_page(out, page.html, force=force)
    said = "passed" if page.passed else "not passed"
    context.output.answer(
        {
            kind: subject,
            "edition": options.edition,
            "report": out,
            "audit": page.audit,
            "export": page.export,
            "verified": page.verified,
            "passed": page.passed,
        },
        f"{out}: {options.edition} report: {said}",
    )
    if not page.passed:
        raise typer.Exit(1)
