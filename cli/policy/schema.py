"""`auditor policy schema`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from auditor.core.staging import check_destination, written_aside
from cli.terminal.context import context_of


def schema(
    ctx: typer.Context,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="File to write; stdout without it.")] = None,
    force: Annotated[bool, typer.Option("--force", metavar="", help="Overwrite FILE.")] = False,
) -> None:
    """Write the JSON Schema of policy files, for editors that check while one writes.

    It knows keys, types and ranges; `auditor policy check` also checks what keys must be together.

    Example: auditor policy schema --out policy.schema.json
    """
    from auditor.policy import policy_schema

    output = context_of(ctx).output
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
