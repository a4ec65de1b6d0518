"""The options of files larger than memory: `--large` and `--memory`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer


@dataclass(frozen=True, slots=True)
class InParts:
    """Whether a file is worked on in parts, and with how much memory for the database."""

    large: Annotated[
        bool,
        typer.Option(
            "--large",
            metavar="",
            help="Work on parts of the file in bounded memory, with DuckDB; so from 2 million records on.",
        ),
    ] = False
    memory: Annotated[
        str | None,
        typer.Option("--memory", help="Memory of the database, such as 8g; with --large 3 GB by default."),
    ] = None
