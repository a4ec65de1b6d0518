"""The options of commands that sign with the key of the ledger's checkpoints."""

from typing import Annotated

import typer

KeyOption = Annotated[
    str | None,
    typer.Option(
        "--key", metavar="FILE", envvar="AUDITOR_LEDGER_KEY", help="Private key; 'ledger create-key' makes one."
    ),
]
KeyCommandOption = Annotated[
    str | None,
    typer.Option(
        "--key-command",
        metavar="COMMAND",
        envvar="AUDITOR_LEDGER_KEY_COMMAND",
        help="Command that prints the private key.",
    ),
]
