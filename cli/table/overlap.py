"""`auditor table overlap`."""

import shlex
from typing import Annotated

import typer

from cli.table import options
from cli.terminal.context import Context


def overlap(
    context: Context,
    name: options.Name,
    other: Annotated[str | None, typer.Argument(help="Another table, stored or removed.")] = None,
    linked: Annotated[
        bool, typer.Option("--linked", metavar="", help="They have respondents in common: releases count for both.")
    ] = False,
    unrelated: Annotated[
        bool,
        typer.Option("--unrelated", metavar="", help="They have no respondents in common."),
    ] = False,
) -> None:
    """Declare whether two tables have respondents in common.

    A table that is added is compared with all others: marginals by one or two variables with nearly the same counts,
    whatever the variables are called. Where something of a table that looks alike is out, requests stay undecided until
    this is declared. With --linked, both have one history from then on, and that cannot be taken back; variables that
    have other names in the other table are declared with `auditor table map`. The declaration is in the ledger.

    Without OTHER, this shows which tables look alike.

    Example: auditor table overlap survey

    Example: auditor table overlap panel survey --linked

    Example: auditor table overlap north south --unrelated
    """
    from auditor.core.errors import BadInput
    from auditor.subjects.tables.repository import Tables
    from cli.terminal.subject import find_table

    if other is not None and linked == unrelated:
        raise BadInput("say either --linked or --unrelated")
    if other is None and (linked or unrelated):
        raise BadInput("name the other table, too")
    info = find_table(context, name)
    if other is not None:
        info = Tables(context.store).declare_kinship(
            info.name, other.removeprefix("table:"), linked=linked, actor=context.actor
        )
    found = Tables(context.store).kinships(info.name)
    words = [one.sentence for one in found] or ["no undeclared table is similar to it"]
    if other is not None:
        said = "same respondents: releases of either count for both" if linked else "other respondents"
        words.insert(0, f"{info.name} and {other} are of {said}")
    nexts = [
        f"Next: auditor table overlap {shlex.quote(info.name)} {shlex.quote(one.table)} --linked, or --unrelated"
        for one in found[:1]
    ]
    context.output.answer(
        {"table": info.name, "population": info.population, "open": found},
        *words,
        *context.output.advice(*nexts),
    )
