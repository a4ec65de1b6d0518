"""`auditor policy`: what a publication must satisfy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.context import context_of

if TYPE_CHECKING:
    from auditor.policy import Policy

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True)


@app.command()
def check(
    ctx: typer.Context, file: Annotated[Path, typer.Argument(metavar="FILE", help="Policy file (TOML).")]
) -> None:
    """Check that a policy file says what the auditor understands, and print its digest.

    The digest is what audits record: two files with the same meaning have the same one.

    Example: auditor policy check policy.toml
    """
    from auditor.policy import load_policy

    policy = load_policy(file)
    context_of(ctx).output.answer(
        {"file": file, "digest": policy.digest()}, f"{file} is a valid policy", f"digest {policy.digest()}"
    )


@app.command()
def show(
    ctx: typer.Context,
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Policy file; the defaults without one.")
    ] = None,
) -> None:
    """Show what a policy asks for, defaults written out.

    Example: auditor policy show

    Example: auditor policy show policy.toml --json
    """
    from auditor.policy import Policy, load_policy

    policy = Policy() if file is None else load_policy(file)
    output = context_of(ctx).output
    output.answer(
        {"digest": policy.digest(), "policy": policy},
        output.table(["section", "key", "value", "asks that"], _rows(policy)),
        f"digest {policy.digest()}",
    )


def _rows(policy: Policy) -> list[list[object]]:
    rows: list[list[object]] = []
    for section in type(policy).model_fields:
        values = getattr(policy, section)
        for key, field in type(values).model_fields.items():
            rows.append([section, key, getattr(values, key), field.description])
    return rows
