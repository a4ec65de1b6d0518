"""What would mend the findings of an export."""

from collections.abc import Mapping
from typing import Any

from auditor.core.finding import Remedy
from auditor.core.kinds import kind_named, part
from auditor.core.subject import parse_subject

RULES: Mapping[str, str] = {
    "k": "the export claims at least the k that the policy requires now",
    "origin": "the file can be held against what it was made from",
}
"""What the rules ask that no key of a policy states."""


def remedy(name: str, rule: str, policy: Any, of: str | None = None) -> Remedy:
    """Return what would mend a finding of an export."""
    again = f"auditor audit run export:{name}"
    if rule == "origin":
        return Remedy("Nothing needs to be done: only the file's own claim can be checked without its key.")
    text = "Withdraw the file where it was published, and make a new export under the present policy."
    if rule != "k":
        text = "Put the file back as it was verified, then audit it again; or withdraw it and make a new export."
    if of is None:
        return Remedy(text, again)
    kind, origin = parse_subject(of)
    made = part(kind_named(kind).remedies)(origin, rule, policy)
    return Remedy(text, again if rule != "k" else made.command, "Make a new export", made.page, "export")
