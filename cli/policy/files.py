"""`auditor policy check|schema`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from auditor.core.staging import check_destination, written_aside
from cli.terminal.context import Context


def check(context: Context, file: Annotated[Path, typer.Argument(metavar="FILE", help="Policy file (TOML).")]) -> None:
    """Check a policy file and print its digest.

    The digest is what audits record: two files with the same meaning have the same one, whether a value is written in
    them, comes from a preset or is the default.

    Example: auditor policy check policy.toml
    """
    from auditor.policy import load_policy

    policy = load_policy(file)
    context.output.answer(
        {"file": file, "digest": policy.digest()}, f"{file} is a valid policy", f"digest {policy.digest()}"
    )


def schema(
    context: Context,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="File to write; stdout without it.")] = None,
    force: Annotated[bool, typer.Option("--force", metavar="", help="Overwrite FILE.")] = False,
) -> None:
    """Write the JSON Schema of policy files, for editors that check while one writes.

    It knows keys, types and ranges; `auditor policy check` also checks what keys must be together.

    Example: auditor policy schema --out policy.schema.json
    """
    from auditor.policy import policy_schema

    output = context.output
    if out is not None:
        check_destination(out, force=force)
    found = policy_schema()
    text = json.dumps(found, indent=2, ensure_ascii=False)
    if out is None:
        output.answer(found, text)
        return
    with written_aside(out, force=force) as stream:
        stream.write(f"{text}\n".encode())
    output.answer({"schema": out}, f"{out}: JSON Schema of policy files")
