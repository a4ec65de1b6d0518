"""`auditor policy check`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.terminal.context import context_of


def check(
    ctx: typer.Context, file: Annotated[Path, typer.Argument(metavar="FILE", help="Policy file (TOML).")]
) -> None:
    """Check a policy file and print its digest.

    The digest is what audits record: two files with the same meaning have the same one, whether a value is written in
    them, comes from a preset or is the default.

    Example: auditor policy check policy.toml
    """
    from auditor.policy import load_policy

    policy = load_policy(file)
    context_of(ctx).output.answer(
        {"file": file, "digest": policy.digest()}, f"{file} is a valid policy", f"digest {policy.digest()}"
    )
