"""The options of files larger than memory: `--large`, its memory, and the database that works on parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.core.errors import BadInput
from cli.terminal.context import Context
from cli.terminal.databases import ENGINE, SPARK_MASTER, database_settings, spark_settings

if TYPE_CHECKING:
    from auditor.config import EdgeTableSettings, SparkSettings


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
    backend: Annotated[str | None, ENGINE] = None
    spark_master: Annotated[str | None, SPARK_MASTER] = None

    @property
    def wanted(self) -> bool:
        """Whether parts were asked for; Spark works on nothing else."""
        return self.large or self.backend == "spark"

    def check(self, *, stored: bool) -> None:
        """Refuse parts of stored records.

        Raises
        ------
        BadInput
            Naming the option.
        """
        if stored and self.wanted:
            option = "--large" if self.large else "--engine spark"
            raise BadInput(f"{option} is for files: its exports are not recorded; give the file itself")

    def settings(self, context: Context) -> tuple[EdgeTableSettings, SparkSettings | None]:
        """Return what DuckDB may use, and the Spark that works on parts, if one is to.

        Raises
        ------
        BadInput
            If the memory is not given as a size, or a Spark by something else than its address.
        """
        spark = spark_settings(context, self.backend, self.spark_master, self.memory)
        return database_settings(context, None if spark else self.memory), spark
