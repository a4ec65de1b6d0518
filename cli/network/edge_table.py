"""The options of `--edge-table`: files larger than memory, in DuckDB."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.core.errors import BadInput
from cli.terminal.context import Context
from cli.terminal.memory import database_settings
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
            help="Read a Parquet file larger than memory, in a database (DuckDB) with bounded memory.",
        ),
    ] = False
    memory: Annotated[
        str | None,
        typer.Option("--memory", help="Memory for --edge-table, such as 8g; half of the machine's by default."),
    ] = None

    def check(self, network: str, others: Mapping[str, object]) -> None:
        """Refuse options that do not go together with `--edge-table`, and `--memory` without it.

        Raises
        ------
        BadInput
            Naming the first one.
        """
        if not self.edge_table:
            if self.memory is not None:
                raise BadInput("--memory is for --edge-table alone; leave it out, or add that")
            return
        refuse_together("--edge-table", others)
        if network.startswith("network:"):
            raise BadInput("--edge-table reads a Parquet file; a stored network is worked on without it")

    def files(self, context: Context, network: str, vertices: Path | None) -> EdgeTableFiles:
        """Return where an edge table is, and what its database may use.

        Raises
        ------
        BadInput
            If the memory is not given as a size.
        """
        from auditor.formats.edge_tables.reading import EdgeTableFiles

        return EdgeTableFiles(Path(network), vertices, database_settings(context, self.memory))
