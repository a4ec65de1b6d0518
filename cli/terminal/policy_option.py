"""The policy that a command works under: a file, a preset, or the defaults."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.terminal.context import Context

if TYPE_CHECKING:
    from auditor.core.errors import BadInput
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


def policy_for_export(
    context: Context, path: Path | None, preset: str | None, *, k: int, k_of: Callable[[Policy], int], key: str
) -> Policy:
    """Return the policy of an export, where it does not ask for a larger k.

    Parameters
    ----------
    context : Context
    path, preset : optional
        As they were said.
    k : int
        What the export claims.
    k_of : callable
        Returns what a policy requires, under its `key`.

    Raises
    ------
    Refused
        If a policy was named, here or in the settings, and asks for a larger k.
    BadInput
        As :func:`policy_of`.
    """
    from auditor.core.errors import Refused

    policy = policy_of(context, path, preset)
    if (path or preset or context.settings.policy) is not None and k < k_of(policy):
        raise Refused(f"the policy requires k = {k_of(policy)} ({key}); --k {k} is less")
    return policy


def waits(policy: Policy) -> bool:
    """Whether exports wait for a second person."""
    return policy.exports.approval == "second-person"


def only_stored(what: str, advice: str) -> BadInput:
    """Return the error that says that an export cannot wait for a second person: nothing keeps its requester."""
    from auditor.core.errors import BadInput

    return BadInput(
        f"the policy asks for a second person (exports.approval), and only the export of {what} can wait for one; "
        f"{advice}"
    )


def next_for_another(approval: str) -> list[str]:
    """Return the command that approves what is pending, and who runs it."""
    return [
        f"Next, for another person: auditor approval approve {approval}",
        "  run in an account of their own, or with AUDITOR_ACTOR set to their name; who requested it cannot approve it",
    ]
