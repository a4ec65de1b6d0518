"""`auditor table map`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.table import options
from cli.table.names import categories_of, named_items
from cli.terminal.context import Context
from cli.terminal.output import Output

if TYPE_CHECKING:
    from auditor.subjects.tables.releases.mapping import VersionMap
    from graphkit.tables.versions.variable_link import VariableLink


def map_variables(
    context: Context,
    name: options.Name,
    version: Annotated[
        int | None,
        typer.Option(
            "--version", min=1, help="Other version of its data; by default the only one with something undeclared."
        ),
    ] = None,
    renamed: Annotated[
        list[str] | None,
        typer.Option(
            "--renamed", metavar="OLD=NEW", help="OLD is called NEW now, with the same categories; repeatable."
        ),
    ] = None,
    category: Annotated[
        list[str] | None,
        typer.Option(
            "--category",
            metavar="OLD=X,NEW=Y",
            help="Respondents in Y of NEW were in X of OLD; also with several new variables; repeatable.",
        ),
    ] = None,
    file: Annotated[
        list[Path] | None,
        typer.Option("--file", metavar="FILE", help="CSV with columns OLD,NEW,… and such rows; repeatable."),
    ] = None,
    gone: Annotated[
        list[str] | None,
        typer.Option("--gone", metavar="OLD", help="No variable is related to OLD any more; repeatable."),
    ] = None,
) -> None:
    """Declare how the variables of an earlier version map to the current version of a table.

    A variable with the same name and the same categories is the same one. Of any other variable that is out, nothing is
    guessed: requests stay undecided until it is declared what has become of it. It may be renamed, recoded, merged,
    split, made of others, or gone. The declaration is in the ledger.

    Without a declaration, this shows what is declared and what is not.

    Example: auditor table map survey

    Example: auditor table map survey --renamed sex=gender
    """
    from auditor.subjects.tables.releases.mapping import declare_variables, other_version, read_map
    from cli.table.declaring import declared_links
    from cli.terminal.subject import find_table

    rows = [named_items("--category", text) for text in category or ()]
    with context.output.progress(f"map {name}") as bar:
        bar.phase("open the store")
        info = find_table(context, name)
        known = read_map(context.store, info.name)
        if renamed or rows or file or gone:
            other = other_version(known, version)
            theirs = known.others.get(other, ())
            then, now = (theirs, info.variables) if other < info.version else (info.variables, theirs)
            links = declared_links(then, now, renamed=renamed or (), categories=rows, files=file or (), gone=gone or ())
            bar.phase("declare")
            known = declare_variables(context.store, info.name, links, actor=context.actor, version=other)
    context.output.answer(
        {"table": info.name, "version": known.version, **known.data()}, *map_shown(context.output, known)
    )


def map_shown(output: Output, known: VersionMap) -> list[Any]:
    """Return what is declared, and what is not, as tables."""
    from auditor.formats.tables.names import quoted

    shown: list[Any] = []
    rows = [
        (f"{one.earlier} → {one.version}", quoted(link.old), ", ".join(map(quoted, link.new)), _how(link))
        for one in known.declared
        for link in one.variables
    ]
    if rows:
        columns = ("versions", "earlier variable", "later variables", "categories")
        shown.append(output.table(columns, rows, title="Declared"))
    missing = [
        (str(one.version), quoted(variable.name), categories_of(variable))
        for one in known.undeclared
        for variable in one.variables
    ]
    if missing:
        columns3 = ("version", "variable", "categories")
        shown.append(output.table(columns3, missing, title="Out, and not declared: requests stay undecided"))
    if not shown:
        shown.append("nothing is declared, and nothing has to be")
    return shown


def _how(link: VariableLink) -> str:
    if not link.new:
        return "gone"
    return "the same" if not link.rows else f"{len(link.rows)} rows"
