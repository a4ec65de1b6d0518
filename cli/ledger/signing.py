"""`auditor ledger create-key` and `auditor ledger checkpoint`."""

from pathlib import Path
from typing import Annotated

import typer

from auditor.core.errors import BadInput
from cli.signing_key import KeyCommandOption, KeyOption
from cli.terminal.context import Context, context_of


def create_key(
    context: Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File for the private key; FILE.pub is the public one.")],
) -> None:
    """Make a key for signing checkpoints (Ed25519): FILE for who signs, FILE.pub for who verifies.

    Keep FILE where those who can write to the store cannot read it, and give FILE.pub away.

    Example: auditor ledger create-key audit.key
    """
    from auditor.ledger.keys import create_key as create
    from auditor.ledger.keys import public_path

    if file.resolve().is_relative_to(context.settings.home.resolve()):
        raise BadInput(f"{file} would be in the folder of the store; a key that signs the ledger belongs elsewhere")
    identifier = create(file)
    context.output.answer(
        {"private": file, "public": public_path(file), "key": identifier},
        f"private key: {file}",
        f"public key: {public_path(file)}",
        f"id {identifier}",
    )


def checkpoint(
    ctx: typer.Context,
    key: KeyOption = None,
    key_command: KeyCommandOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="File to write; by default it is printed.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", metavar="", help="Replace an existing FILE.")] = False,
) -> None:
    """Verify the ledger and sign how far it goes: number of entries, hash of the last one, time.

    Keep checkpoints where those who can write to the store cannot: 'auditor ledger verify --checkpoint' then finds a
    ledger that was rewritten or cut. A ledger that is not intact is not signed (exit code 1). That it was signed, and
    by which key, is an entry of the ledger.

    The private key is in a file (--key), in the variable AUDITOR_LEDGER_KEY, which holds the name of a file or the key
    itself, or is printed by a command, such as one of a password manager. --key wins over the command, the command over
    the variable.

    Example: auditor ledger checkpoint --key audit.key --out march.checkpoint

    Example: auditor ledger checkpoint --key-command "cat audit.key"
    """
    from auditor.core.staging import check_destination, written_aside
    from auditor.ledger.key_source import find_private_key
    from auditor.ledger.keys import sign_report
    from auditor.store.ledger import record_checkpoint

    context = context_of(ctx)
    private = find_private_key(*named_key(ctx, key, key_command))
    if out is not None:
        check_destination(out, force=force)
    with context.output.progress("ledger: checkpoint"):
        ledger = context.store.ledger
        signed = sign_report(ledger.verify(), private, at=ledger.now())
        said = signed.checkpoint
        record_checkpoint(context.store, said, actor=context.actor)
    if out is not None:
        with written_aside(out, force=force) as stream:
            stream.write(f"{signed.line()}\n".encode())
    elif not context.output.json:
        # a terminal must not break the line: it can be appended to a file of checkpoints
        typer.echo(signed.line())
        return
    data = {"file": out, "checkpoint": signed.values()}
    context.output.answer(data, f"{out}: {signed.checkpoint.entries} entries, head {signed.checkpoint.head}")


def named_key(ctx: typer.Context, key: str | None, command: str | None) -> tuple[str | None, str | None]:
    """Return which key counts: what is said on the command line wins over what the environment says."""
    key_said, command_said = (_is_said(ctx, name) for name in ("key", "key_command"))
    if key_said and command_said:
        raise BadInput("--key and --key-command both name a key; say one of them")
    if key_said and key is not None and key.lstrip().startswith("-----BEGIN"):
        raise BadInput("a key on the command line can be read by everybody on this machine; name its file instead")
    if key_said:
        return key, None
    return (None, command) if command is not None else (key, None)


def _is_said(ctx: typer.Context, name: str) -> bool:
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
