"""`auditor microdata generalize`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.microdata.demanded import Demanded
from cli.microdata.large import InParts
from cli.microdata.options import (
    Nominal,
    Reading,
    Records,
    RoleOptions,
    TimeLimit,
    all_names,
    hierarchies_of,
)
from cli.microdata.pairs import as_pairs, weights_of
from cli.microdata.policies import rules_for
from cli.microdata.reports import GeneralizedPage
from cli.microdata.source import note_missing_words, opened_records, to_protect
from cli.microdata.wanted import Wanted
from cli.terminal.completing import generalizations
from cli.terminal.context import Context
from cli.terminal.names import as_names
from cli.terminal.options import EffortOption, GapOption, as_share
from cli.terminal.policy_option import PolicyOption, PresetOption

if TYPE_CHECKING:
    from auditor.subjects.microdata.exports.generalized.domains import Generalizing


@dataclass(frozen=True, slots=True)
class Engine:
    """How the engine is to work: the names are its own."""

    method: Annotated[
        str, typer.Option("--method", autocompletion=generalizations, help="search; others to compare with.")
    ] = "search"
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="Seed of the engine; what is drawn of its answer is not from it.")
    ] = 0
    effort: EffortOption = None
    time_limit: TimeLimit = None
    gap: GapOption = None


SuppressOption = Annotated[
    float | None,
    typer.Option(
        "--suppress",
        metavar="SHARE",
        parser=as_share,
        help="Share of the records that may be left out where the others lose less so, such as 0.01 or 1%.",
    ),
]


@dataclass(frozen=True, slots=True)
class Generalized:
    """How values are generalized, as far as the user says."""

    attribute: Annotated[
        list[Any] | None,
        typer.Option(
            "--attribute",
            metavar="A,B",
            parser=as_names,
            help="Columns to generalize; the quasi-identifiers by default.",
        ),
    ] = None
    hierarchy: Annotated[
        list[Any] | None,
        typer.Option(
            "--hierarchy",
            metavar="A=FILE",
            parser=as_pairs,
            help="Hierarchy of an attribute (ARX's CSV), or prefixes, dates or intervals:5:20 (repeatable).",
        ),
    ] = None
    attribute_weight: Annotated[
        list[Any] | None,
        typer.Option(
            "--attribute-weight",
            metavar="A=2,B=0.5",
            parser=as_pairs,
            help="What the loss of an attribute counts, 1 by default (repeatable).",
        ),
    ] = None
    nominal: Nominal = None

    def names(self) -> tuple[str, ...]:
        """Return the attributes that were asked for."""
        return all_names(self.attribute)

    def choices(self) -> Generalizing:
        """Return how they are generalized.

        Raises
        ------
        BadInput
            If a weight is no number, or a hierarchy or weight lacks its attribute.
        """
        from auditor.subjects.microdata.exports.generalized.domains import Generalizing

        return Generalizing(hierarchies_of(self.hierarchy), weights_of(self.attribute_weight), all_names(self.nominal))


def generalize(
    context: Context,
    records: Records,
    k: Annotated[int, typer.Option("--k", "-k", help="Each record hides among at least k.")],
    *,
    wanted: Wanted,
    pages: GeneralizedPage,
    generalized: Generalized,
    demanded: Demanded,
    engine: Engine,
    roles: RoleOptions,
    parts: InParts,
    suppress: SuppressOption = None,
    reading: Reading,
    policy: PolicyOption = None,
    preset: PresetOption = None,
) -> None:
    """Write a version in which every record hides among k that its values stand for; the written file is verified.

    Values become ranges (20..29), sets ({clerk|nurse}) or groups of a hierarchy, each record its own: it may be any of
    the k that its values cover, and each of them may be any of k released ones. That loses far less than the same
    values for everybody, and means more than the usual test of k-anonymity, which counts equal records, can see: the
    manifest says so. Direct identifiers do not leave, other columns leave as they are, and the rows are in a new order.

    With `--l` or `--t` no original hides among k records that tell its sensitive value. A policy that is named demands
    its `distinct_l`, `entropy_l` and `t` of each sensitive column.

    With `--suppress` records that cost the others most are left out, no more than that share.

    Example: auditor microdata generalize people.csv --k 5 --quasi-identifier age,region --out released.csv

    Example: auditor microdata generalize people.csv --k 5 --quasi-identifier age --l income=2 --effort 2 --dry-run

    Example: auditor microdata generalize people.csv --k 5 --attribute age,sex --hierarchy age=intervals:5:20 --dry-run

    Example: auditor microdata generalize people.csv --k 5 --attribute age,region --suppress 1% --effort 2 --dry-run
    """
    from auditor.formats.records.hierarchies import is_made
    from auditor.subjects.microdata.exports.generalized.exporting import GeneralizationRequest, export_generalized
    from auditor.subjects.microdata.exports.generalized.large import export_large, is_large
    from cli.microdata.generalized import answer_generalized

    hierarchies = hierarchies_of(generalized.hierarchy).values()
    read = (roles.roles, policy, *(Path(how) for how in hierarchies if not is_made(how)))
    destination = wanted.destination(*read)
    pages.check(wanted.files(Path(records), *read), force=wanted.force)
    source = to_protect(context, records, roles, reading)
    request = GeneralizationRequest(
        k,
        destination,
        source.roles,
        generalized.names(),
        generalized.choices(),
        asdict(engine),
        rules_for(context, policy, preset, k=k, can_wait=source.info is not None or wanted.dry_run),
        context.actor,
        not wanted.forget_key,
        pages.report is not None,
        pages.curve,
        demanding=demanded.demanding(),
        # a policy that was named, here or in the settings
        policy_demands=(policy or preset or context.settings.policy) is not None,
        origin=wanted.origin,
        suppress=suppress or 0.0,
    )
    parts.check(stored=source.info is not None)
    stored = source.stored(context)
    settings, spark = parts.settings(context)
    with (
        context.output.progress("generalize") as bar,
        opened_records(context, source.subject, reading, settings) as opened,
    ):
        note_missing_words(context, opened)
        if parts.wanted or (stored is None and is_large(opened, request)):
            in_parts = export_large(opened, request, settings, spark=spark, phase=bar.phase, progress=bar.bounds)
            answer_generalized(context.output, source.name, in_parts, ())
            return
        result = export_generalized(opened, request, stored, phase=bar.phase, progress=bar.bounds)
    written = pages.write(context.output, Path(source.name).name, result, force=wanted.force)
    answer_generalized(context.output, source.name, result, written)
    if result.published is not None and result.published.approval is not None:
        raise typer.Exit(3)
