"""`auditor ledger export` and `auditor ledger verifier`: what is handed to somebody else."""

from pathlib import Path
from typing import Annotated

import typer

from auditor.core.staging import written_aside
from auditor.ledger import verifier as ledger_verifier
from cli.terminal.context import Context


def export(
    context: Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File to write, one entry a line as JSON.")],
    force: Annotated[bool, typer.Option("--force", metavar="", help="Replace an existing FILE.")] = False,
) -> None:
    """Write the whole ledger to a file that can be verified without the store: auditor ledger verify --file FILE.

    Example: auditor ledger export ledger.jsonl
    """
    with context.output.progress("ledger: export"):
        entries, head = context.store.ledger.export(file, force=force)
    context.output.answer(
        {"file": file, "entries": entries, "head": head}, f"{entries} entries in {file}", f"head {head}"
    )


def write_verifier(
    context: Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File to write: a program of one file.")],
    force: Annotated[bool, typer.Option("--force", metavar="", help="Replace an existing FILE.")] = False,
) -> None:
    """Write a program that verifies an exported ledger and its checkpoints with nothing but Python 3.9.

    It is for whoever is to verify the ledger and should not have to trust this program: a short file that can be read
    through. Needs no store.

    Example: auditor ledger verifier verify_ledger.py
    """
    content = Path(ledger_verifier.__file__).read_bytes()
    with written_aside(file, force=force) as stream:
        stream.write(content)
    advice = context.output.advice(f"Next: python3 {file} LEDGER --checkpoint FILE --public-key FILE")
    context.output.answer({"file": file}, f"the verifier is in {file}", *advice)
