"""The options of a live graph: what of a graph database is the network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.core.errors import BadInput
from cli.terminal.context import Context
from cli.terminal.records import said

if TYPE_CHECKING:
    from auditor.formats.networks.loaded import LoadedNetwork
    from auditor.subjects.networks.live.origin import LiveOrigin

_Names = list[str] | None


@dataclass(frozen=True, slots=True)
class FromGraph:
    """Which nodes of a graph database are vertices, and what ties them."""

    nodes: Annotated[
        _Names,
        typer.Option("--nodes", metavar="LABEL", help="Of a graph database: label of the vertices (repeatable)."),
    ] = None
    relationships: Annotated[
        _Names,
        typer.Option("--relationships", metavar="TYPE", help="Type of the relationships that are ties (repeatable)."),
    ] = None
    through: Annotated[
        _Names,
        typer.Option("--through", metavar="LABEL", help="Tie those who share a node of this label (repeatable)."),
    ] = None
    where: Annotated[
        str | None, typer.Option("--where", metavar="CYPHER", help="Condition on a vertex n, such as 'n.active'.")
    ] = None
    where_relationship: Annotated[
        str | None,
        typer.Option(
            "--where-relationship", metavar="CYPHER", help="Condition on a relationship r, such as 'r.year > 2020'."
        ),
    ] = None
    weight: Annotated[
        str | None,
        typer.Option(
            "--weight",
            metavar="PROPERTY",
            # another command's weight is a role of a column
            rich_help_panel="A graph database",
            help="Property to add up for --at-least; each relationship is 1 otherwise.",
        ),
    ] = None
    at_least: Annotated[
        float | None,
        typer.Option("--at-least", help="Least sum, or number of relationships, of a tie; 1 by default."),
    ] = None

    def check_file(self, others: Mapping[str, object] | None = None) -> None:
        """Refuse these options where a file or a stored network is read.

        Raises
        ------
        BadInput
            Naming the first one.
        """
        for name in [*said(self), *(name for name, value in (others or {}).items() if value)]:
            option = name.replace("_", "-")
            raise BadInput(
                f"--{option} is about a graph database; name one (neo4j://host:7687/database), or leave it out"
            )

    def origin(self, address: str, key: str | None = None, attributes: Sequence[str] = ()) -> LiveOrigin:
        """Return where the network is.

        Raises
        ------
        BadInput
            If the address or an option is none.
        """
        from auditor.config.addresses import graph_address
        from auditor.subjects.networks.live.origin import LiveOrigin
        from auditor.subjects.networks.live.projection import Projection

        projection = Projection(
            tuple(self.nodes or ()),
            tuple(self.relationships or ()),
            tuple(self.through or ()),
            self.where,
            self.where_relationship,
            self.weight,
            1.0 if self.at_least is None else self.at_least,
            key,
            tuple(attributes),
        )
        return LiveOrigin(str(graph_address(address)), projection)


def read_live(context: Context, origin: LiveOrigin) -> LoadedNetwork:
    """Return the network of a live graph.

    Raises
    ------
    BadInput, StoreUnavailable
        As :func:`auditor.subjects.networks.live.reading.read_graph`.
    """
    from auditor.config.addresses import graph_address
    from auditor.subjects.networks.live.opening import opened_graph
    from auditor.subjects.networks.live.reading import read_graph

    address = graph_address(origin.address)
    with context.output.progress("read the graph") as bar, opened_graph(context.settings, address) as graph:
        return read_graph(graph, origin.projection, origin.address, bar.report)
