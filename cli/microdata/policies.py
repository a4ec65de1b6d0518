"""The policy of a command about a file of records, with what the options overrule."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.terminal.context import Context
from cli.terminal.policy_option import only_stored, policy_for_export, policy_of, waits

if TYPE_CHECKING:
    from auditor.policy import Policy


def policy_for_microdata(context: Context, path: Path | None, preset: str | None, **said: Any) -> Policy:
    """Return the policy of a file or preset, or the default one, with the thresholds that were said.

    Raises
    ------
    BadInput
        As :func:`cli.terminal.policy_option.policy_of`; or if a threshold makes no sense.
    """
    policy = policy_of(context, path, preset)
    given = {name: value for name, value in said.items() if value is not None}
    if not given:
        return policy
    section = policy.microdata.model_copy(update=given)
    return policy.model_copy(update={"microdata": section})


def rules_for(context: Context, path: Path | None, preset: str | None, *, k: int, can_wait: bool) -> Policy:
    """Return the policy of an export.

    Parameters
    ----------
    context : Context
    path, preset : optional
        As they were said.
    k : int
        How many records share their values.
    can_wait : bool
        Whether the export can wait for a second person: of stored records, or of nothing that is written.

    Raises
    ------
    Refused
        If a policy was named, here or in the settings, and asks for a larger k.
    BadInput
        If the policy asks for a second person, and this export cannot wait for one.
    """
    rules = policy_for_export(context, path, preset, k=k, k_of=lambda policy: policy.microdata.k, key="microdata.k")
    if waits(rules) and not can_wait:
        raise only_stored("stored records", "store them first with 'auditor microdata add'")
    return rules
