"""`auditor table check`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.table import options
from cli.table.source import read_file
from cli.terminal.context import Context
from cli.terminal.output import Output
from graphkit.numbers import counted

if TYPE_CHECKING:
    from auditor.subjects.tables.releases.fit import Fit

_EXIT = {True: 0, False: 1, None: 3}
_MOST_ROWS = 20


def check(
    context: Context,
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Files of counts, each one marginal.")],
    count: options.Count = None,
    missing: options.Missing = None,
    delimiter: options.Delimiter = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write one table that has them all.")
    ] = None,
    force: options.Force = False,
    time_limit: options.TimeLimit = 60.0,
) -> None:
    """Check whether marginals from several files are consistent: does a table of counts have them all?

    Two marginals may count differently what they share. Or any two of them agree, and there is no table all the same:

        smoker,ill,count     ill,old,count     smoker,old,count
        yes,yes,40           yes,yes,40        yes,yes,10
        no,no,60             no,no,60          yes,no,30
                                               no,yes,30
                                               no,no,30

    In the first two, the ill are the smokers and the old are the ill; in the third, some smokers are not old. Then
    the files that contradict each other are named, no more than that takes. Variables and categories belong together
    by their names. No store is needed, and no count is shown. Exit code 0: they fit, 1: they do not, 3: not proven in
    time.

    Example: auditor table check sex-smoking.csv smoking-illness.csv sex-illness.csv
    """
    import time

    from auditor.core.errors import BadInput
    from auditor.core.staging import check_destination
    from auditor.formats.tables import TableOptions
    from auditor.formats.tables.merged_names import merged_hints
    from auditor.subjects.tables.releases.files import write_marginal
    from auditor.subjects.tables.releases.fit import check_fit
    from graphkit.budget import Budget

    if len(files) < 2:
        raise BadInput("one file has nothing to fit; name two or more")
    if out is not None:
        check_destination(out, force=force)
    reading = TableOptions(count=count, missing=missing, delimiter=delimiter)
    with context.output.progress("check") as bar:
        bar.phase("read")
        read = [read_file(context, file, reading) for file in files]
        names, tables = [str(file) for file in files], [loaded.table for loaded in read]
        bar.phase("searching for a table")
        found = check_fit(names, tables, Budget(time.monotonic, time_limit))
        written = None
        remarks = [*merged_hints(names, tables), *found.remarks]
        if out is not None and found.witness is not None:
            bar.phase("write")
            written = out
            remarks += write_marginal(found.witness, out, force=force, simulated=True)
    context.output.note(*remarks)
    context.output.answer(
        {
            "files": files,
            "variables": [variable.name for variable in found.variables],
            "conflict": [files[place] for place in found.conflict],
            **{name: getattr(found, name) for name in ("fits", "irreducible", "reason", "shared", "differing")},
            "file": written,
            # those about a file were noted when it was read
            "remarks": [*(remark for loaded in read for remark in loaded.notes.remarks), *remarks],
        },
        *_shown(context.output, found, files, written),
    )
    raise typer.Exit(_EXIT[found.fits])


def _shown(output: Output, found: Fit, files: list[Path], written: Path | None) -> list[Any]:
    if found.fits is None:
        return ["neither a table that has them all nor a contradiction was found in time"]
    if found.fits:
        variables = counted(len(found.variables), "variable", "variables")
        shown = [f"{len(files)} marginals fit: a table of {variables} has them all, found and checked"]
        return shown if written is None else [*shown, f"written and checked: {written}"]
    from auditor.formats.tables.names import quoted

    names = [str(files[place]) for place in found.conflict]
    if found.reason == "totals":
        return [f"{names[0]} and {names[1]} do not fit: their totals differ"]
    if found.reason == "shared":
        rows = [tuple(categories.values()) for categories in found.differing[:_MOST_ROWS]]
        more = len(found.differing) - len(rows)
        shared = ", ".join(map(quoted, found.shared))
        return [
            f"{names[0]} and {names[1]} do not fit: they count differently by {shared}, for",
            output.table(found.shared, rows),
            *([f"and {more} more; --json has all"] if more else []),
        ]
    fewer = "without any of them, the others do" if found.irreducible else "perhaps fewer of them are to blame"
    return [f"these {len(names)} do not fit one table; {fewer}:", *(f"  {name}" for name in names)]
