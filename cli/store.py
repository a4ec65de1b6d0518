"""`auditor store`: the graph database itself."""

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from auditor.core.errors import BadInput
from auditor.store import copy_store, restore_store
from cli.terminal.commands import group
from cli.terminal.context import Context
from graphkit.numbers import count, counted


def start(context: Context) -> None:
    """Start the local Neo4j, after a download if needed; other commands do this automatically.

    Example: auditor store start
    """
    from auditor.store.local import ensure_running

    _check_local(context, "start")
    with context.output.progress("store") as bar:
        endpoint = ensure_running(context.settings, progress=bar.report)
    context.output.answer({"running": True, "url": endpoint.url}, f"the local Neo4j runs at {endpoint.url}")


def stop(context: Context) -> None:
    """Stop the local Neo4j, if it runs; nothing is lost.

    Example: auditor store stop
    """
    from auditor.store.local import stop as stop_server

    _check_local(context, "stop")
    with context.output.progress("stopping Neo4j"):
        stopped = stop_server(context.settings)
    context.output.answer(
        {"stopped": stopped}, "the local Neo4j is stopped" if stopped else "the local Neo4j was not running"
    )


def status(context: Context) -> None:
    """Show whether the local Neo4j is installed and running, and where its data is; starts nothing.

    Example: auditor store status
    """
    from auditor.store.local import status as status_of

    if not context.settings.store.is_local:
        # it is reached once; an error tells if that fails
        url = context.store.connection.url
        context.output.answer({"url": url, "running": True}, f"{url} answers")
        return
    found = status_of(context.settings)
    rows = [
        ("installed", found.installed),
        ("running", found.running),
        ("Neo4j", found.version),
        ("process", None if found.pid is None else str(found.pid)),
        ("port", None if found.port is None else str(found.port)),
        ("since", None if found.since is None else found.since.isoformat(" ", "seconds")),
        ("home", found.home),
        ("MB on disk", round(found.disk_bytes / 1e6)),
        ("heap", found.heap if found.heap == context.settings.store.heap else f"{found.heap} (the start needed more)"),
    ]
    context.output.answer(
        {"url": "local", **dataclasses.asdict(found)}, context.output.table(("", "local store"), rows)
    )


def install(context: Context) -> None:
    """Fetch the local Neo4j (130 MB, once), so that a later start needs no network.

    Example: auditor store install
    """
    from auditor.store.local import install as install_server
    from auditor.store.local import status as status_of

    _check_local(context, "install")
    with context.output.progress("store") as bar:
        install_server(context.settings, progress=bar.report)
    version = status_of(context.settings).version
    context.output.answer({"installed": True, "version": version}, f"Neo4j {version} is installed")


def info(context: Context) -> None:
    """Show the content of the store in numbers.

    Example: auditor store info
    """
    found = context.store.info()
    rows = [(name, value) for name, value in dataclasses.asdict(found).items() if name != "url"]
    context.output.answer(dataclasses.asdict(found), context.output.table(("", found.url), rows))


def backup(
    context: Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File to write (Zstandard-compressed JSON lines).")],
    force: Annotated[bool, typer.Option("--force", metavar="", help="Replace an existing FILE.")] = False,
    with_records: Annotated[
        bool,
        typer.Option(
            "--with-records", metavar="", help="Copy microdata, with their files of populations, to FILE.files."
        ),
    ] = False,
) -> None:
    """Write everything in the store to one file, as protected as the store itself: readable by you only.

    The store is locked meanwhile, so that the file holds one state of it. Records of microdata and their files of
    populations are no part of the file: it holds where they are. With --with-records the records that the store keeps
    are copied beside it, each with its file of populations, and `restore` finds them there.

    Example: auditor store backup backup.jsonl.zst
    """
    from auditor.store.backups.outside import files_beside, save_files

    saved = None
    with context.output.progress("backup") as bar:
        if with_records:
            bar.phase("records")
            saved = save_files(context.store.connection, file, force=force)
        digest = context.store.backup(file, actor=context.actor, force=force)
    context.output.answer(
        {"file": file, "sha256": digest, "files": saved},
        f"the store is in {file}",
        f"SHA-256 of its text {digest}",
        *([] if saved is None else [f"{counted(saved, 'file', 'files')} of microdata in {files_beside(file)}"]),
    )


def restore(
    context: Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Backup, from `auditor store backup`.")],
) -> None:
    """Fill an empty store from a backup; the file is checked to its last line before the store is touched.

    Example: auditor store restore backup.jsonl.zst
    """
    from auditor.store.backups.outside import restore_files

    with context.output.progress("restore") as bar:
        restore_store(context.settings, file, actor=context.actor, progress=bar.report)
        bar.phase("records")
        restore_files(context.store.connection, file, context.settings.home)
    found = context.store.info()
    context.output.answer(
        {"file": file, "info": found},
        f"{file} is restored; networks: {count(found.networks)}, ledger entries: {count(found.entries)}",
    )


def copy(
    context: Context,
    source: Annotated[str, typer.Argument(metavar="FROM", help="Store to copy: local, or the address of a server.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="Empty store to fill.")],
) -> None:
    """Copy a whole store into an empty one, such as the local one to the server of a team.

    Log-ins of servers come from the settings, as always; both servers get the same.

    Example: auditor store copy local neo4j://db.example:7687
    """
    from auditor.config import load_settings

    if source == target:
        raise BadInput(f"{source} cannot be copied into itself; name another store")
    settings = [load_settings(config=context.config_file, store=url) for url in (source, target)]
    with context.output.progress("copy") as bar:
        copy_store(*settings, actor=context.actor, progress=bar.report)
    context.output.answer({"from": source, "to": target}, f"{source} is copied to {target}")


def _check_local(context: Context, what: str) -> None:
    """Refuse to manage a server that is not ours."""
    if not context.settings.store.is_local:
        raise BadInput(f"{context.settings.store.url} is not ours to {what}; use --store local for the local store")


app = group(
    start=start, stop=stop, status=status, install=install, info=info, backup=backup, restore=restore, copy=copy
)
