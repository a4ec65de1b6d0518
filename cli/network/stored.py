"""`auditor network add|list|show|remove`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from auditor.core.errors import BadInput
from cli.network.live import FromGraph, read_live
from cli.terminal.completing import stored
from cli.terminal.confirming import confirm_removal
from cli.terminal.context import Context
from cli.terminal.reading import Reading, read_data, remarks_of
from cli.terminal.records import said


def add(
    context: Context,
    name: Annotated[str, typer.Argument(help="Name under which the network is kept.")],
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="Network file.", show_default=False)] = None,
    *,
    reading: Reading,
    address: Annotated[
        str | None,
        typer.Option("--from", metavar="URL", help="Read a graph database instead: neo4j://host:7687/database."),
    ] = None,
    graph: FromGraph,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="PROPERTY", help="Property that names a vertex; the element id by default."),
    ] = None,
    attribute: Annotated[
        list[str] | None,
        typer.Option("--attribute", metavar="PROPERTY", help="Property of nodes to keep as an attribute (repeatable)."),
    ] = None,
) -> None:
    """Load a network file, or a part of a graph database, into the store.

    A graph database is only read. Directions are forgotten, and several relationships between two nodes are one tie.
    Later audits look there whether the graph changed. The log-in is that of AUDITOR_GRAPH_USERNAME and
    AUDITOR_GRAPH_PASSWORD, or of the section graph of the configuration.

    Example: auditor network add friends friends.csv

    Example: auditor network add staff --from neo4j://graph.example:7687 --nodes Person --relationships KNOWS
    """
    from auditor.config.addresses import is_meant_as_graph
    from auditor.subjects.networks.repository import Networks
    from auditor.subjects.networks.representation import network_data
    from cli.terminal.subject import stored_argument
    from graphkit.numbers import counted

    if (file is None) == (address is None):
        raise BadInput("give a network file, or --from with the address of a graph database; not both")
    if address is not None:
        for option in said(reading):
            raise BadInput(f"--{option} is about a file; leave it out with --from")
        origin = graph.origin(address, key, attribute or ())
        loaded, source = read_live(context, origin), origin.shown
    else:
        assert file is not None
        if is_meant_as_graph(file):
            raise BadInput("that is the address of a graph database; say it with --from")
        graph.check_file({"key": key, "attribute": attribute})
        origin, source = None, file.name
    with context.output.progress(f"add {name}") as bar:
        if file is not None:
            bar.phase("read")
            loaded = reading.read(file)
        bar.phase("open the store")
        store = context.store
        info = Networks(store).add(name, loaded, source=source, actor=context.actor, live=origin, progress=bar.report)
    context.output.note(*remarks_of(loaded))
    context.output.answer(
        {
            **network_data(info),
            "dropped": loaded.notes.dropped,
            "dropped_columns": loaded.notes.dropped_columns,
            "read": read_data(loaded),
        },
        f"{name}: {counted(info.vertices, 'vertex', 'vertices')}, {counted(info.edges, 'edge', 'edges')}",
        *context.output.advice(f"Next: auditor network audit {stored_argument(name)} --k 5"),
    )


def list_networks(context: Context) -> None:
    """List the networks in the store.

    Example: auditor network list
    """
    from auditor.subjects.networks.repository import Networks
    from auditor.subjects.networks.representation import network_data

    networks = Networks(context.store).list()
    rows = [(info.name, info.vertices, info.edges, info.derived_from, _day(info.created_at)) for info in networks]
    context.output.answer(
        {"networks": [network_data(info) for info in networks]},
        context.output.table(("name", "vertices", "edges", "derived from", "added"), rows),
    )


def show(
    context: Context,
    name: Annotated[str, typer.Argument(autocompletion=stored("network"), help="Name of a stored network.")],
) -> None:
    """Show a stored network: size, origin, audits and exports.

    Example: auditor network show friends
    """
    from auditor.audits.repository import Audits
    from auditor.exports.repository import Exports
    from auditor.subjects.networks.repository import Networks
    from auditor.subjects.networks.representation import network_data

    store = context.store
    info = Networks(store).show(name)
    audits = Audits(store).list(f"network:{name}")
    exports = Exports(store).list(f"network:{name}")
    figures = [(key, value) for key, value in network_data(info).items() if key != "name"]
    audit_rows = [(audit.id, _day(audit.at), audit.verdict, audit.trigger) for audit in audits]
    export_rows = [(export.id, _day(export.at), export.state, export.path) for export in exports]
    context.output.answer(
        {**network_data(info), "audits": audits, "exports": exports},
        name,
        context.output.table(("", ""), figures),
        context.output.table(("audit", "at", "verdict", "trigger"), audit_rows, title="Audits"),
        context.output.table(("export", "at", "state", "file"), export_rows, title="Exports"),
    )


def remove(
    context: Context,
    name: Annotated[str, typer.Argument(autocompletion=stored("network"), help="Name of a stored network.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", metavar="", help="Do not ask for confirmation.")] = False,
) -> None:
    """Remove a network from the store; its ledger entries remain.

    Example: auditor network remove friends --yes
    """
    from auditor.subjects.networks.repository import Networks

    confirm_removal(name, f"Remove {name} with its vertices, edges and relabellings?", yes=yes)
    with context.output.progress(f"remove {name}"):
        Networks(context.store).remove(name, actor=context.actor)
    context.output.answer({"removed": name}, f"{name} is removed; its entries in the ledger stay")


def _day(at: Any) -> str:
    return at.strftime("%Y-%m-%d %H:%M") if hasattr(at, "strftime") else str(at)[:16].replace("T", " ")
