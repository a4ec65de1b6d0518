"""`auditor table simulate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.table import options
from cli.table.source import find_table_or_file, read_table_or_file
from cli.terminal.context import Context

if TYPE_CHECKING:
    from graphkit.tables.structure.contingency import ContingencyTable


def simulate(
    context: Context,
    table: options.Table,
    *,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Write the simulated tables to this CSV file.")],
    given: options.Given = None,
    draws: Annotated[int, typer.Option("--draws", min=1, help="How many tables.")] = 1,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="Repeatable draws; at random by default.")] = None,
    time_limit: options.TimeLimit = 60.0,
    force: options.Force = False,
    reading: options.FileReading,
) -> None:
    """Draw random tables that have the released marginals; for a file, the given ones.

    A drawn table has these marginals exactly and is otherwise a function of chance: from the marginals alone. Exit code
    3 when time ran out before the chains had gone all their way; the tables are written then, too, and have the
    marginals.

    Example: auditor table simulate survey --out simulated.csv

    Example: auditor table simulate survey.csv --given sex,age --given age,illness --draws 100 --out simulated.csv
    """
    import secrets
    import time

    from auditor.core.errors import BadInput
    from auditor.core.staging import check_destination
    from auditor.formats.tables.words import needed_in_words
    from auditor.subjects.tables.releases.bounds import given_marginals
    from auditor.subjects.tables.releases.files import write_marginal
    from auditor.subjects.tables.stored.recorded_answers import MarginalNames
    from graphkit.tables.simulation.simulating import simulate as draw_tables

    how = reading.options()
    check_destination(out, force=force)
    with context.output.progress("simulate") as bar:
        bar.phase("read")
        subject = find_table_or_file(context, table)
        read, state = read_table_or_file(context, subject, how)
        if state is not None and given:
            raise BadInput(
                "of a stored table the marginals that are out are held: others would go out with a simulated table; "
                "leave out --given, or name a file"
            )
        known = given_marginals(read, () if state is None else state.released(simulated=True), given or ())
        if state is not None and state.simulated is not None:
            read = state.simulated
        bar.phase("draw")
        drawn = draw_tables(
            read,
            known,
            # a number that nobody keeps
            seed=secrets.randbits(63) if seed is None else seed,
            draws=draws,
            time_limit=time_limit,
            clock=time.monotonic,
        )
        bar.phase("write")
        remarks = write_marginal(_stacked(drawn.tables), out, force=force, simulated=True)
    context.output.note(*remarks)
    held = [MarginalNames.of(marginal, read.variables) for marginal in known]
    context.output.answer(
        {
            "table": subject.name,
            "held": [one.names for one in held],
            "merged": [one.merged for one in held],
            "draws": draws,
            "file": out,
            "exact": drawn.exact,
            "complete": drawn.complete,
            "remarks": remarks,
        },
        f"{out}: {draws} simulated {'table' if draws == 1 else 'tables'}, checked",
        f"exact marginals: {'; '.join(needed_in_words(known, read.variables)) or 'the total'}",
        "exact draws" if drawn.exact else f"draws of chains{'' if drawn.complete else ', which time ended early'}",
        *context.output.advice("tell every recipient that they are simulated"),
    )
    if not drawn.complete:
        raise typer.Exit(3)


def _stacked(tables: tuple[ContingencyTable, ...]) -> ContingencyTable:
    """Return one table of all, with the number of the draw as its first variable; a single one as it is."""
    import numpy as np

    from graphkit.hierarchies.variable import Variable
    from graphkit.tables.structure.contingency import ContingencyTable

    first = tables[0]
    if len(tables) == 1:
        return first
    name = "draw"
    while name in first.names:
        name += "_"
    number = Variable(name, tuple(str(i + 1) for i in range(len(tables))))
    cells = np.concatenate([table.cells + i * first.size for i, table in enumerate(tables)])
    counts = np.concatenate([table.counts for table in tables])
    return ContingencyTable((number, *first.variables), cells, counts)
