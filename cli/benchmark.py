"""`auditor benchmark`: measure this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from auditor.errors import NotFound
from cli.context import context_of

__all__ = ["app"]

app = typer.Typer()


@app.command()
def benchmark(
    ctx: typer.Context,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Benchmarks to run; all of them without a name.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            envvar="AUDITOR_BENCH_DATA",
            help="Folder with the cited networks as NAME.npz; rows that need a missing one are left out.",
        ),
    ] = None,
    write: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also put the rows into the table of this Markdown page.")
    ] = None,
    list_: Annotated[bool, typer.Option("--list", metavar="", help="Only say which benchmarks there are.")] = False,
) -> None:
    """Measure speed and quality on this machine, each figure beside the bar it should stay under.

    Needs the source tree of the project: an installed distribution has no benchmarks.

    Example: auditor benchmark --list
    """
    try:
        from benchmarks.runner import available, machine, rows_of, write_rows
    except ModuleNotFoundError as error:
        raise NotFound("the benchmarks are part of the source tree: clone the project and run 'make bench'") from error
    output = context_of(ctx).output
    if list_:
        output.answer({"benchmarks": available()}, *available())
        return
    rows = []
    with output.progress("benchmark") as progress:
        for name in names or available():
            progress.phase(name)
            for _, measured in rows_of([name], data):
                rows += measured
    if write is not None:
        write_rows(rows, write, where=machine())
    shown = [
        [row.work, f"{row.value:.4g} {row.unit}", "" if row.bar is None else f"≤ {row.bar:g}", row.holds, row.peer]
        for row in rows
    ]
    output.answer(
        {"machine": machine(), "rows": [{"holds": row.holds, **_fields(row)} for row in rows]},
        output.table(["work", "value", "bar", "holds", "peer"], shown, title=machine()),
    )


def _fields(row: object) -> dict[str, object]:
    return {name: getattr(row, name) for name in ("work", "value", "unit", "bar", "peer")}
