"""`auditor table bounds`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from cli.table import options
from cli.table.source import find_table_or_file, read_table_or_file
from cli.terminal.context import Context
from cli.terminal.names import as_names


def bounds(
    context: Context,
    table: options.Table,
    *,
    given: options.Given = None,
    more: Annotated[
        list[Any] | None,
        typer.Option("--and", metavar="A,B", parser=as_names, help="Known marginal, in addition (repeatable)."),
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
    time_limit: options.TimeLimit = 60.0,
    picture: options.Picture = None,
    force: options.Force = False,
    show_all: Annotated[
        bool, typer.Option("--all", metavar="", help="Show every cell, however many there are.")
    ] = False,
    reading: options.FileReading,
) -> None:
    """Show the bounds of the cells that follow from the released marginals, or from others.

    Of every cell the least and the largest count that it can have, proven. For a stored table the marginals that are
    out are taken, unless --given names others; a file needs no store. What is shown is protected: it is for the
    officer, and of a stored table the ledger notes it first. Exit code 3 when time ran out for some cells.

    Example: auditor table bounds survey --and sex,illness

    Example: auditor table bounds survey.csv --given sex,age --given age,illness --cells sex=f --picture bounds.svg
    """
    import time

    from auditor.core.errors import BadInput
    from auditor.reports.writing import write_page
    from auditor.subjects.tables.charts.picture import check_picture
    from auditor.subjects.tables.releases.bounds import BoundsRequest, bound_cells, given_marginals, record_view
    from auditor.subjects.tables.releases.history import surely_out
    from auditor.subjects.tables.representations.bounds import bounds_data
    from cli.table.bounds_answer import answer_shown, picture_of
    from cli.table.cells import chosen_cells

    how = reading.options()
    check_picture(picture, force=force)
    with context.output.progress("bounds") as bar:
        bar.phase("read")
        subject = find_table_or_file(context, table)
        if isinstance(subject, Path) and not given and not more:
            raise BadInput(f"{subject} is a file without releases; name the known marginals, such as --given A,B")
        read, state = read_table_or_file(context, subject, how)
        if state is not None and state.simulated_releases and not given:
            context.output.note(
                "marginals that are simulated disclose nothing about the counts and are omitted: "
                f"{state.simulated_releases}"
            )
        request = BoundsRequest(
            given_marginals(read, () if state is None else surely_out(state), given or (), more or ()),
            cells=chosen_cells(read.variables, cells) if cells else None,
            exact=not outer,
            count=up_to if count_tables else None,
            time_limit=time_limit,
        )
        if state is not None:
            record_view(context.store, state, request, actor=context.actor)
        bar.phase("bound the cells")
        answer = bound_cells(read, request, clock=time.monotonic)
        if picture is not None:
            bar.phase("draw")
            write_page(picture, picture_of(subject.name, answer), force=force)
    data = bounds_data(subject.name, answer, counted=count_tables, picture=picture)
    context.output.answer(data, *answer_shown(context.output, answer, data, show_all=show_all))
    if "timeout" in answer.found.status:
        raise typer.Exit(3)
