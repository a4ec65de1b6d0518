"""`auditor network anonymize`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.network.edge_table import InDatabase
from cli.network.limits import Limits
from cli.network.policies import check_can_wait, rules_for
from cli.terminal.completing import methods
from cli.terminal.context import Context
from cli.terminal.options import EffortOption, ExportNameOption, GapOption, NetworkArgument, ProveOption, PurposeOption
from cli.terminal.output import Progress
from cli.terminal.policy_option import PolicyOption, PresetOption
from cli.terminal.reading import Reading, remarks_of
from cli.terminal.records import said
from cli.terminal.subject import Subject

if TYPE_CHECKING:
    from auditor.subjects.networks.exports.exporting import ExportRequest, ExportResult


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be written, and where."""

    out: Annotated[Path | None, typer.Option("--out", "-o", help="File to write; its suffix decides the format.")] = (
        None
    )
    dry_run: Annotated[bool, typer.Option("--dry-run", metavar="", help="Write nothing; show the figures.")] = False
    force: Annotated[bool, typer.Option("--force", metavar="", help="Replace an existing --out.")] = False
    keep: Annotated[list[str] | None, typer.Option("--keep", help="Vertex attribute to release (repeatable).")] = None
    key_file: Annotated[
        Path | None,
        typer.Option("--key-file", help="Also write original,published ids here (CSV), readable by you only."),
    ] = None
    forget_key: Annotated[
        bool, typer.Option("--forget-key", metavar="", help="Do not keep the relabelling in the store.")
    ] = False
    purpose: PurposeOption = None
    name: ExportNameOption = None
    store_as: Annotated[
        str | None, typer.Option("--store-as", help="Keep the released network in the store under this name.")
    ] = None


@dataclass(frozen=True, slots=True)
class Engine:
    """How the engine is to work: the names are its own."""

    method: Annotated[
        str,
        typer.Option(
            "--method", autocompletion=methods, help="optimal; or, to compare with: clustering, liu-terzi, two-phase."
        ),
    ] = "optimal"
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the engine; ids never come from it.")] = 0
    effort: EffortOption = None
    prove: ProveOption = False
    time_limit: Annotated[
        float | None, typer.Option("--time-limit", help="Seconds for the engine; it then returns its best answer.")
    ] = None
    gap: GapOption = None


def anonymize(
    context: Context,
    network: NetworkArgument,
    k: Annotated[int, typer.Option("--k", "-k", help="At least k vertices share every degree.")],
    *,
    wanted: Wanted,
    engine: Engine,
    limits: Limits,
    out_format: Annotated[
        str | None, typer.Option("--out-format", help="Format of --out; by default its suffix decides.")
    ] = None,
    reading: Reading,
    database: InDatabase,
    policy: PolicyOption = None,
    preset: PresetOption = None,
) -> None:
    """Write a version in which at least k vertices share every degree; the written file is verified.

    Example: auditor network anonymize friends.csv --k 5 --out released.csv

    Exit code 1 when the limits leave no answer, which is proven then. With --policy or --preset, k must be no less than
    it requires; where it requires a second person, the export of a stored network is pending (exit code 3) until
    another person approves it (`auditor approval`).

    Example: auditor network anonymize friends.csv --k 3 --allow add,delete --plausible --out released.csv

    Example: auditor network anonymize ties.parquet --edge-table --k 10 --out released.parquet
    """
    from auditor.approvals.words import purpose_of
    from auditor.core.errors import BadInput
    from auditor.core.names import given_name
    from auditor.core.origin import Origin
    from auditor.exports.destination import Destination
    from auditor.subjects.networks.exports.exporting import ExportRequest
    from auditor.subjects.networks.exports.place import check_network_destination
    from cli.network.anonymized import answer_anonymized

    rules = rules_for(context, policy, preset, k=k, edge_table=database.edge_table, store_as=wanted.store_as)
    if wanted.out is None and not wanted.dry_run:
        raise BadInput("say where to write with --out FILE, or --dry-run for the figures alone")
    limits.check(wanted.keep, {**said(engine, but=("seed", "time_limit")), "edge_table": database.edge_table})
    here = said(wanted, but=("out", "dry_run", "force", "key_file"))
    database.check(network, {**here, **said(reading, but=("vertices",))})
    notes: list[str] = []
    request = ExportRequest(
        k,
        Destination(
            wanted.out or Path(),
            wanted.force,
            out_format,
            tuple(wanted.keep or ()),
            wanted.key_file,
            given_name(wanted.name),
        ),
        rules,
        context.actor,
        limits.engine(engine.seed, engine.time_limit) if limits.given else asdict(engine),
        constraints=partial(limits.constraints, context, notes) if limits.given else None,
        dry_run=wanted.dry_run,
        keep_key=not wanted.forget_key,
        origin=Origin(purpose=purpose_of(wanted.purpose)),
    )
    with context.output.progress("anonymize") as bar:
        if database.edge_table:
            from auditor.subjects.networks.exports.edge_table import export_edge_table

            files = database.files(context, network, reading.vertices)
            subject, earlier = Subject(path=files.path), None
            result = export_edge_table(files, request, phase=bar.phase, progress=bar.bounds)
        else:
            if wanted.out is not None:
                check_network_destination(request.destination, (*reading.files(Path(network)), *limits.files))
            bar.phase("read")
            subject = reading.find(context, network)
            check_can_wait(rules, subject, dry_run=wanted.dry_run)
            earlier = _earlier_exports(context, subject)
            result = _export(context, subject, request, reading, wanted.store_as, bar)
    notes = [*remarks_of(result.network or result.read), *notes]
    if earlier and result.published is not None:
        notes.append(_remark_on_earlier(subject, earlier, compared=bool(limits.previous)))
    answer_anonymized(context, subject, result, notes, earlier)
    if result.answer.status == "infeasible":
        raise typer.Exit(1)
    if result.published is not None and result.published.approval is not None:
        raise typer.Exit(3)


def _export(
    context: Context, subject: Subject, request: ExportRequest, reading: Reading, store_as: str | None, bar: Progress
) -> ExportResult:
    """Export a network that is stored or in a file, and store what was released where that was said."""
    from auditor.subjects.networks.exports.exporting import StoredNetwork, export_network
    from auditor.subjects.networks.exports.network_release import NetworkRelease
    from auditor.subjects.networks.repository import Networks

    if store_as is not None:
        Networks(context.store).check_free(store_as)
    stored = subject.stored
    source = partial(reading.load, context, subject) if stored is None else StoredNetwork(context.store, stored)
    result = export_network(source, request, phase=bar.phase, progress=bar.bounds)
    if store_as is not None and result.published is not None and isinstance(result.published.release, NetworkRelease):
        bar.phase("store")
        Networks(context.store).add(
            store_as,
            result.published.release.released,
            source=request.destination.path.name,
            actor=request.actor,
            derived_from=None if stored is None else stored.name,
            progress=bar.report,
        )
    return result


def _remark_on_earlier(subject: Subject, earlier: int, *, compared: bool) -> str:
    """Return what is said of exports that are out beside a new one."""
    said = f"exports of this network before this one: {earlier}; several releases can be combined"
    if compared:
        return f"{said}, and this one was compared with those of --previous alone"
    return f"{said}, and this one was compared with none: --previous {subject.argument} does so with the newest"


def _earlier_exports(context: Context, subject: Subject) -> int:
    """Return how many exports of the network were released before, as far as the store knows."""
    from auditor.exports.repository import Exports

    if subject.stored is None:
        return 0
    return sum(export.state == "published" for export in Exports(context.store).list(f"network:{subject.stored.name}"))
