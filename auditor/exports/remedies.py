"""What would mend the findings of an export."""

from collections.abc import Mapping
from typing import Any

from auditor.core.finding import Remedy
from auditor.core.kinds import kind_named, part
from auditor.core.subject import parse_subject
from auditor.policy import key_of_rule

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
    origin = None if of is None else parse_subject(of)
    # the file may be what it was: what the policy asks of it by now no file that is put back has
    is_policys = rule == "k" or key_of_rule("export", rule, of) is not None
    text = "Withdraw the file where it was published, and make a new export under the present policy."
    if not is_policys:
        text = "Put the file back as it was verified, then audit it again; or withdraw it and make a new export."
    if origin is None:
        return Remedy(text, again)
    made = part(kind_named(origin[0]).remedies)(origin[1], rule, policy)
    if is_policys and not made.page:
        return Remedy(f"Withdraw the file where it was published. {made.text}", made.command)
    return Remedy(text, made.command if is_policys else again, "Make a new export", made.page, "export")
