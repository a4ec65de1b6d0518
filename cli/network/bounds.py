"""`auditor network bounds`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.terminal.context import Context, context_of
from cli.terminal.options import (
    DelimiterOption,
    EffortOption,
    FormatOption,
    HeaderOption,
    NetworkArgument,
    ProveOption,
    SymmetrizeOption,
    VerticesOption,
)

if TYPE_CHECKING:
    from cli.terminal.reading import Reading
    from graphkit.networks.bounds.registry import Bound


def bounds(
    ctx: typer.Context,
    network: NetworkArgument,
    k: Annotated[list[str], typer.Option("--k", "-k", help="Required block size, or several: 2,5,10 (repeatable).")],
    effort: EffortOption = None,
    prove: ProveOption = False,
    symmetrize: SymmetrizeOption = False,
    format: FormatOption = None,
    vertices: VerticesOption = None,
    delimiter: DelimiterOption = None,
    header: HeaderOption = None,
) -> None:
    """Show how many new edges k-degree anonymity needs at least: proven, without changing anything.

    The bound is that of `network anonymize` with the same --effort, for each k: a set of edges that is known makes it
    sharper, so one is looked for as well, and its size is told. Each way that raised the bound is shown; the largest
    counts. --json also tells where each comes from.

    Example: auditor network bounds friends.csv --k 5

    Example: auditor network bounds friends.csv --k 2,5,10 --json
    """
    from cli.terminal.reading import Reading
    from graphkit.networks.bounds import BOUNDS
    from graphkit.networks.driver import anonymize, check_k
    from graphkit.networks.effort.work import SECOND

    context = context_of(ctx)
    sizes = _sizes(k)
    with context.output.progress("bounds") as bar:
        bar.phase("read")
        view = _view(context, network, Reading(symmetrize, format, vertices, delimiter, header))
        for size in sizes:
            check_k(view, size)
        found = []
        for done, size in enumerate(sizes):
            bar.report("prove", done, len(sizes))
            found.append(anonymize(view, size, effort=effort, prove=prove))
    ways = list(dict.fromkeys((*BOUNDS, *(way for result in found for way in result.proven))))
    methods = [(bound.name, bound.summary, bound.precondition, bound.reference) for bound in BOUNDS.values()]
    columns = ("name", "summary", "precondition", "reference")
    output = context.output
    rows = [(result.k, result.lower_bound, result.size, *_by(result.proven, ways).values()) for result in found]
    shown: list[Any] = [output.table(("k", "new edges at least", "found", *ways), rows)]
    if not output.quiet:
        shown.append(output.table(("bound", "takes into account"), _explained(BOUNDS.values()), title="What is proven"))
    if any(result.status != "optimal" for result in found):
        shown += output.advice("Next, for sharper bounds: --prove, or --effort with about how many seconds to work")
    output.answer(
        {
            "network": network,
            "bounds": [
                {
                    "k": result.k,
                    "lower_bound": result.lower_bound,
                    "by": _by(result.proven, ways),
                    "found": result.size,
                    "work": result.work / SECOND,
                }
                for result in found
            ],
            "methods": [dict(zip(columns, method, strict=True)) for method in methods],
        },
        *shown,
    )


def _by(proven: Mapping[str, int], ways: Sequence[str]) -> dict[str, int | None]:
    """Return the bound by each way; None for one that did not raise what was known before, or was not asked."""
    return {way: proven.get(way) for way in ways}


def _explained(bounds: Iterable[Bound]) -> list[tuple[str, str]]:
    """Return what each bound rests on; where it comes from stands in the documentation and in JSON."""
    return [
        (bound.name, bound.summary + ("" if bound.precondition == "none" else f"; only where {bound.precondition}"))
        for bound in bounds
    ]


def _sizes(texts: Sequence[str]) -> list[int]:
    """Return the block sizes that were asked for, each once, in the order of asking."""
    from auditor.core.errors import BadInput

    words = [word.strip() for text in texts for word in text.split(",")]
    wrong = next((word for word in words if not word.removeprefix("-").isdecimal()), None)
    if wrong is not None:
        raise BadInput(f"--k ({wrong}) must be a whole number, or several such as 2,5,10")
    return list(dict.fromkeys(map(int, words)))


def _view(context: Context, argument: str, reading: Reading) -> Any:
    """Return what a bound needs to see: of a stored network never the whole graph."""
    from auditor.subjects.networks.repository import Networks
    from cli.terminal.subject import find_network
    from graphkit.networks.graphs.interchange import as_view

    subject = find_network(context, argument)
    reading.check_useful(subject)
    if subject.stored is not None:
        return Networks(context.store).view(subject.stored.name)
    return as_view(reading.load_and_tell(context, subject).graph)
