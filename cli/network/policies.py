"""The policy of a command about a network, and what it asks of an export: its k, and a second person."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from auditor.core.errors import BadInput
from cli.terminal.context import Context
from cli.terminal.policy_option import only_stored, policy_for_export, policy_of, waits
from graphkit.errors import InvalidInput

if TYPE_CHECKING:
    from auditor.policy import Policy
    from cli.terminal.subject import Subject

_ONLY_STORED = "a stored network", "store it first with 'auditor network add'"


def policy_for_network(
    context: Context, path: Path | None, preset: str | None, k: int | None, hubs: int | None = None
) -> Policy:
    """Return the policy of a file or preset, or the default one, with k and the number of hubs overruled.

    Raises
    ------
    BadInput
        As :func:`cli.terminal.policy_option.policy_of`.
    InvalidInput
        If `k` is below 2 or `hubs` below 1.
    """
    if k is not None and k < 2:
        raise InvalidInput(f"k ({k}) must be at least 2")
    if hubs is not None and hubs < 1:
        raise InvalidInput(f"the number of hubs ({hubs}) must be at least 1")
    policy = policy_of(context, path, preset)
    said = {name: value for name, value in (("k", k), ("hubs", hubs)) if value is not None}
    return policy.model_copy(update={"network": policy.network.model_copy(update=said)}) if said else policy


def rules_for(
    context: Context, policy: Path | None, preset: str | None, *, k: int, edge_table: bool, store_as: str | None
) -> Policy:
    """Return the policy of an export.

    Raises
    ------
    Refused
        If a policy was named, here or in the settings, and asks for a larger k.
    BadInput
        If the policy asks for a second person, and this export cannot wait for one.
    """
    rules = policy_for_export(context, policy, preset, k=k, k_of=lambda policy: policy.network.k, key="network.k")
    if waits(rules) and store_as is not None:
        raise BadInput("--store-as keeps what is out, and this waits for a second person; add the file when it is out")
    if waits(rules) and edge_table:
        raise only_stored(*_ONLY_STORED)
    return rules


def check_can_wait(rules: Policy, subject: Subject, *, dry_run: bool) -> None:
    """Refuse a file whose export would wait for a second person: nothing keeps its requester.

    Raises
    ------
    BadInput
        Says what to do first.
    """
    if waits(rules) and subject.stored is None and not dry_run:
        raise only_stored(*_ONLY_STORED)
