"""The log of a command that goes on running, on stderr."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

from cli.terminal.context import Context

if TYPE_CHECKING:
    from auditor.config import LogFormat
    from auditor.operating.logs import Log

LogFormatOption = Annotated[
    str | None,
    typer.Option("--log-format", metavar="FORMAT", help="Log as json, text, or auto: text on a terminal."),
]


def log_of(context: Context, format: str | None) -> Log:
    """Return the log that the settings and the command line ask for; `--quiet` leaves warnings and errors.

    Raises
    ------
    BadInput
        If there is no such format.
    """
    from auditor.config import LogFormat
    from auditor.core.errors import BadInput
    from auditor.operating.logs import Log

    if format is not None and format not in get_args(LogFormat):
        raise BadInput(f"--log-format ({format}) must be one of {', '.join(get_args(LogFormat))}")
    settings = context.settings.log
    level = settings.level if not context.output.quiet or settings.level == "error" else "warning"
    return Log(sys.stderr, format=cast("LogFormat", format or settings.format), level=level)
