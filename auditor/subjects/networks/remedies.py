"""What would mend the findings of a network."""

import shlex
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from auditor.core.finding import Remedy

RULES: Mapping[str, str] = {
    "same_graph": "the graph in the database is still the one that was read",
}
"""What the rules ask that no key of a policy states."""


def remedy(name: str, rule: str, policy: Any, of: str | None = None) -> Remedy:
    """Return what would mend a finding of a network.

    Examples
    --------
    >>> from auditor.policy import Policy
    >>> remedy("friends", "max_unique_vertices", Policy()).command
    'auditor network anonymize friends --k 5 --out released.csv'
    """
    if rule == "same_graph":
        return Remedy(
            "Read the graph again from its database, then audit what was read.",
            f"auditor network add {shlex.quote(name)} --from neo4j://…",
        )
    k = policy.network.k
    command = f"auditor network anonymize {shlex.quote(name)} --k {k} --out released.csv"
    text = f"Release a protected export instead of the network: at least {k} people then share every number of ties."
    if rule.startswith("max_share_below_k_"):
        text = (
            "No export is built against this knowledge. Make one with a larger k, audit it, and release it only if the "
            "audit passes."
        )
    return Remedy(text, command, "Make a protected export", f"/networks/{quote(name, safe='')}#protect", "export")
