"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["DelimiterOption", "FormatOption", "HeaderOption", "NetworkArgument", "SymmetrizeOption", "VerticesOption"]

NetworkArgument = Annotated[str, typer.Argument(metavar="NAME|FILE", help="A stored network or a network file.")]
SymmetrizeOption = Annotated[
    bool, typer.Option("--symmetrize", metavar="", help="Accept a directed file and forget the directions.")
]
FormatOption = Annotated[
    str | None, typer.Option("--format", help="Format of the file; found out by suffix and content by default.")
]
VerticesOption = Annotated[
    Path | None, typer.Option("--vertices", help="Vertex file; NAME.vertices.csv beside the file by default.")
]
DelimiterOption = Annotated[
    str | None, typer.Option("--delimiter", help="Delimiter of an edge list; found out by default.")
]
HeaderOption = Annotated[
    bool | None,
    typer.Option("--header/--no-header", metavar="", help="Whether the first line of an edge list holds column names."),
]
