"""`auditor ledger`: the chain of what was done and decided."""

import typer

from cli.ledger.exporting import export, write_verifier
from cli.ledger.shown import show
from cli.ledger.signing import checkpoint, create_key
from cli.ledger.verifying import verify

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True)
app.command("verify")(verify)
app.command("show")(show)
app.command("export")(export)
app.command("verifier")(write_verifier)
app.command("create-key")(create_key)
app.command("checkpoint")(checkpoint)
