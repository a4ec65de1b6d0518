"""`auditor table add`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.table import options
from cli.table.names import named_lists
from cli.table.source import read_file
from cli.terminal.context import Context
from cli.terminal.names import as_argument
from graphkit.numbers import counted

if TYPE_CHECKING:
    from auditor.subjects.tables.repository import TableInfo


def add(
    context: Context,
    name: Annotated[str, typer.Argument(help="Name under which the table is kept.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="CSV, TSV or Parquet file, also compressed.")],
    *,
    reading: options.FileReading,
    order: Annotated[
        list[str] | None,
        typer.Option(
            "--order", metavar="A=X,Y", help="Order of the categories of A, of which neighbours may merge; repeatable."
        ),
    ] = None,
    new_version: Annotated[
        bool,
        typer.Option(
            "--new-version", metavar="", help="New data of the same respondents as NAME: earlier releases still count."
        ),
    ] = False,
) -> None:
    """Load a contingency table into the store.

    A file of counts has one row a cell: a column for each variable, and one with the counts, such as

        sex,smoking,count
        f,yes,12
        f,no,31
        m,yes,17
        m,no,29

    With --records it has one row per respondent and no counts.

    Earlier releases of the same data, under any name, still count.

    Example: auditor table add survey survey.csv

    Example: auditor table add patients patients.parquet --records --variables sex,age,illness

    Example: auditor table add survey2 survey.csv --order smoking=no,yes
    """
    from auditor.core.names import check_name
    from auditor.core.plain import plain
    from auditor.subjects.tables.remarks import remarks_on_added
    from auditor.subjects.tables.repository import Tables

    # before a file is read that may take long
    check_name(name)
    ordered = named_lists("--order", order or ())
    how = reading.options(ordered)
    with context.output.progress(f"add {name}") as bar:
        bar.phase("read")
        loaded = read_file(context, file, how)
        bar.phase("open the store")
        tables = Tables(context.store)
        info, added = tables.add(name, loaded, source=file.name, actor=context.actor, new_version=new_version)
        overlaps, kinships = tables.overlaps(name), tables.kinships(name)
    remarks = remarks_on_added(info, added, overlaps, ordered=bool(ordered))
    remarks += [kinship.sentence for kinship in kinships]
    context.output.note(*remarks)
    following = f"request {shlex.quote(name)} {as_argument(one.name for one in info.variables[:2])} --by WHO"
    if kinships:
        following = f"overlap {shlex.quote(name)} {shlex.quote(kinships[0].table)} --linked, or --unrelated"
    context.output.answer(
        {
            **plain(info),
            "known": added.known,
            "remarks": [*loaded.notes.remarks, *remarks],
            "overlaps": overlaps,
            "alike": kinships,
        },
        f"{name}: {_shape_of(info)}",
        *context.output.advice(f"Next: auditor table {following}"),
    )


def _shape_of(info: TableInfo) -> str:
    """Return the size of a table in words."""
    sizes = " × ".join(str(variable.size) for variable in info.variables)
    cells = counted(info.cells, "cell", "cells")
    product = cells if len(info.variables) == 1 else f"{sizes} = {cells}"
    return f"{counted(len(info.variables), 'variable', 'variables')}, {product}"
