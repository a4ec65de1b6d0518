"""What would mend the findings of records."""

import shlex
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from auditor.core.finding import Remedy

RULES: Mapping[str, str] = {
    "same_file": "the file of the records is there, and is still the one that was stored",
    "audit_together": "all exports of the records together leave nobody fewer than k records to hide among",
}
"""What the rules ask that no key of a policy states."""

_SENSITIVE = {"distinct_l": "--l", "entropy_l": "--entropy-l", "t": "--t"}


def remedy(name: str, rule: str, policy: Any, of: str | None = None) -> Remedy:
    """Return what would mend a finding of records.

    Examples
    --------
    >>> from auditor.policy import Policy
    >>> remedy("people", "max_unique_records", Policy()).command
    'auditor microdata generalize people --k 5 --out released.csv'
    """
    shown, k = shlex.quote(name), policy.microdata.k
    if rule == "same_file":
        return Remedy(
            "Put the file back as it was stored, or store the changed file under another name.",
            f"auditor microdata show {shown}",
        )
    if rule == "audit_together":
        return Remedy(
            "Publish no further export of these records. Whoever holds several of them can combine them.",
            f"auditor audit run {shlex.quote(f'microdata:{name}')}",
        )
    if rule == "min_unit_population":
        text = "Combine small geographic units, or release the records without the names of the units."
    elif rule == "forbid_identifiers":
        text = "Release a protected export instead of the records: columns that name respondents are left out of it."
    else:
        text = f"Release a protected export instead of the records: each record then hides among at least {k}."
    command = f"auditor microdata generalize {shown} --k {k} --out released.csv"
    if rule in _SENSITIVE:
        command += f" {_SENSITIVE[rule]} {getattr(policy.microdata, rule)}"
    return Remedy(text, command, "Make a protected export", f"/microdata/{quote(name, safe='')}#protect", "export")
