"""`auditor table list|show|remove`."""

from datetime import datetime
from typing import Annotated

import typer

from cli.table import options
from cli.table.names import categories_of
from cli.terminal.confirming import confirm_removal
from cli.terminal.context import Context
from cli.terminal.subject import find_table


def list_tables(context: Context) -> None:
    """List the tables in the store, with their numbers of cells and of released marginals.

    Example: auditor table list
    """
    from auditor.subjects.tables.repository import Tables

    tables = Tables(context.store).list()
    rows = [
        (info.name, len(info.variables), info.cells, info.version, info.released, _minute(info.created_at))
        for info in tables
    ]
    context.output.answer(
        {"tables": tables},
        context.output.table(("name", "variables", "cells", "version", "marginals out", "added"), rows),
    )


def show(context: Context, name: options.Name) -> None:
    """Show a stored table: variables, categories, and released marginals with their dates.

    Counts are never shown. Other tables that may be of the same people are named: where a variable of both has the same
    counts, what is out of one may give away the other.

    Example: auditor table show survey
    """
    from auditor.core.plain import plain
    from auditor.formats.tables.words import in_words
    from auditor.subjects.tables.releases.mapping import read_map
    from auditor.subjects.tables.repository import Tables
    from cli.table.map import map_shown

    info = find_table(context, name)
    released = Tables(context.store).released(info.name)
    overlaps, kinships = Tables(context.store).overlaps(info.name), Tables(context.store).kinships(info.name)
    known = read_map(context.store, info.name)
    figures = [
        ("version", info.version),
        ("cells", info.cells),
        ("source", info.source),
        ("added", _minute(info.created_at)),
        ("population", info.population),
    ]
    variables = [(variable.name, variable.size, categories_of(variable)) for variable in info.variables]
    out = [(in_words(one.names, one.merged), _minute(one.released_at), one.version, one.simulated) for one in released]
    context.output.answer(
        {
            **plain(info),
            "marginals": released,
            "overlaps": overlaps,
            "alike": kinships,
            **known.data(),
        },
        info.name,
        context.output.table(("", ""), figures),
        context.output.table(("variable", "categories", ""), variables),
        context.output.table(("marginal", "out since", "version", "simulated"), out, title="Released marginals"),
        *(map_shown(context.output, known) if known.declared or known.undeclared else ()),
        *(f"Note: {overlap.sentence}" for overlap in overlaps if overlap.same_population),
        *(f"Note: {kinship.sentence}" for kinship in kinships),
    )


def remove(
    context: Context,
    name: options.Name,
    yes: Annotated[bool, typer.Option("--yes", "-y", metavar="", help="Do not ask for confirmation.")] = False,
) -> None:
    """Remove a table and its counts from the store; its released marginals and ledger entries remain.

    If the same data is added again, under any name, its earlier releases count.

    Example: auditor table remove survey --yes
    """
    from auditor.subjects.tables.repository import Tables

    info = find_table(context, name)
    confirm_removal(info.name, f"Remove {info.name} with its counts?", yes=yes)
    with context.output.progress(f"remove {info.name}"):
        Tables(context.store).remove(info.name, actor=context.actor)
    context.output.answer(
        {"removed": info.name}, f"{info.name} is removed; its released marginals and its ledger entries remain"
    )


def _minute(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M}"
