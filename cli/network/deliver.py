"""`auditor network deliver`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.terminal.completing import files
from cli.terminal.context import Context
from cli.terminal.records import refuse_together

if TYPE_CHECKING:
    from auditor.formats.networks.loaded import LoadedNetwork


def deliver(
    context: Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", autocompletion=files, help="Released file of a network.")],
    *,
    to: Annotated[
        str | None, typer.Option("--to", metavar="URL", help="Graph database: neo4j://host:7687/database.")
    ] = None,
    to_csv: Annotated[
        Path | None,
        typer.Option("--to-csv", metavar="FOLDER", help="New folder for files for 'neo4j-admin database import'."),
    ] = None,
    label: Annotated[str, typer.Option("--as-label", metavar="LABEL", help="Label of the vertices.")],
    relationship: Annotated[str, typer.Option("--relationship", metavar="TYPE", help="Type of the ties.")] = "TIE",
    replace: Annotated[
        bool, typer.Option("--replace", metavar="", help="Let what has the label now go, in the same transaction.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", metavar="", help="With --to-csv: replace the folder of an earlier delivery.")
    ] = False,
) -> None:
    """Put a released network into a graph database, or into files for one that is down.

    FILE and the manifest beside it are checked first. Vertices have the published id as `id`, and the attributes that
    were released. All is written aside, read back, compared with the file, and then shown by one transaction, or by
    one rename of the folder.

    The log-in of --to is that of AUDITOR_GRAPH_USERNAME and AUDITOR_GRAPH_PASSWORD, or of the section graph of the
    configuration; this user must be allowed to write.

    Example: auditor network deliver released.csv --to neo4j://graph.example:7687 --as-label Released

    Example: auditor network deliver released.csv --to-csv import --as-label Released
    """
    from auditor.core.errors import BadInput

    if to is None and to_csv is None:
        raise BadInput("where to? Name a graph database (--to neo4j://host:7687) or a new folder for files (--to-csv)")
    if to is not None:
        refuse_together("--to", {"to_csv": to_csv, "force": force})
        _to_database(context, file, to, label, relationship, replace)
    if to_csv is not None:
        refuse_together("--to-csv", {"replace": replace})
        _to_files(context, file, to_csv, label, relationship, force)


def _to_database(context: Context, file: Path, to: str, label: str, relationship: str, replace: bool) -> None:
    from auditor.config.addresses import graph_address
    from auditor.subjects.networks.live.delivering import deliver
    from auditor.subjects.networks.live.opening import connected
    from auditor.subjects.networks.live.released import read_released

    address = graph_address(to)
    with context.output.progress("deliver") as bar:
        bar.phase("check the file")
        released = read_released(file)
        with connected(context.settings, address) as connection:
            deliver(connection, released, label=label, relationship=relationship, replace=replace, progress=bar.report)
    told = {"to": str(address), "label": label, "relationship": relationship, **_size(released)}
    context.output.answer(told, _said(str(address), released, label))


def _to_files(context: Context, file: Path, folder: Path, label: str, relationship: str, force: bool) -> None:
    import shlex

    from auditor.subjects.networks.live.importing import deliver_files
    from auditor.subjects.networks.live.released import read_released

    with context.output.progress("deliver") as bar:
        bar.phase("check the file")
        released = read_released(file)
        command = deliver_files(
            released, folder, label=label, relationship=relationship, force=force, progress=bar.report
        )
    told = {"to": str(folder), "label": label, "relationship": relationship, **_size(released), "command": command}
    steps = (
        "Copy the folder to the server, stop the server, and run this in the folder; the database must be new or "
        f"empty:\n  {shlex.join(command)}"
    )
    context.output.answer(told, _said(str(folder), released, label), steps)


def _size(released: LoadedNetwork) -> dict[str, int]:
    return {"vertices": released.graph.n, "edges": released.graph.m}


def _said(place: str, released: LoadedNetwork, label: str) -> str:
    from graphkit.numbers import counted

    vertices = counted(released.graph.n, "vertex", "vertices")
    edges = counted(released.graph.m, "edge", "edges")
    return f"{place}: {vertices} labelled {label}, {edges}; read back and compared with the file"
