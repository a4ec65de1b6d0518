"""`auditor approval`: what waits for a second person."""

import typer

from cli.approval.deciding import approve, reject, take_over, withdraw
from cli.approval.listed import list_approvals, show

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True)
app.command("list")(list_approvals)
app.command("show")(show)
app.command("approve")(approve)
app.command("reject")(reject)
app.command("withdraw")(withdraw)
app.command("take-over")(take_over)
