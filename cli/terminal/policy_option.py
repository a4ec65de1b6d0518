"""The policy that a command works under: a file, a preset, or the defaults."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.terminal.context import Context

if TYPE_CHECKING:
    from auditor.policy import Policy

from cli.terminal.completing import presets

PolicyOption = Annotated[
    Path | None,
    typer.Option(
        "--policy",
        metavar="FILE",
        help="Policy (TOML); without one that of the settings (AUDITOR_POLICY), or the defaults.",
    ),
]
PresetOption = Annotated[
    str | None,
    typer.Option(
        "--preset",
        metavar="NAME",
        autocompletion=presets,
        help="Built-in policy: internal, research or public.",
    ),
]


def policy_of(context: Context, path: Path | None, preset: str | None = None) -> Policy:
    """Return the policy in a file or of a preset; without either that of the settings, or the defaults.

    Raises
    ------
    BadInput
        If both are given; else as :func:`auditor.policy.load_policy` and :func:`auditor.policy.preset_policy`.
    """
    from auditor.core.errors import BadInput
    from auditor.policy import Policy, load_policy, preset_policy

    if path is not None and preset is not None:
        raise BadInput(f"--policy and --preset exclude each other; write preset = '{preset}' at the top of {path}")
    if preset is not None:
        return preset_policy(preset)
    path = path if path is not None else context.settings.policy
    return Policy() if path is None else load_policy(path)
