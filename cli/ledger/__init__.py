"""`auditor ledger`: the chain of what was done and decided."""

from cli.ledger.exporting import export, write_verifier
from cli.ledger.shown import show
from cli.ledger.signing import checkpoint, create_key
from cli.ledger.verifying import verify
from cli.terminal.commands import group

__all__ = ["app"]

app = group(
    verify=verify, show=show, export=export, verifier=write_verifier, create_key=create_key, checkpoint=checkpoint
)
