"""An export that is out, looked at again: is its file there and unchanged, and does it hold what it claims?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from auditor.core.finding import Finding
from auditor.exports.claim_record import claim_of
from auditor.exports.repository import Exports
from auditor.policy import NetworkPolicy
from auditor.subjects.networks.exports.rechecking import files_check, recheck_export
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
    claimed, findings = claim_of(export.claim).k, []
    if claimed < policy.k:
        message = f"it claims k = {claimed}; the policy requires {policy.k} by now"
        findings.append(Finding("k", "claim", "violation", policy.k - claimed, 0, message))
    if Exports(store).is_of_present(export.id):
        checks = recheck_export(store, export, Networks(store).load(name).graph, path).verification.checks
    else:
        message = "the network that it was made from is not in the store any more; the file was not verified against it"
        findings.append(Finding("origin", "network", "warning", 1, 0, message))
        checks = (files_check(Path(export.path) if path is None else path, export.files),)
    failed = [check for check in checks if not check.passed]
    return (*findings, *(Finding(check.name, "file", "violation", 1, 0, check.text) for check in failed))
