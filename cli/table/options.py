"""Arguments and options that several commands about tables share."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.terminal.completing import files_or, stored
from cli.terminal.names import as_names

if TYPE_CHECKING:
    from auditor.formats.tables import TableOptions


def _checked_limit(seconds: float) -> float:
    """Return a time limit; one that cannot be meant is refused before a file is read or the store is opened."""
    from graphkit.budget import Budget

    Budget(time.monotonic, seconds)
    return seconds


Name = Annotated[str, typer.Argument(autocompletion=stored("table"), help="Name of a stored table.")]
Table = Annotated[
    str, typer.Argument(metavar="NAME|FILE", autocompletion=files_or("table"), help="A stored table or a table file.")
]
Given = Annotated[
    list[Any] | None,
    typer.Option(
        "--given",
        metavar="A,B",
        parser=as_names,
        help="Known marginal, instead of the released ones; a file has none of these (repeatable).",
    ),
]
TimeLimit = Annotated[
    float,
    typer.Option(
        "--time-limit",
        metavar="SECONDS",
        callback=_checked_limit,
        help="Time limit in seconds; what is not done by then stays open.",
    ),
]
Picture = Annotated[Path | None, typer.Option("--picture", metavar="FILE.svg", help="Draw the answer into this file.")]
Force = Annotated[bool, typer.Option("--force", metavar="", help="Overwrite the file.")]
Count = Annotated[
    str | None,
    typer.Option(
        "--count",
        metavar="COLUMN",
        help="Of a file: column of counts; by default count, n, freq or simulated_count, else one such as patients.",
    ),
]
Records = Annotated[
    bool,
    typer.Option("--records", metavar="", help="Of a file: each row is a respondent; there is no column of counts."),
]
Variables = Annotated[
    Any,
    typer.Option(
        "--variables",
        metavar="A,B",
        parser=as_names,
        help="Of a file: columns that are variables, in this order; all but the counts by default.",
    ),
]
Sum = Annotated[
    bool, typer.Option("--sum", metavar="", help="Of a file: add up the counts of rows with the same categories.")
]
Missing = Annotated[
    str | None,
    typer.Option("--missing", metavar="NAME", help="Of a file: category for empty fields; an error by default."),
]
Delimiter = Annotated[str | None, typer.Option("--delimiter", help="Of a file: delimiter; detected by default.")]


@dataclass(frozen=True, slots=True)
class FileReading:
    """How a table file is to be read, as far as the user said."""

    count: Count = None
    records: Records = False
    variables: Variables = None
    sum: Sum = False
    missing: Missing = None
    delimiter: Delimiter = None

    def options(self, order: tuple[tuple[str, ...], ...] = ()) -> TableOptions:
        """Return it for the reader, with the order of categories where a command has that."""
        from auditor.formats.tables import TableOptions

        return TableOptions(**asdict(self), order=order)
