"""`auditor network bounds`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    from graphkit.networks.bounds.registry import Bound

__all__ = ["bounds"]


def bounds(
    ctx: typer.Context,
    network: NetworkArgument,
    k: Annotated[list[str], typer.Option("--k", "-k", help="Required block size, or several: 2,5,10 (repeatable).")],
    symmetrize: SymmetrizeOption = False,
    format: FormatOption = None,
    vertices: VerticesOption = None,
    delimiter: DelimiterOption = None,
    header: HeaderOption = None,
) -> None:
    """Tell how many new edges k-degree anonymity needs at least: proven, before anything is changed.

    Each way to prove a bound is shown; the largest counts. --json also tells where each comes from.

    Example: auditor network bounds friends.csv --k 5

    Example: auditor network bounds friends.csv --k 2,5,10 --json
    """
    from cli.reading import Reading
    from graphkit.networks.bounds import BOUNDS
    from graphkit.networks.driver import check_k

    context = context_of(ctx)
    sizes = _sizes(k)
    with context.output.progress("bounds") as bar:
        bar.phase("read")
        view = _view(context, network, Reading(symmetrize, format, vertices, delimiter, header))
        for size in sizes:
            check_k(view, size)
        proven: dict[int, dict[str, int]] = {size: {} for size in sizes}
        for done, (size, name) in enumerate((size, name) for size in sizes for name in BOUNDS):
            bar.step("prove", done, len(sizes) * len(BOUNDS))
            proven[size][name] = BOUNDS[name].function(view, size)
    found = [(size, max(by.values()), by) for size, by in proven.items()]
    methods = [(bound.name, bound.summary, bound.precondition, bound.reference) for bound in BOUNDS.values()]
    columns = ("name", "summary", "precondition", "reference")
    output = context.output
    shown = [
        output.table(("k", "new edges at least", *BOUNDS), [(size, best, *by.values()) for size, best, by in found])
    ]
    if not output.quiet:
        shown.append(output.table(("bound", "takes into account"), _explained(BOUNDS.values()), title="What is proven"))
    output.answer(
        {
            "network": network,
            "bounds": [{"k": size, "lower_bound": best, "by": by} for size, best, by in found],
            "methods": [dict(zip(columns, method, strict=True)) for method in methods],
        },
        *shown,
    )


def _explained(bounds: Iterable[Bound]) -> list[tuple[str, str]]:
    """Return what each bound rests on; where it comes from stands in the documentation and in JSON."""
    return [
        (bound.name, bound.summary + ("" if bound.precondition == "none" else f"; only where {bound.precondition}"))
        for bound in bounds
    ]


def _sizes(texts: Sequence[str]) -> list[int]:
    """Return the block sizes that were asked for, each once, in the order of asking."""
    from auditor.errors import BadInput

    words = [word.strip() for text in texts for word in text.split(",")]
    wrong = next((word for word in words if not word.removeprefix("-").isdecimal()), None)
    if wrong is not None:
        raise BadInput(f"--k ({wrong}) must be a whole number, or several such as 2,5,10")
    return list(dict.fromkeys(map(int, words)))


def _view(context: Context, argument: str, reading: Reading) -> Any:
    """Return what a bound needs to see: of a stored network never the whole graph."""
    from cli.subject import find_network
    from graphkit.networks.interchange import as_view

    subject = find_network(context, argument)
    reading.check_useful(subject)
    if subject.stored is not None:
        return context.store.networks.view(subject.stored.name)
    return as_view(reading.load_and_tell(context, subject).graph)
