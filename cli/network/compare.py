"""`auditor network compare|bounds`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.context import Context, context_of
from cli.options import (
    DelimiterOption,
    FormatOption,
    HeaderOption,
    NetworkArgument,
    SymmetrizeOption,
    VerticesOption,
)

if TYPE_CHECKING:
    from cli.reading import Reading

__all__ = ["bounds", "compare"]


def compare(
    ctx: typer.Context,
    first: Annotated[str, typer.Argument(metavar="A", help="A stored network or a network file.")],
    second: Annotated[str, typer.Argument(metavar="B", help="The network to hold against it.")],
    k: Annotated[int, typer.Option("--k", "-k", min=2, help="Block size for the risk figures.")] = 5,
    symmetrize: SymmetrizeOption = False,
    delimiter: DelimiterOption = None,
    header: HeaderOption = None,
) -> None:
    """Hold two networks against each other: size, degree risk and what analyses would see.

    Example: auditor network compare friends.csv released.csv
    """
    from cli.reading import Reading
    from graphkit.networks.inspect import audit
    from graphkit.networks.utility import compare as compare_utility

    context = context_of(ctx)
    reading = Reading(symmetrize, delimiter=delimiter, header=header)
    graphs = [_graph(context, argument, reading) for argument in (first, second)]
    risks = [audit(graph, k) for graph in graphs]
    utility = compare_utility(*graphs)
    rows: list[tuple[str, Any, Any]] = [
        ("vertices", graphs[0].n, graphs[1].n),
        ("edges", graphs[0].m, graphs[1].m),
        (f"vertices in blocks of fewer than {k}", risks[0].vertices_below_k, risks[1].vertices_below_k),
        ("vertices that are the only one of their degree", risks[0].unique_vertices, risks[1].unique_vertices),
        ("smallest block", risks[0].smallest_block, risks[1].smallest_block),
    ]
    measures = [(change.name, change.before, change.after) for change in utility.changes]
    distances = [(distance.name, distance.value) for distance in utility.distances]
    context.output.answer(
        {
            "networks": [first, second],
            "figures": [{"figure": name, "values": list(values)} for name, *values in [*rows, *measures]],
            "distances": [{"figure": name, "value": value} for name, value in distances],
        },
        context.output.table(("figure", first, second), [*rows, *measures]),
        context.output.table(("distance of the degree distributions", "value"), distances),
    )


def bounds(
    ctx: typer.Context,
    network: NetworkArgument,
    k: Annotated[list[int], typer.Option("--k", "-k", help="Required block size (repeatable).")],
    symmetrize: SymmetrizeOption = False,
    format: FormatOption = None,
    vertices: VerticesOption = None,
    delimiter: DelimiterOption = None,
    header: HeaderOption = None,
) -> None:
    """Tell how many new edges k-degree anonymity needs at least: proven, before anything is changed.

    Example: auditor network bounds friends.csv --k 2 --k 5
    """
    from cli.reading import Reading
    from graphkit.networks import lower_bound
    from graphkit.networks.bounds import sequence_bound

    context = context_of(ctx)
    view = _view(context, network, Reading(symmetrize, format, vertices, delimiter, header))
    blocks = view.block_sequence()
    found = [(size, sequence_bound(blocks, size), lower_bound(view, size)) for size in _checked(view, k)]
    context.output.answer(
        {"network": network, "bounds": [{"k": a, "sequence": b, "lower_bound": c} for a, b, c in found]},
        context.output.table(("k", "by the degrees alone", "proven lower bound on new edges"), found),
    )


def _checked(view: Any, sizes: list[int]) -> list[int]:
    from graphkit.networks.driver import check_k

    for size in sizes:
        check_k(view, size)
    return sizes


def _graph(context: Context, argument: str, reading: Reading) -> Any:
    from cli.subject import find_network

    subject = find_network(context, argument)
    if subject.stored is not None:
        return context.store.networks.load(subject.stored.name).graph
    assert subject.path is not None
    return _read(context, subject.path, reading)


def _view(context: Context, argument: str, reading: Reading) -> Any:
    from cli.subject import find_network
    from graphkit.networks.interchange import as_view

    subject = find_network(context, argument)
    reading.check_useful(subject)
    if subject.stored is not None:
        return context.store.networks.view(subject.stored.name)
    assert subject.path is not None
    return as_view(_read(context, subject.path, reading))


def _read(context: Context, path: Path, reading: Reading) -> Any:
    from cli.reading import remarks_of

    loaded = reading.read(path)
    for remark in remarks_of(loaded.notes):
        context.output.note(remark)
    return loaded.graph
