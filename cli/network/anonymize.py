"""`auditor network anonymize`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.network.edge_table import EdgeTableOption, MemoryOption, anonymize_edge_table, check_edge_table_options
from cli.network.limits import (
    AllowOption,
    ForbidEdgesOption,
    ForbidVerticesOption,
    Limits,
    MaxIncreaseOption,
    OnlyOption,
    PlausibleOption,
    PreviousKeyOption,
    PreviousOption,
)
from cli.network.waiting import check_can_wait, rules_for
from cli.terminal.completing import methods
from cli.terminal.context import Context, context_of
from cli.terminal.options import (
    DelimiterOption,
    EffortOption,
    FormatOption,
    GapOption,
    HeaderOption,
    NetworkArgument,
    ProveOption,
    SymmetrizeOption,
    VerticesOption,
)
from cli.terminal.policy_option import PolicyOption, PresetOption

if TYPE_CHECKING:
    from auditor.exports.destination import Destination
    from auditor.formats.networks.loaded import LoadedNetwork
    from auditor.policy import Policy
    from auditor.subjects.networks.exports.publishing import PublishedNetwork
    from cli.terminal.output import Progress
    from cli.terminal.reading import Reading
    from cli.terminal.subject import Subject
    from graphkit.networks.result import Anonymization
    from graphkit.networks.variants.result import ConstrainedAnonymization


def anonymize(
    ctx: typer.Context,
    network: NetworkArgument,
    k: Annotated[int, typer.Option("--k", "-k", help="At least k vertices share every degree.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="File to write; its suffix decides the format.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", metavar="", help="Write nothing; show the figures.")] = False,
    force: Annotated[bool, typer.Option("--force", metavar="", help="Replace an existing --out.")] = False,
    keep: Annotated[list[str] | None, typer.Option("--keep", help="Vertex attribute to release (repeatable).")] = None,
    key_file: Annotated[
        Path | None,
        typer.Option("--key-file", help="Also write original,published ids here (CSV), readable by you only."),
    ] = None,
    forget_key: Annotated[
        bool, typer.Option("--forget-key", metavar="", help="Do not keep the relabelling in the store.")
    ] = False,
    store_as: Annotated[
        str | None, typer.Option("--store-as", help="Keep the released network in the store under this name.")
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            "--method", autocompletion=methods, help="optimal; or, to compare with: clustering, liu-terzi, two-phase."
        ),
    ] = "optimal",
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the engine; ids never come from it.")] = 0,
    effort: EffortOption = None,
    prove: ProveOption = False,
    time_limit: Annotated[
        float | None, typer.Option("--time-limit", help="Seconds for the engine; it then returns its best answer.")
    ] = None,
    gap: GapOption = None,
    only: OnlyOption = None,
    forbid_edges: ForbidEdgesOption = None,
    forbid_vertices: ForbidVerticesOption = None,
    max_increase: MaxIncreaseOption = None,
    allow: AllowOption = "add",
    plausible: PlausibleOption = False,
    previous: PreviousOption = None,
    previous_key: PreviousKeyOption = None,
    out_format: Annotated[
        str | None, typer.Option("--out-format", help="Format of --out; by default its suffix decides.")
    ] = None,
    symmetrize: SymmetrizeOption = False,
    format: FormatOption = None,
    vertices: VerticesOption = None,
    delimiter: DelimiterOption = None,
    header: HeaderOption = None,
    edge_table: EdgeTableOption = False,
    memory: MemoryOption = None,
    policy: PolicyOption = None,
    preset: PresetOption = None,
) -> None:
    """Write a version in which at least k vertices share every degree; the written file is verified.

    Example: auditor network anonymize friends.csv --k 5 --out released.csv

    Exit code 1 when the limits leave no answer, which is proven then. With --policy or --preset k must be what it asks
    for; where it asks for a second person, the export of a stored network is pending (exit code 3) until another one
    approves it (`auditor approval`).

    Example: auditor network anonymize friends.csv --k 3 --allow add,delete --plausible --out released.csv

    Example: auditor network anonymize ties.parquet --edge-table --k 10 --out released.parquet
    """
    from auditor.core.errors import BadInput
    from auditor.exports.destination import Destination, check_network_destination
    from auditor.subjects.networks.exports.attributes import check_attributes, choose_attributes
    from auditor.subjects.networks.repository import Networks
    from cli.network.anonymized import answer_anonymized, digests_of
    from cli.terminal.reading import Reading, read_data
    from cli.terminal.subject import Subject, find_network

    context = context_of(ctx)
    rules = rules_for(context, policy, preset, k=k, edge_table=edge_table, store_as=store_as)
    reading = Reading(symmetrize, format, vertices, delimiter, header)
    if out is None and not dry_run:
        raise BadInput("say where to write with --out FILE, or --dry-run for the figures alone")
    destination = Destination(out or Path(), force, out_format, tuple(keep or ()), key_file)
    limits = Limits(
        only, forbid_edges, forbid_vertices, max_increase, plausible, allow, previous or (), previous_key or ()
    )
    limits.check(
        keep=keep,
        method=None if method == "optimal" else method,
        gap=gap,
        effort=effort,
        prove=prove,
        edge_table=edge_table,
    )
    work = _Work(method, seed, effort, prove, time_limit, gap)
    check_edge_table_options(
        network, edge_table=edge_table, memory=memory, keep=keep, forget_key=forget_key, store_as=store_as,
        symmetrize=symmetrize, format=format, delimiter=delimiter, header=header,
    )  # fmt: skip
    if edge_table:
        subject = Subject(path=Path(network))
        result, written, notes = anonymize_edge_table(
            context,
            Path(network),
            vertices,
            memory,
            None if out is None or dry_run else destination,
            k,
            lambda view, bar: work.solve(view, k, bar),
        )
        answer_anonymized(context, subject, result, written, notes)
        return
    if out is not None:
        check_network_destination(destination, (*reading.files(Path(network)), *limits.files))
    with context.output.progress("anonymize") as bar:
        bar.phase("read")
        subject = find_network(context, network)
        check_can_wait(rules, subject, dry_run=dry_run)
        reading.check_useful(subject)
        if store_as is not None:
            Networks(context.store).check_free(store_as)
        if dry_run and not keep and not limits.given:
            graph, remarks, read = _view(context, subject, reading)
            result = work.solve(graph, k, bar)
            answer_anonymized(context, subject, result, {}, remarks, read)
            return
        loaded, notes = reading.load(context, subject)
        kept = choose_attributes(loaded.attributes, destination.keep)
        answer: Anonymization | ConstrainedAnonymization
        protected = None
        if limits.given:
            found, remarks = limits.solve(context, loaded, k, seed, time_limit, bar)
            notes += remarks
            if found.status == "infeasible":
                answer_anonymized(context, subject, found, {}, notes, read_data(loaded))
                raise typer.Exit(1)
            answer, protected = found, found.constraints.subset
        else:
            answer = work.solve(loaded.graph, k, bar)
        check_attributes(answer.degrees_after(loaded.graph.degrees()), kept, k, protected)
        if dry_run:
            answer_anonymized(context, subject, answer, {}, notes, read_data(loaded))
            return
        earlier = _earlier_exports(context, subject)
        published = _publish(context, subject, loaded, answer, destination, rules, forget_key, store_as, bar)
    if earlier:
        notes.append(f"exports of this network before this one: {earlier}; several releases can be combined")
    written = {
        "files": [str(path) for path in published.files],
        "digests": digests_of(published.files),
        "export": published.manifest.export,
        "approval": published.approval,
        "earlier": earlier,
        "verification": published.manifest.verification.checks,
    }
    answer_anonymized(context, subject, answer, written, notes, read_data(loaded))
    if published.approval is not None:
        raise typer.Exit(3)


def _earlier_exports(context: Context, subject: Subject) -> int:
    """Return how many exports of the network are out already, as far as the store knows."""
    from auditor.exports.repository import Exports

    if subject.stored is None:
        return 0
    return sum(export.state == "published" for export in Exports(context.store).list(subject=subject.stored.name))


def _view(context: Context, subject: Subject, reading: Reading) -> tuple[Any, Sequence[str], dict[str, Any] | None]:
    """Return what the engine needs to tell the figures, never the whole graph of a stored network; how it was read."""
    from auditor.subjects.networks.repository import Networks
    from cli.terminal.reading import read_data

    if subject.stored is None:
        loaded, remarks = reading.load(context, subject)
        return loaded.graph, remarks, read_data(loaded)
    return Networks(context.store).view(subject.stored.name), (), None


@dataclass(frozen=True)
class _Work:
    """How the engine is to work."""

    method: str
    seed: int
    effort: float | None
    prove: bool
    time_limit: float | None
    gap: float | None

    def solve(self, graph: Any, k: int, bar: Progress) -> Anonymization:
        import time

        from graphkit.networks.driver import anonymize as solve

        return solve(graph, k, **vars(self), progress=bar.bounds, clock=time.monotonic)


def _publish(
    context: Context,
    subject: Subject,
    loaded: LoadedNetwork,
    result: Anonymization | ConstrainedAnonymization,
    destination: Destination,
    rules: Policy,
    forget_key: bool,
    store_as: str | None,
    bar: Progress,
) -> PublishedNetwork:
    from auditor.exports.recording import StoreRecorder
    from auditor.subjects.networks.exports.publishing import publish_network
    from auditor.subjects.networks.repository import Networks
    from cli.terminal.actor import current_actor
    from graphkit.networks.result import Anonymization

    recorder = None
    if subject.stored is not None:
        recorder = StoreRecorder(
            context.store,
            subject.stored,
            current_actor(),
            method=result.method,
            keep_key=not forget_key,
            policy=rules,
            force=destination.force,
        )
    if isinstance(result, Anonymization):
        published = publish_network(loaded, result.edges, result.k, destination, recorder, phase=bar.phase)
    else:
        published = publish_network(
            loaded,
            result.added,
            result.k,
            destination,
            recorder,
            phase=bar.phase,
            deleted=result.deleted,
            claim=result.claim(loaded.graph.n),
            terms=result.terms(),
        )
    if store_as is not None:
        bar.phase("store")
        Networks(context.store).add(
            store_as,
            published.released,
            source=destination.path.name,
            actor=current_actor(),
            derived_from=subject.stored.name if subject.stored is not None else None,
            progress=bar.report,
        )
    return published
