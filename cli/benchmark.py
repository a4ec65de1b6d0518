"""`auditor benchmark`: measure this machine."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from auditor.core.errors import BadInput
from cli.terminal.commands import single
from cli.terminal.context import Context
from graphkit.numbers import count, figure, share


def benchmark(
    context: Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Benchmarks, or parts of them, to run; all of them without a name."),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            envvar="AUDITOR_BENCH_DATA",
            help="Folder with the cited instances, NAME.npz or NAME.csv; rows that need a missing one are left out.",
        ),
    ] = None,
    write: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Also write the figures into the folder figures beside this Markdown page, as data and as pictures, "
            "and what they show into this page and into degree-figures.md beside it.",
        ),
    ] = None,
    list_: Annotated[bool, typer.Option("--list", metavar="", help="Only say which benchmarks there are.")] = False,
) -> None:
    """Measure speed and quality on this machine, each figure beside the bar it should stay under.

    There is no such command in an installed distribution: the benchmarks are in the source tree.

    Example: auditor benchmark --list
    """
    from benchmarks.cell import Cell
    from benchmarks.pages import RECORD, write_pages
    from benchmarks.record import Record, machine
    from benchmarks.row import Row
    from benchmarks.runner import available, chosen

    output = context.output
    if list_:
        output.answer({"benchmarks": available()}, *available())
        return
    if write is not None and not write.parent.is_dir():
        raise BadInput(f"--write: there is no folder {write.parent}; make it first")
    runs = chosen(names or [])
    record = None
    if write is not None:
        record = Record.continued(write.parent / RECORD, anew=set(runs) == set(available()))
    rows: list[Row] = []
    cells: list[Cell] = []
    with output.progress("benchmark") as progress:
        for name, run in runs.items():
            progress.phase(name)
            these: tuple[list[Row], list[Cell]] = [], []
            for found in run(data):
                if isinstance(found, Row):
                    these[0].append(found)
                else:
                    these[1].append(found)
                    edges, proven = count(found.edges), count(found.bound)
                    output.note(f"{found.work}: {edges} edges, {proven} proven, {found.seconds:.2f} s")
            if write is not None and record is not None:
                # after each benchmark: what was measured stays, whatever happens to the next one
                record.add(name, *these)
                write_pages(record, write)
            rows += these[0]
            cells += these[1]
    shown = [[row.work, f"{figure(row.value)} {row.unit}", row.limit, row.holds, row.peer] for row in rows]
    figures = [
        [cell.work, cell.edges, cell.bound, share(cell.gap), cell.status, f"{cell.seconds:.2f} s", cell.peer]
        for cell in cells
    ]
    tables = [output.table(["work", "value", "bar", "holds", "peer"], shown, title=machine())]
    if cells:
        tables.insert(0, output.table(["cell", "edges", "bound", "gap", "status", "time", "others"], figures))
    output.answer(
        {
            "machine": machine(),
            "rows": [{"holds": row.holds, **asdict(row)} for row in rows],
            "cells": [{"gap": cell.gap, **asdict(cell)} for cell in cells],
        },
        *tables,
    )


app = single(benchmark)
