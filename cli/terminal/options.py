"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from cli.terminal.completing import files_or, formats


def as_share(text: str) -> float:
    """Return the number that a share stands for, with or without a percent sign.

    Raises
    ------
    typer.BadParameter
        If it is neither; whether it is in range is for the engine to say.

    Examples
    --------
    >>> as_share("0.01"), as_share("0.5 %")
    (0.01, 0.005)
    """
    number = text.strip().removesuffix("%")
    try:
        return float(number) / 100 if number != text.strip() else float(number)
    except ValueError as error:
        raise typer.BadParameter("must be a share, such as 0.01 or 1%") from error


PurposeOption = Annotated[
    str | None,
    typer.Option("--purpose", metavar="TEXT", help="What it is for: the person who approves and the ledger have it."),
]
ExportNameOption = Annotated[
    str | None,
    typer.Option(
        "--name", metavar="NAME", help="What the export of a stored subject is called in lists; its id stays."
    ),
]
NetworkArgument = Annotated[
    str,
    typer.Argument(metavar="NAME|FILE", autocompletion=files_or("network"), help="A stored network or a network file."),
]
SymmetrizeOption = Annotated[
    bool, typer.Option("--symmetrize", metavar="", help="Accept a directed file and forget the directions.")
]
FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format", autocompletion=formats, help="Format of the file; found out by suffix and content by default."
    ),
]
VerticesOption = Annotated[
    Path | None, typer.Option("--vertices", help="Vertex file; NAME.vertices.csv beside the file by default.")
]
DelimiterOption = Annotated[
    str | None, typer.Option("--delimiter", help="Delimiter of an edge list; detected by default.")
]
HeaderOption = Annotated[
    bool | None,
    typer.Option("--header/--no-header", metavar="", help="Whether the first line of an edge list holds column names."),
]
GapOption = Annotated[
    float | None,
    typer.Option(
        "--gap",
        metavar="SHARE",
        parser=as_share,
        help="Stop as soon as this much above the proven bound at most, such as 0.01 or 1%.",
    ),
]
EffortOption = Annotated[
    float | None,
    typer.Option(
        "--effort",
        help="Work to do, counted in steps: the same answer on every machine. About seconds; 20 by default.",
    ),
]
ProveOption = Annotated[
    bool,
    typer.Option(
        "--prove", metavar="", help="Go on for a proof until all work is done, --effort 60 unless another is given."
    ),
]
