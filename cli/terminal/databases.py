"""Options of commands about files larger than memory: in which database, where it runs, with how much memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from auditor.core.errors import BadInput
from cli.terminal.context import Context

if TYPE_CHECKING:
    from auditor.config import EdgeTableSettings, SparkSettings

_ENGINES = ("duckdb", "spark")


def _as_engine(name: str | None) -> str | None:
    if name is not None and name not in _ENGINES:
        raise typer.BadParameter(f"must be {' or '.join(_ENGINES)}")
    return name


ENGINE: Any = typer.Option(
    "--engine",
    metavar="DATABASE",
    callback=_as_engine,
    autocompletion=lambda: list(_ENGINES),
    help="Database that does the work: duckdb, in this process (the default), or spark.",
)
SPARK_MASTER: Any = typer.Option(
    "--spark-master",
    metavar="URL",
    help="Where Spark runs, such as local[4], spark://HOST:7077, yarn or sc://HOST; by default on this machine.",
)
_SIZE = "--memory must be a number with k, m or g, such as 8g"


def database_settings(context: Context, memory: str | None) -> EdgeTableSettings:
    """Return what DuckDB may use: by the settings, or so much memory.

    Raises
    ------
    BadInput
        If the memory is not given as a size.
    """
    from pydantic import ValidationError

    from auditor.config import EdgeTableSettings

    settings = context.settings.edge_table
    if memory is None:
        return settings
    try:
        return EdgeTableSettings.model_validate({**settings.model_dump(), "memory": memory})
    except ValidationError:
        raise BadInput(_SIZE) from None


def spark_settings(
    context: Context, engine: str | None, master: str | None, memory: str | None
) -> SparkSettings | None:
    """Return the Spark that is to do the work; None where DuckDB is.

    Raises
    ------
    BadInput
        If the memory is not given as a size, the address is none, or Spark was not asked for.
    """
    from pydantic import ValidationError

    from auditor.config import SparkSettings
    from auditor.config.spark import FORMS

    if engine != "spark":
        if master is not None:
            raise BadInput("--spark-master is for --engine spark; leave it out, or add that")
        return None
    settings = context.settings.spark
    given = {name: value for name, value in (("master", master), ("memory", memory)) if value is not None}
    try:
        return SparkSettings.model_validate({**settings.model_dump(), **given})
    except ValidationError as error:
        if error.errors()[0]["loc"] == ("memory",):
            raise BadInput(_SIZE) from None
        raise BadInput(f"--spark-master must be the address of a Spark: {FORMS}") from None
