"""The answer that a page begins with, in plain words."""

from collections.abc import Sequence

from auditor.core.finding import Finding
from auditor.reports.names import readable
from auditor.reports.verdict import Verdict
from auditor.subjects.networks.policy import NetworkPolicy
from auditor.subjects.networks.report.network_report import NetworkReport, Release
from graphkit.networks.risk.degree_risk import DegreeRisk
from graphkit.networks.verify import DegreeClaim
from graphkit.numbers import count, share


def meaning_of_k(k: int) -> str:
    """Return what k promises, in one sentence."""
    return (
        f"k = {count(k)} means: an attacker who knows how many ties a person has finds at least {count(k)} people "
        "with that number, or none; never fewer."
    )


def claim_in_words(claim: DegreeClaim) -> str:
    """Return what a claim says of its file, as the rest of a sentence that begins with "in which".

    Examples
    --------
    >>> claim_in_words(DegreeClaim(k=5, n=100))
    'every degree that occurs occurs at least 5 times'
    """
    if claim.scope == "subset":
        words = f"every vertex of a chosen group shares its degree with at least {_others(claim.k)} of the group"
    else:
        words = f"every degree that occurs occurs at least {count(claim.k)} times"
    if claim.earlier:
        words += f", and so does every list of degrees over {count(claim.earlier + 1)} versions, this one the last"
    return words


def verdict_of_release(
    release: Release, policy: NetworkPolicy | None = None, findings: Sequence[Finding] = ()
) -> Verdict:
    """Return the answer for the readers of a verified file, from the file and what was asked of it alone.

    Parameters
    ----------
    release : Release
        A verified file.
    policy : NetworkPolicy, optional
        What was asked of it besides its claim.
    findings : sequence of Finding, optional
        What of it violates that.
    """
    claim = release.claim
    checked = f"The file was read back and checked: {claim_in_words(claim)}."
    if findings:
        assert policy is not None
        broken = "; ".join(finding.message for finding in findings)
        headline = f"This file does not meet the policy (k = {count(policy.k)})"
        return Verdict(False, headline, (checked, f"The policy requires more: {broken}."))
    who = "Nobody in this file" if claim.scope == "whole" else "Nobody in the protected group of this file"
    return Verdict(
        True,
        f"{who} can be told from at least {_others(claim.k)} by the number of their ties",
        (checked,) if policy is None else (checked, f"It meets the policy that was asked for (k = {count(policy.k)})."),
    )


def verdict_of_network(report: NetworkReport) -> Verdict:
    """Return whether a network may go out: its release where there is one, else the network as it is."""
    exposed = _exposed(report.audit.risk)
    if report.release is not None:
        return _verdict_with_release(report, report.release, exposed)
    if report.holds:
        return Verdict(True, "The network meets the policy as it is", (exposed,))
    advice = "A version in which every degree is shared must be made and verified before the release."
    return Verdict(False, "Not ready to be published", (exposed, advice))


def _verdict_with_release(report: NetworkReport, release: Release, exposed: str) -> Verdict:
    file, k, wanted = readable(release.file), release.claim.k, report.audit.policy.k
    if not release.verified:
        failed = release.verification.failed
        advice = f"Failed: {failed or 'the file could not be read'}. Do not publish {file}; withdraw it if it is out."
        return Verdict(False, "The release does not satisfy its claim", (advice,))
    original = f"The original: {exposed[0].lower()}{exposed[1:]}"
    if not report.holds:
        broken = ", ".join(finding.rule for finding in report.findings_of_release)
        reason = (
            f"{file} satisfies its claim of k = {count(k)}, but the policy (k = {count(wanted)}) requires more: "
            f"{broken}."
        )
        return Verdict(False, "The release does not meet the policy", (reason, original))
    kept = f"In {file} {claim_in_words(release.claim)}."
    return Verdict(True, "The release satisfies its claim", (kept, original))


def _others(k: int) -> str:
    return "one other person" if k == 2 else f"{count(k - 1)} others"


def _exposed(risk: DegreeRisk) -> str:
    if risk.n == 0:
        return "There is no vertex, so nobody can be told apart."
    if risk.is_anonymous:
        return f"Every degree that occurs is shared by at least {count(risk.k)} vertices."
    verb = "is" if risk.unique_vertices == 1 else "are"
    return (
        f"{count(risk.vertices_below_k)} of {count(risk.n)} vertices ({share(risk.share_below_k)}) have a degree that "
        f"fewer than {count(risk.k)} share; {count(risk.unique_vertices)} {verb} the only one of their degree."
    )
