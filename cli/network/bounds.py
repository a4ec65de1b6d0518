"""`auditor network bounds`."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from cli.terminal.context import Context
from cli.terminal.options import EffortOption, NetworkArgument, ProveOption
from cli.terminal.reading import Reading

_DESCRIBED = ("name", "summary", "precondition", "reference")


def bounds(
    context: Context,
    network: NetworkArgument,
    *,
    k: Annotated[list[str], typer.Option("--k", "-k", help="Required block size, or several: 2,5,10 (repeatable).")],
    effort: EffortOption = None,
    prove: ProveOption = False,
    reading: Reading,
) -> None:
    """Show how many new edges k-degree anonymity needs at least: proven, without changing anything.

    The bound is that of `network anonymize` with the same --effort, for each k: a set of edges that is known makes it
    sharper, so one is looked for as well, and its size is told. Each way that raised the bound is shown; the largest
    counts. --json also tells where each comes from.

    Example: auditor network bounds friends.csv --k 5

    Example: auditor network bounds friends.csv --k 2,5,10 --json
    """
    from graphkit.effort import SECOND
    from graphkit.networks.bounds import BOUNDS
    from graphkit.networks.driver import anonymize, check_k

    sizes = _sizes(k)
    with context.output.progress("bounds") as bar:
        bar.phase("read")
        view = _view(context, network, reading)
        for size in sizes:
            check_k(view, size)
        found = []
        for done, size in enumerate(sizes):
            bar.report("prove", done, len(sizes))
            found.append(anonymize(view, size, effort=effort, prove=prove))
    ways = list(dict.fromkeys((*BOUNDS, *(way for result in found for way in result.proven))))
    # None for one that did not raise what was known before, or was not asked
    proven: list[dict[str, Any]] = [
        {
            "k": result.k,
            "lower_bound": result.lower_bound,
            "by": {way: result.proven.get(way) for way in ways},
            "found": result.size,
            "work": result.work / SECOND,
        }
        for result in found
    ]
    # a column of its own for each that raised what was known, for any k
    useful = [way for way in ways if any(one["by"][way] is not None for one in proven)]
    rows = [(one["k"], one["lower_bound"], one["found"], *(one["by"][way] for way in useful)) for one in proven]
    output = context.output
    shown: list[Any] = [output.table(("k", "new edges at least", "found", *useful), rows)]
    if not output.quiet:
        explained = [
            (bound.name, bound.summary + ("" if bound.precondition == "none" else f"; only where {bound.precondition}"))
            for bound in (BOUNDS[way] for way in useful if way in BOUNDS)
        ]
        # where each comes from stands in the documentation and in JSON
        if explained:
            shown.append(output.table(("bound", "takes into account"), explained, title="What is proven"))
    if any(result.status != "optimal" for result in found):
        shown += output.advice("Next, for sharper bounds: --prove, or --effort with about how many seconds to work")
    output.answer(
        {
            "network": network,
            "bounds": proven,
            "methods": [{name: getattr(bound, name) for name in _DESCRIBED} for bound in BOUNDS.values()],
        },
        *shown,
    )


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
    from graphkit.networks.graphs.interchange import as_view

    subject = reading.find(context, argument)
    if subject.stored is not None:
        return Networks(context.store).view(subject.stored.name)
    return as_view(reading.load_and_tell(context, subject).graph)
