"""One thing that an audit found."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Severity = Literal["violation", "undecided", "warning", "info"]
Verdict = Literal["passed", "violated", "undecided"]
"""``violated``: by a finding without a waiver. ``undecided``: something was neither proven nor ruled out."""

Change = Literal["new", "same", "worse", "better"]
"""Against the audit of the same subject before: a larger figure is worse."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule of the policy, what was measured and what was allowed. Holds no label, no attribute and no count of people
    in a cell.
    """

    rule: str
    """Name of the rule, as in the policy file."""
    where: str
    """The part of the subject that it is about, in the subject's public terms; the same as long as it is that part."""
    severity: Severity
    figure: float | int
    """What was measured; the larger, the worse."""
    threshold: float | int
    message: str
    """One sentence for a person."""


@dataclass(frozen=True, slots=True)
class RecordedFinding(Finding):
    """A finding as an audit recorded it."""

    fingerprint: str
    """What it is known by from one audit of the subject to the next."""
    change: Change
    waiver: str | None
    """Id of the waiver that was in force."""


def fingerprint_of(key: str, finding: Finding) -> str:
    """Return what a finding is known by from one audit to the next, given the key of its subject.

    Examples
    --------
    >>> fingerprint_of("network:friends", Finding("max_unique_vertices", "degrees", "violation", 3, 0, "3 are alone"))
    '4733b3748e92ae0d'
    """
    return hashlib.sha256(f"{key}\n{finding.rule}\n{finding.where}".encode(errors="surrogateescape")).hexdigest()[:16]


def verdict_of(findings: Iterable[RecordedFinding]) -> Verdict:
    """Return what findings mean together: those that are waived do not count."""
    return verdict_before_waivers(finding for finding in findings if finding.waiver is None)


def verdict_before_waivers(findings: Iterable[Finding]) -> Verdict:
    """Return what findings mean together, as long as none is waived.

    Examples
    --------
    >>> verdict_before_waivers([])
    'passed'
    """
    severities = {finding.severity for finding in findings}
    return "violated" if "violation" in severities else "undecided" if "undecided" in severities else "passed"


@dataclass(frozen=True, slots=True)
class Remedy:
    """What would mend a finding: in words, as a command, and as a form of the service."""

    text: str
    """One or two sentences for a person."""
    command: str = ""
    """The command that does it; empty where none does."""
    button: str = ""
    """What the button says that leads to the form; empty where there is none."""
    page: str = ""
    """Address of the form."""
    right: str = "view"
    """Who may use the form."""
