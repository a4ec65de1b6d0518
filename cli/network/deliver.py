"""`auditor network deliver`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.terminal.completing import files
from cli.terminal.context import Context


def deliver(
    context: Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", autocompletion=files, help="Released file of a network.")],
    *,
    to: Annotated[str, typer.Option("--to", metavar="URL", help="Graph database: neo4j://host:7687/database.")],
    label: Annotated[str, typer.Option("--as-label", metavar="LABEL", help="Label of the vertices.")],
    relationship: Annotated[str, typer.Option("--relationship", metavar="TYPE", help="Type of the ties.")] = "TIE",
    replace: Annotated[
        bool, typer.Option("--replace", metavar="", help="Let what has the label now go, in the same transaction.")
    ] = False,
) -> None:
    """Put a released network into a graph database.

    FILE and the manifest beside it are checked first. Vertices have the published id as `id`, and the attributes that
    were released. All is written aside, read back, compared with the file, and then shown by one transaction.

    The log-in is that of AUDITOR_GRAPH_USERNAME and AUDITOR_GRAPH_PASSWORD, or of the section graph of the
    configuration; this user must be allowed to write.

    Example: auditor network deliver released.csv --to neo4j://graph.example:7687 --as-label Released
    """
    from auditor.config.addresses import graph_address
    from auditor.subjects.networks.live.delivering import deliver
    from auditor.subjects.networks.live.opening import connected
    from auditor.subjects.networks.live.released import read_released
    from graphkit.numbers import counted

    address = graph_address(to)
    with context.output.progress("deliver") as bar:
        bar.phase("check the file")
        released = read_released(file)
        with connected(context.settings, address) as connection:
            deliver(connection, released, label=label, relationship=relationship, replace=replace, progress=bar.report)
    n, m = released.graph.n, released.graph.m
    context.output.answer(
        {"to": str(address), "label": label, "relationship": relationship, "vertices": n, "edges": m},
        f"{address}: {counted(n, 'vertex', 'vertices')} labelled {label}, {counted(m, 'edge', 'edges')}; read back and "
        "compared with the file",
    )
