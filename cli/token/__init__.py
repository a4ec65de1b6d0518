"""`auditor token`: who may use the service, as what, and until when."""

from cli.terminal.commands import group
from cli.token.tokens import create, list_tokens, revoke

__all__ = ["app"]

app = group(create=create, list=list_tokens, revoke=revoke)
