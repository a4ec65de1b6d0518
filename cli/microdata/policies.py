"""The policy of a command about a file of records, with what the options overrule."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.terminal.context import Context
from cli.terminal.policy_option import policy_of

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
