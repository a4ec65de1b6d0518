"""`auditor table bounds`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.table.names import as_names
from cli.table.source import (
    CountOption,
    DelimiterOption,
    MissingOption,
    RecordsOption,
    SumOption,
    TableArgument,
    TableReading,
    VariablesOption,
    find_table_or_file,
)
from cli.terminal.context import Context, context_of

if TYPE_CHECKING:
    from auditor.subjects.tables.stored.releases import TableState
    from graphkit.tables.hierarchies.recoding import RecodedMarginal
    from graphkit.tables.structure.contingency import ContingencyTable


def bounds(
    ctx: typer.Context,
    table: TableArgument,
    given: Annotated[
        list[Any] | None,
        typer.Option(
            "--given",
            metavar="A,B",
            parser=as_names,
            help="Compute bounds from this marginal instead of the released ones (repeatable).",
        ),
    ] = None,
    more: Annotated[
        list[Any] | None,
        typer.Option(
            "--and",
            metavar="A,B",
            parser=as_names,
            help="Compute bounds from this marginal in addition (repeatable).",
        ),
    ] = None,
    cells: Annotated[
        list[str] | None,
        typer.Option("--cells", metavar="A=x,B=y", help="Only the cells with these categories (repeatable)."),
    ] = None,
    outer: Annotated[
        bool, typer.Option("--outer", metavar="", help="Compute only outer bounds, which is fast.")
    ] = False,
    count_tables: Annotated[
        bool, typer.Option("--count-tables", metavar="", help="Count the tables that have the marginals.")
    ] = False,
    up_to: Annotated[int, typer.Option("--up-to", metavar="N", min=1, help="Where counting tables ends.")] = 1_000_000,
    time_limit: Annotated[
        float,
        typer.Option(
            "--time-limit", metavar="SECONDS", help="Time limit in seconds; the answer is what is proven by then."
        ),
    ] = 60.0,
    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="FILE.svg", help="Draw the intervals into this file.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", metavar="", help="Overwrite the picture.")] = False,
    show_all: Annotated[
        bool, typer.Option("--all", metavar="", help="Show every cell, however many there are.")
    ] = False,
    count: CountOption = None,
    records: RecordsOption = False,
    variables: VariablesOption = None,
    sum: SumOption = False,
    missing: MissingOption = None,
    delimiter: DelimiterOption = None,
) -> None:
    """Show the bounds of the cells that follow from the released marginals, or from others.

    Of every cell the least and the largest count that it can have, proven. For a stored table the marginals that are
    out are taken, unless --given names others; a file needs no store. What is shown is protected: it is for the
    officer, and of a stored table the ledger notes it first. Exit code 3 when time ran out for some cells.

    Example: auditor table bounds survey --and sex,illness

    Example: auditor table bounds survey.csv --given sex,age --given age,illness --cells sex=f --picture bounds.svg
    """
    import time

    from auditor.subjects.tables.releases.bounds import bound_cells, look_at_bounds
    from auditor.subjects.tables.representations.bounds import bounds_data
    from cli.table.bounds_answer import answer_shown, picture_of
    from cli.table.cells import chosen_cells
    from cli.terminal.actor import current_actor
    from graphkit.budget import Budget

    context = context_of(ctx)
    reading = TableReading(count, records, variables, sum, missing, delimiter)
    if picture is not None:
        from auditor.subjects.tables.charts.picture import check_picture, write_picture

        check_picture(picture, force=force)
    Budget(time.monotonic, time_limit)  # a limit that cannot be meant is told before a file is read
    with context.output.progress("bounds") as bar:
        bar.phase("read")
        name, read, sets, state = _read(context, table, reading, given, more or [])
        chosen = chosen_cells(read.variables, cells) if cells else None
        if state is not None:
            look_at_bounds(
                context.store,
                state,
                sets,
                cells=read.size if chosen is None else chosen.size,
                exact=not outer,
                actor=current_actor(),
                counted=count_tables,
            )
        bar.phase("bound the cells")
        answer = bound_cells(
            read,
            sets,
            cells=chosen,
            exact=not outer,
            count=up_to if count_tables else None,
            time_limit=time_limit,
            clock=time.monotonic,
        )
        if picture is not None:
            bar.phase("draw")
            write_picture(picture, picture_of(name, answer), force=force)
    context.output.answer(
        bounds_data(name, answer, counted=count_tables, picture=picture),
        *answer_shown(context.output, name, answer, counted=count_tables, picture=picture, show_all=show_all),
    )
    if "timeout" in answer.found.status:
        raise typer.Exit(3)


def _read(
    context: Context, argument: str, reading: TableReading, given: list[Any] | None, more: list[Any]
) -> tuple[str, ContingencyTable, tuple[RecodedMarginal, ...], TableState | None]:
    """Return the table with its name and the marginals to bound from, and what the store holds of it."""
    from auditor.core.errors import BadInput
    from auditor.subjects.tables.releases.bounds import given_marginals, proven_marginals
    from auditor.subjects.tables.stored.releases import Releases

    subject = find_table_or_file(context, argument)
    given = given or None
    if isinstance(subject, Path):
        if given is None and not more:
            raise BadInput(f"{subject} is a file without releases; name the known marginals, such as --given A,B")
        table = reading.read(context, subject).table
        return subject.name, table, given_marginals(table, (), given, more), None
    reading.check_useful(subject.name)
    state = Releases(context.store).state(subject.name, (), "")
    out, simulated = proven_marginals(state)
    if given is None and simulated:
        context.output.note(
            f"marginals that are simulated disclose nothing about the counts and are omitted: {simulated}"
        )
    return subject.name, state.table, given_marginals(state.table, out, given, more), state
