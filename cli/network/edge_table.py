"""The options of `--edge-table`: files larger than memory, in DuckDB or Spark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.core.errors import BadInput
from cli.terminal.context import Context
from cli.terminal.databases import ENGINE, SPARK_MASTER, database_settings, spark_settings
from cli.terminal.records import refuse_together

if TYPE_CHECKING:
    from auditor.formats.edge_tables.reading import EdgeTableFiles


@dataclass(frozen=True, slots=True)
class InDatabase:
    """Whether a network is worked on in a database, and with how much memory."""

    edge_table: Annotated[
        bool,
        typer.Option(
            "--edge-table",
            metavar="",
            help="Read a Parquet file larger than memory, in a database (DuckDB or Spark) with bounded memory.",
        ),
    ] = False
    memory: Annotated[
        str | None,
        typer.Option("--memory", help="Memory for --edge-table, such as 8g; half of the machine's by default."),
    ] = None
    backend: Annotated[str | None, ENGINE] = None
    spark_master: Annotated[str | None, SPARK_MASTER] = None

    def check(self, network: str, others: Mapping[str, object]) -> None:
        """Refuse options that do not go together with `--edge-table`, and those of the database without it.

        Raises
        ------
        BadInput
            Naming the first one.
        """
        if not self.edge_table:
            for name, value in (
                ("--memory", self.memory),
                ("--engine", self.backend),
                ("--spark-master", self.spark_master),
            ):
                if value is not None:
                    raise BadInput(f"{name} is for --edge-table alone; leave it out, or add that")
            return
        refuse_together("--edge-table", others)
        if network.startswith("network:"):
            raise BadInput("--edge-table reads a Parquet file; a stored network is worked on without it")

    def files(self, context: Context, network: str, vertices: Path | None) -> EdgeTableFiles:
        """Return where an edge table is, and what its database may use.

        Raises
        ------
        BadInput
            If the memory is not given as a size, or a Spark by something else than its address.
        """
        from auditor.formats.edge_tables.reading import EdgeTableFiles

        spark = spark_settings(context, self.backend, self.spark_master, self.memory)
        settings = database_settings(context, None if spark else self.memory)
        return EdgeTableFiles(Path(network), vertices, settings, spark)
