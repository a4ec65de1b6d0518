"""`auditor policy`: what a publication must satisfy."""

import typer

from cli.policy.diff import diff
from cli.policy.explain import explain
from cli.policy.files import check, schema
from cli.policy.show import show

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True)
app.command("check")(check)
app.command("show")(show)
app.command("diff")(diff)
app.command("explain")(explain)
app.command("schema")(schema)
