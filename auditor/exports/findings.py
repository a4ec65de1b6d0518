"""What the audit of an export finds, whatever kind of subject it was made from."""

from collections.abc import Iterable

from auditor.core.finding import Finding
from graphkit.verification import Check


def claim_findings(claimed: int, required: int) -> tuple[Finding, ...]:
    """Return what is wrong with the k that is claimed, by the k that a policy requires by now."""
    if claimed >= required:
        return ()
    message = f"it claims k = {claimed}; the policy requires {required} by now"
    return (Finding("k", "claim", "violation", required - claimed, 0, message),)


def origin_finding(kind: str, message: str) -> Finding:
    """Return the warning that a file was not verified against what it was made from."""
    return Finding("origin", kind, "warning", 1, 0, message)


def check_findings(checks: Iterable[Check]) -> tuple[Finding, ...]:
    """Return the checks of a file that failed."""
    return tuple(Finding(check.name, "file", "violation", 1, 0, check.text) for check in checks if not check.passed)
