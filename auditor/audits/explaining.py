"""What a finding means: what its rule asks, what the policy says of it, and what would mend it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from auditor.audits.record import Audit
from auditor.core.finding import RecordedFinding, Remedy
from auditor.core.kinds import KINDS, kind_named, part
from auditor.policy import Key, key_of_rule, known_keys
from graphkit.numbers import share

_SHARES = ("share", "rate", "risk", "relative")
TERMINAL = True
"""Whether a person at the terminal has viewed what is protected: who opens the store sees as an officer does."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A finding in words that everybody may read."""

    asks: str
    """What the rule asks; empty for one that this version does not know."""
    why: str
    """Why it matters; empty where no policy states the rule."""
    allowed: str
    """What the policy says, as text; empty where no policy states the rule."""
    key: str
    """Name of the policy's key; empty for none."""
    remedy: Remedy


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A finding as somebody sees it: page, API and terminal make it by :func:`shown_findings`."""

    rule: str
    severity: str
    change: str
    fingerprint: str
    waiver: str | None
    where: str | None
    figure: float | int | None
    threshold: float | int | None
    message: str | None


def shown_findings(audit: Audit, *, viewed: bool) -> list[ShownFinding]:
    """Return the findings of an audit as somebody sees them.

    Parameters
    ----------
    audit : Audit
    viewed : bool
        Whether it is a disclosure view, which the ledger records: only then locations and figures are shown.
    """
    return [_shown(finding, viewed) for finding in audit.findings]


def explain_finding(family: str, name: str, rule: str, policy: Any, of: str | None = None) -> Explanation:
    """Return what a rule asks of a subject, what a policy says of it, and what would mend a finding.

    Parameters
    ----------
    family, name : str
        The subject.
    rule : str
    policy : Policy
    of : str, optional
        What an export was made from.

    Examples
    --------
    >>> from auditor.policy import Policy
    >>> found = explain_finding("network", "friends", "max_unique_vertices", Policy())
    >>> found.asks, found.allowed, found.key
    ('vertices that are the only one of their degree, at most', '0', 'network.max_unique_vertices')
    """
    kind = kind_named(family)
    remedy = part(kind.remedies)(name, rule, policy, of) if kind.remedies else Remedy("")
    key = key_of_rule(family, rule, of)
    if key is None:
        return Explanation(rule_in_words(family, rule), "", "", "", remedy)
    return Explanation(key.asks, key.meaning.why, _in_words(policy, key), key.name, remedy)


def rule_in_words(family: str, rule: str, of: str | None = None) -> str:
    """Return what a rule asks of a kind of subjects; empty for one that this version does not know.

    Parameters
    ----------
    family, rule : str
    of : str, optional
        What an export was made from.

    Examples
    --------
    >>> rule_in_words("microdata", "max_unique_records")
    'records that are alone in their combination, at most'
    """
    if family not in KINDS:
        return ""
    key = key_of_rule(family, rule, of)
    if key is not None:
        return key.asks
    kind = kind_named(family)
    return str(part(kind.rules).get(rule, "")) if kind.rules else ""


def rules_like(text: str) -> Iterable[tuple[str, str]]:
    """Yield kind and name of the rules whose name or words contain a text."""
    text = text.lower()
    stated = [key.name.split(".", 1) for key in known_keys()]
    named = [(family, rule) for family, rule in stated if family in KINDS]
    others = [(kind, rule) for kind in KINDS if kind_named(kind).rules for rule in part(kind_named(kind).rules)]
    for family, rule in (*named, *others):
        if text in rule.lower() or text in rule_in_words(family, rule).lower():
            yield family, rule


def _shown(finding: RecordedFinding, viewed: bool) -> ShownFinding:
    public = finding.rule, finding.severity, finding.change, finding.fingerprint, finding.waiver
    if not viewed:
        return ShownFinding(*public, None, None, None, None)
    return ShownFinding(*public, finding.where, finding.figure, finding.threshold, finding.message)


def _in_words(policy: Any, key: Key) -> str:
    section, _, name = key.name.partition(".")
    value = getattr(getattr(policy, section, None), name, None)
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return share(value) if isinstance(value, float) and any(word in name for word in _SHARES) else str(value)
