"""Look at a published file of records again: is it there, unchanged, and does it hold what it claims?"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from auditor.config import EdgeTableSettings
from auditor.core.errors import BadFile, BadInput
from auditor.core.finding import Finding
from auditor.exports.file_digests import files_check
from auditor.exports.findings import check_findings, claim_findings, origin_finding
from auditor.exports.record import Export
from auditor.exports.repository import Exports
from auditor.store import Store
from auditor.subjects.microdata.exports.attributes.reading import read_original
from auditor.subjects.microdata.exports.claim_record import claim_of
from auditor.subjects.microdata.exports.key import read_key
from auditor.subjects.microdata.exports.reading_back import WrittenRecords, read_published
from auditor.subjects.microdata.exports.together import together_finding
from auditor.subjects.microdata.policy import MicrodataPolicy
from auditor.subjects.microdata.port import open_unchanged
from auditor.subjects.microdata.repository import Microdata, MicrodataInfo
from graphkit.arrays import Floats
from graphkit.microdata.verify import GroupClaim, verify_groups
from graphkit.verification import Check

_GONE = "the records that it was made from are not in the store any more; the file was not verified against them"
_CHANGED = "the file of the records that it was made from is gone or changed; the export was not verified against it"
_UNREADABLE = Check("readable", False, "the released file cannot be read as records with these attributes")


def audit_export(
    store: Store, export: Export, policy: MicrodataPolicy, path: Path | None = None
) -> tuple[Finding, ...]:
    """Return what is wrong with an export's file, with what it claims, and with what others disclose beside it.

    Parameters
    ----------
    store : Store
        Has the records that it was made from, and which one is which where that was kept.
    export : Export
    policy : MicrodataPolicy
        Its k is what an export must claim by now.
    path : Path, optional
        Where its file is; where it was published by default.

    Notes
    -----
    Without the original, or the key, the file is held against what anybody can check; a finding says so where the
    original is gone.
    """
    claim, file = claim_of(export.claim), Path(export.path) if path is None else path
    findings = list(claim_findings(claim.k, policy.k))
    checks = [files_check(file, export.files)]
    if checks[0].name != "file":
        info = _origin(store, export)
        if info is None:
            findings.append(origin_finding("microdata", _GONE))
            checks += _public_checks(file, claim)
        else:
            try:
                more, found = _full_checks(store, export, info, claim, file, policy)
            except BadFile:
                findings.append(origin_finding("microdata", _CHANGED))
                more, found = _public_checks(file, claim), ()
            checks += more
            findings += found
    return (*findings, *check_findings(checks))


def _full_checks(
    store: Store, export: Export, info: MicrodataInfo, claim: GroupClaim, file: Path, policy: MicrodataPolicy
) -> tuple[list[Check], tuple[Finding, ...]]:
    """Return the checks against the original, and what is disclosed together with other exports.

    Raises
    ------
    BadFile
        If the original is not what it was.
    """
    key = read_key(store, export)
    if key is None:
        return _public_checks(file, claim), ()
    with open_unchanged(info, EdgeTableSettings()) as opened:
        opened.widen_types()
        original = read_original(opened, claim)
        leaving = tuple(column for column in opened.columns if column.name not in info.declared.kept_back)
        rows = np.argsort(key.published)
        with _unreadable() as failed:
            checks = WrittenRecords(opened, claim, leaving, original, rows).verify(file).checks
    return failed or list(checks), together_finding(store, info, export, key.hiding, policy)


def _public_checks(file: Path, claim: GroupClaim) -> list[Check]:
    """Return what anybody can check who has the file."""
    values: Floats = np.empty((0, len(claim.attributes)))
    with _unreadable() as failed:
        values = read_published(file, claim)
    return failed or list(verify_groups(claim, values).checks)


@contextmanager
def _unreadable() -> Iterator[list[Check]]:
    """Give a list that has the check that failed if the released file cannot be read in the block."""
    failed: list[Check] = []
    try:
        yield failed
    except BadInput:
        failed.append(_UNREADABLE)


def _origin(store: Store, export: Export) -> MicrodataInfo | None:
    origin = Exports(store).origin(export)
    return None if origin is None else Microdata(store).show(origin.name)
