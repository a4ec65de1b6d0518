"""`auditor token`: who may use the service, as what, and until when."""

import typer

from cli.token.tokens import create, list_tokens, revoke

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True)
app.command("create")(create)
app.command("list")(list_tokens)
app.command("revoke")(revoke)
