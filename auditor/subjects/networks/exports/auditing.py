"""An export that is out, looked at again: is its file there and unchanged, and does it hold what it claims?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from auditor.core.finding import Finding
from auditor.exports.claim_record import claim_of
from auditor.exports.owner_claim_record import terms_of
from auditor.exports.repository import Exports
from auditor.subjects.networks.exports.rechecking import files_check, recheck_release
from auditor.subjects.networks.policy import NetworkPolicy
from auditor.subjects.networks.repository import Networks

if TYPE_CHECKING:
    from auditor.exports.record import Export
    from auditor.store import Store


def audit_export(store: Store, export: Export, policy: NetworkPolicy, path: Path | None = None) -> tuple[Finding, ...]:
    """Return what is wrong with an export's file, and with what it claims under a policy.

    Parameters
    ----------
    store : Store
        Has the network that it was made from, and the relabelling where that was kept.
    export : Export
    policy : NetworkPolicy
        Its k is what an export must claim by now.
    path : Path, optional
        Where its files are; where they were published by default.

    Notes
    -----
    Reads the file and the network: O(n + m). A network that is gone, or was replaced by another one under its name,
    leaves what the file shows by itself: a finding says so.
    """
    name = export.subject.removeprefix("network:")
    claim = claim_of(export.claim)
    at = Path(export.path) if path is None else path
    findings = []
    if claim.k < policy.k:
        message = f"it claims k = {claim.k}; the policy asks for {policy.k} by now"
        findings.append(Finding("k", "claim", "violation", policy.k - claim.k, 0, message))
    if not Exports(store).is_of_present(export.id):
        message = "the network that it was made from is not in the store any more; the file was not held against it"
        return (*findings, Finding("origin", "network", "warning", 1, 0, message), *_file(at, export))
    kept = Exports(store).terms(export.id)
    found = recheck_release(
        at,
        export.files,
        claim,
        tuple(export.claim["attributes"]),
        Networks(store).load(name).graph,
        Exports(store).relabelling(export.id),
        export.claim.get("format"),
        None if kept is None else terms_of(kept),
    )
    failed = [check for check in found.verification.checks if not check.passed]
    findings += [Finding(check.name, "file", "violation", 1, 0, check.text) for check in failed]
    return tuple(findings)


def _file(path: Path, export: Export) -> list[Finding]:
    check = files_check(path, export.files)
    return [] if check.passed else [Finding(check.name, "file", "violation", 1, 0, check.text)]
