"""`auditor store`: the graph database itself."""

from __future__ import annotations

import typer

from cli.context import Context, context_of

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True)


@app.command()
def start(ctx: typer.Context) -> None:
    """Start the local Neo4j, fetching it first if it was never used; other commands do so by themselves.

    Example: auditor store start
    """
    from auditor.store.local import ensure_running

    context = _local_only(ctx, "start")
    with context.output.progress("store") as bar:
        endpoint = ensure_running(context.settings, progress=bar.report)
    context.output.answer({"running": True, "url": endpoint.url}, f"the local Neo4j runs at {endpoint.url}")


@app.command()
def stop(ctx: typer.Context) -> None:
    """Stop the local Neo4j, if it runs; nothing is lost.

    Example: auditor store stop
    """
    from auditor.store.local import stop as stop_server

    context = _local_only(ctx, "stop")
    with context.output.progress("stopping Neo4j"):
        stopped = stop_server(context.settings)
    context.output.answer(
        {"stopped": stopped}, "the local Neo4j is stopped" if stopped else "the local Neo4j was not running"
    )


@app.command()
def status(ctx: typer.Context) -> None:
    """Say whether the local Neo4j is installed and runs, and where its data lies; starts nothing.

    Example: auditor store status
    """
    from auditor.store.local import status as status_of

    context = context_of(ctx)
    if not context.settings.store.is_local:
        _show_server(context)
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
    ]
    context.output.answer({"url": "local", **_fields(found)}, context.output.table(("", "local store"), rows))


@app.command()
def install(ctx: typer.Context) -> None:
    """Fetch the local Neo4j (130 MB, once), so that a later start needs no network.

    Example: auditor store install
    """
    from auditor.store.local import install as install_server
    from auditor.store.local import status as status_of

    context = _local_only(ctx, "install")
    with context.output.progress("store") as bar:
        install_server(context.settings, progress=bar.report)
    version = status_of(context.settings).version
    context.output.answer({"installed": True, "version": version}, f"Neo4j {version} is installed")


def _local_only(ctx: typer.Context, what: str) -> Context:
    from auditor.errors import BadInput

    context = context_of(ctx)
    if not context.settings.store.is_local:
        raise BadInput(f"{context.settings.store.url} is not ours to {what}; use --store local for the local store")
    return context


def _show_server(context: Context) -> None:
    """Reach the server once; an error tells if that fails."""
    store = context.store
    del store
    url = context.settings.store.url
    context.output.answer({"url": url, "running": True}, f"{url} answers")


def _fields(record: object) -> dict[str, object]:
    import dataclasses

    return {field.name: getattr(record, field.name) for field in dataclasses.fields(record)}  # type: ignore[arg-type]
