"""What would mend the findings of a table: what is released stays so, and what comes next can be chosen."""

import shlex
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from auditor.core.finding import Remedy

RULES: Mapping[str, str] = {
    "earlier_data": "all that was released of earlier versions can be compared with the present data",
    "population_overlap": "it is declared of similar tables whether they have respondents in common",
}
"""What the rules ask that no key of a policy states."""


def remedy(name: str, rule: str, policy: Any, of: str | None = None) -> Remedy:
    """Return what would mend a finding of a table.

    Examples
    --------
    >>> from auditor.policy import Policy
    >>> remedy("survey", "hide_small", Policy()).command
    'auditor table frontier survey'
    """
    shown, page = shlex.quote(name), f"/tables/{quote(name, safe='')}"
    if rule == "earlier_data":
        return Remedy("Declare what became of the variables of the earlier version.", f"auditor table map {shown}")
    if rule == "population_overlap":
        return Remedy(
            "Declare whether the similar tables have respondents in common; until then nothing can be decided.",
            f"auditor table overlap {shown} OTHER",
            "Open the table",
            page,
        )
    return Remedy(
        "Released counts cannot be taken back. The service refuses every request that would tell more; look at what "
        "can still be released, and waive the finding only with a reason.",
        f"auditor table frontier {shown}",
        "Open the table",
        page,
    )
