"""`auditor microdata microaggregate`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.microdata.large import InParts
from cli.microdata.options import Reading, Records, RoleOptions, TimeLimit, all_names
from cli.microdata.policies import rules_for
from cli.microdata.reports import Pages
from cli.microdata.source import note_missing_words, opened_records, to_protect
from cli.microdata.treatment import TreatmentOptions
from cli.microdata.wanted import Wanted
from cli.terminal.completing import microaggregations
from cli.terminal.context import Context
from cli.terminal.names import as_names
from cli.terminal.options import EffortOption, GapOption
from cli.terminal.policy_option import PolicyOption, PresetOption


@dataclass(frozen=True, slots=True)
class Engine:
    """How the engine is to work: the names are its own."""

    method: Annotated[
        str,
        typer.Option(
            "--method",
            autocompletion=microaggregations,
            help="search; column-generation for a better bound; others to compare with.",
        ),
    ] = "search"
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="Seed of the engine; the order of rows is not from it.")
    ] = 0
    effort: EffortOption = None
    time_limit: TimeLimit = None
    gap: GapOption = None


def microaggregate(
    context: Context,
    records: Records,
    k: Annotated[int, typer.Option("--k", "-k", help="At least k records share the values of the attributes.")],
    *,
    wanted: Wanted,
    pages: Pages,
    attribute: Annotated[
        list[Any] | None,
        typer.Option(
            "--attribute",
            metavar="A,B",
            parser=as_names,
            help="Columns to aggregate; by default the numbers among the quasi-identifiers, else all numbers.",
        ),
    ] = None,
    keep_integers: Annotated[
        bool, typer.Option("--keep-integers", metavar="", help="Round columns of whole numbers.")
    ] = False,
    treated: TreatmentOptions,
    engine: Engine,
    roles: RoleOptions,
    parts: InParts,
    reading: Reading,
    policy: PolicyOption = None,
    preset: PresetOption = None,
) -> None:
    """Write a version in which at least k records share every combination of values; the written file is verified.

    Similar records form groups, and each takes the mean of its group: of numbers and dates; the most frequent category
    of text. Records of a household (--household) share a group. Direct identifiers do not leave, other columns leave as
    they are, and the rows are in a new order. The export of stored microdata is recorded, held against earlier ones of
    the same records, and awaits a second person where the policy says so (exit code 3). A policy that was named
    must not require a larger k; what it demands of sensitive columns is measured, and a version that lacks it is
    refused (`generalize` mixes sensitive values until they hold it).

    Example: auditor microdata microaggregate people.csv --k 5 --attribute age,income --out released.csv

    Example: auditor microdata microaggregate people.csv --k 5 --dry-run --curve --report report.html
    """
    from auditor.subjects.microdata.exports.exporting import (
        ExportedRecords,
        MicroaggregationRequest,
        export_records,
    )
    from auditor.subjects.microdata.exports.large import ExportedParts, export_large, is_large
    from cli.microdata.microaggregated import answer_microaggregated

    destination = wanted.destination(roles.roles, policy)
    pages.check(wanted.files(Path(records), roles.roles, policy), force=wanted.force, dry_run=wanted.dry_run)
    source = to_protect(context, records, roles, reading)
    request = MicroaggregationRequest(
        k,
        destination,
        source.roles,
        all_names(attribute),
        keep_integers,
        asdict(engine),
        rules_for(context, policy, preset, k=k, can_wait=source.info is not None or wanted.dry_run),
        context.actor,
        not wanted.forget_key,
        pages.report is not None,
        pages.curve,
        treatment=treated.treatment(),
        policy_demands=(policy or preset or context.settings.policy) is not None,
        origin=wanted.origin,
    )
    parts.check(stored=source.info is not None)
    stored = source.stored(context)
    settings, spark = parts.settings(context)
    with (
        context.output.progress("microaggregate") as bar,
        opened_records(context, source.subject, reading, settings) as opened,
    ):
        note_missing_words(context, opened)
        if parts.wanted or (stored is None and is_large(opened, request)):
            result: ExportedRecords | ExportedParts = export_large(
                opened, request, settings, spark=spark, phase=bar.phase, progress=bar.bounds
            )
        else:
            result = export_records(opened, request, stored, phase=bar.phase, progress=bar.bounds)
        written = []
        if isinstance(result, ExportedRecords):
            written = pages.write(context.output, Path(source.name).name, result, force=wanted.force)
    answer_microaggregated(context.output, source.name, result, written)
    if result.published is not None and result.published.approval is not None:
        raise typer.Exit(3)
