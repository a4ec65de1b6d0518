"""`auditor audit`: what a policy says of a subject, and who accepts what."""

import typer

from cli.audit.recorded import list_audits, show
from cli.audit.running import run
from cli.audit.waiving import unwaive, waive, waivers

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True)
app.command("run")(run)
app.command("list")(list_audits)
app.command("show")(show)
app.command("waive")(waive)
app.command("waivers")(waivers)
app.command("unwaive")(unwaive)
