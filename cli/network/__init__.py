"""`auditor network`: load, look at, audit, protect and compare networks."""

import typer

from cli.network.anonymize import anonymize
from cli.network.audit import audit
from cli.network.bounds import bounds
from cli.network.compare import compare
from cli.network.stored import add, list_networks, remove, show

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True)
app.command("add")(add)
app.command("list")(list_networks)
app.command("show")(show)
app.command("remove")(remove)
app.command("audit")(audit)
app.command("anonymize")(anonymize)
app.command("compare")(compare)
app.command("bounds")(bounds)
