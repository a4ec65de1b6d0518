"""`auditor microdata add|list|show|remove`."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from cli.microdata import options
from cli.microdata.source import find_microdata, local_copy, note_missing_words
from cli.terminal.completing import files, stored
from cli.terminal.confirming import confirm_removal
from cli.terminal.context import Context


def add(
    context: Context,
    name: Annotated[str, typer.Argument(help="Name under which the records are kept.")],
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            autocompletion=files,
            help="CSV, TSV, Parquet, Stata or SPSS file, also compressed, or its address (s3://…).",
        ),
    ],
    *,
    roles: options.RoleOptions,
    reading: options.Reading,
    in_place: Annotated[
        bool,
        typer.Option("--in-place", metavar="", help="Leave the records in FILE; audits fail when it changes."),
    ] = False,
    follows: Annotated[
        str | None,
        typer.Option(
            "--follows",
            metavar="NAME",
            autocompletion=stored("microdata"),
            help="Stored microdata of which this is a later version; both need --record-key.",
        ),
    ] = None,
) -> None:
    """Load a file of records into the store.

    The store keeps a copy beside its data, readable by you only; the graph holds names, types and roles of the columns.
    Declare at least the quasi-identifiers: what an attacker may know.

    Of an address, such as s3://bucket/people.parquet, a copy is made; with --in-place each audit fetches it anew.
    Credentials are those of the environment.

    Example: auditor microdata add people people.csv --quasi-identifier age,sex,region --sensitive income
    """
    from auditor.core.names import check_name
    from auditor.core.plain import plain
    from auditor.formats.records import open_records
    from auditor.formats.records.packing import pack_records, referenced_records
    from auditor.formats.records.remote import is_remote
    from auditor.subjects.microdata.auditing import check_roles
    from auditor.subjects.microdata.keeping import new_file
    from auditor.subjects.microdata.repository import Microdata
    from auditor.subjects.microdata.representation import microdata_out
    from graphkit.numbers import counted

    # before a file is read that may take long
    check_name(name)
    declared = roles.declared()
    with context.output.progress(f"add {name}") as bar, ExitStack() as stack:
        bar.phase("read")
        address = file if is_remote(file) else None
        path = Path(file) if address is None else local_copy(context, address)
        found = open_records(path, context.settings.edge_table, delimiter=reading.delimiter, missing=reading.missing)
        opened = stack.enter_context(found)
        note_missing_words(context, opened)
        check_roles(opened, declared)
        microdata = Microdata(context.store)
        microdata.check_free(name)
        kept = None if in_place else stack.enter_context(new_file(context.settings.home))
        packed = referenced_records(opened, address) if kept is None else pack_records(opened, kept)
        info = microdata.add(
            name,
            packed,
            declared,
            source=path.name,
            actor=context.actor,
            kept=kept is not None,
            follows=follows,
            delimiter=reading.delimiter,
            missing=reading.missing,
        )
    context.output.answer(
        plain(microdata_out(info)),
        f"{name}: {counted(info.records, 'record', 'records')}, {counted(len(info.columns), 'column', 'columns')}",
        *context.output.advice(f"Next: auditor microdata audit {_argument(name)}"),
    )


def list_microdata(context: Context) -> None:
    """List the files of records in the store.

    Example: auditor microdata list
    """
    from auditor.core.plain import plain
    from auditor.subjects.microdata.repository import Microdata
    from auditor.subjects.microdata.representation import microdata_out

    files = Microdata(context.store).list()
    rows = [(info.name, info.records, len(info.columns), info.source, _minute(info.created_at)) for info in files]
    context.output.answer(
        {"microdata": [plain(microdata_out(info)) for info in files]},
        context.output.table(("name", "records", "columns", "source", "added"), rows),
    )


def show(context: Context, name: options.Name) -> None:
    """Show stored microdata: columns with their types and roles, audits and exports; never a value.

    Example: auditor microdata show people
    """
    from auditor.audits.repository import Audits
    from auditor.core.plain import plain
    from auditor.exports.repository import Exports
    from auditor.subjects.microdata.repository import Microdata
    from auditor.subjects.microdata.representation import microdata_out

    info = find_microdata(context, name)
    microdata = Microdata(context.store)
    out = microdata_out(info)
    audits = Audits(context.store).list(f"microdata:{info.name}")
    exports = Exports(context.store).list(f"microdata:{info.name}")
    figures = [
        ("records", info.records),
        ("file", info.path),
        ("kept by the store", info.kept),
        ("source", info.source),
        ("added", _minute(info.created_at)),
        *([("read as missing", ", ".join(info.missing))] if info.missing else []),
        *([("later version of", found)] if (found := microdata.followed_by(info)) else []),
        *([("geographic unit", ", ".join(out.geography))] if out.geography else []),
        *([("populations", found)] if (found := info.declared.populations) else []),
    ]
    columns = [(column.name, column.type, column.role) for column in out.columns]
    context.output.answer(
        {**plain(out), "path": info.path, "audits": audits, "exports": exports},
        info.name,
        context.output.table(("", ""), figures),
        context.output.table(("column", "type", "role"), columns),
        context.output.table(
            ("audit", "at", "verdict", "trigger"),
            [(audit.id, str(audit.at)[:16].replace("T", " "), audit.verdict, audit.trigger) for audit in audits],
            title="Audits",
        ),
        context.output.table(
            ("export", "at", "state", "file"),
            [(export.id, _minute(export.at), export.state, export.path) for export in exports],
            title="Exports",
        ),
    )


def remove(
    context: Context,
    name: options.Name,
    yes: Annotated[bool, typer.Option("--yes", "-y", metavar="", help="Do not ask for confirmation.")] = False,
) -> None:
    """Remove microdata from the store, with the copy that it keeps; ledger entries remain.

    Example: auditor microdata remove people --yes
    """
    from auditor.subjects.microdata.repository import Microdata

    info = find_microdata(context, name)
    confirm_removal(info.name, f"Remove {info.name} with its records?", yes=yes)
    with context.output.progress(f"remove {info.name}"):
        Microdata(context.store).remove(info.name, actor=context.actor)
    context.output.answer({"removed": info.name}, f"{info.name} is removed; its entries in the ledger stay")


def _argument(name: str) -> str:
    import shlex

    return shlex.quote(f"microdata:{name}" if "/" in name or "." in name else name)


def _minute(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M}"
