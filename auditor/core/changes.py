"""What changed from one audit of a subject to the next."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from auditor.core.finding import Change, Finding, RecordedFinding, fingerprint_of


@dataclass(frozen=True, slots=True)
class Gone:
    """A finding of the audit before that is none any more."""

    fingerprint: str
    rule: str
    where: str


def compare_findings(
    key: str, found: Iterable[Finding], before: Sequence[RecordedFinding], waivers: Mapping[str, str]
) -> tuple[tuple[RecordedFinding, ...], tuple[Gone, ...]]:
    """Return findings with what became of them since the audit before, and those that are gone.

    Parameters
    ----------
    key : str
        Of the subject.
    found : iterable of Finding
        Of this audit.
    before : sequence of RecordedFinding
        Of the audit before; none for the first one.
    waivers : mapping of str to str
        Id of the waiver that is in force, by fingerprint.

    Examples
    --------
    >>> alone = Finding("max_unique_vertices", "degrees", "violation", 3, 0, "3 are alone")
    >>> (first,), _ = compare_findings("network:friends", [alone], [], {})
    >>> fewer = Finding("max_unique_vertices", "degrees", "violation", 2, 0, "2 are alone")
    >>> (second,), gone = compare_findings("network:friends", [fewer], [first], {})
    >>> first.change, second.change, gone
    ('new', 'better', ())
    """
    known = {finding.fingerprint: finding for finding in before}
    recorded = []
    for finding in found:
        fingerprint = fingerprint_of(key, finding)
        change = _change(finding, known.get(fingerprint))
        values = {name: getattr(finding, name) for name in Finding.__slots__}
        recorded.append(
            RecordedFinding(**values, fingerprint=fingerprint, change=change, waiver=waivers.get(fingerprint))
        )
    left = {finding.fingerprint for finding in recorded}
    gone = tuple(Gone(old.fingerprint, old.rule, old.where) for old in before if old.fingerprint not in left)
    return tuple(recorded), gone


def _change(finding: Finding, before: RecordedFinding | None) -> Change:
    if before is None:
        return "new"
    if finding.severity == before.severity and finding.figure != before.figure:
        return "worse" if finding.figure > before.figure else "better"
    if finding.severity != before.severity:
        return "worse" if finding.severity == "violation" else "better"
    return "same"
