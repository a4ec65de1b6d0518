"""Look at a published file of records again: is it there, unchanged, and does it hold what it claims?"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from auditor.config import EdgeTableSettings
from auditor.core.errors import BadFile, BadInput
from auditor.core.finding import Finding
from auditor.exports.file_digests import files_check
from auditor.exports.findings import check_findings, claim_findings, origin_finding
from auditor.exports.record import Export
from auditor.exports.repository import Exports
from auditor.store import Store
from auditor.subjects.microdata.exports.claim_record import claim_of, least_of
from auditor.subjects.microdata.exports.generalized.claim_record import claim_of as generalized_claim
from auditor.subjects.microdata.exports.generalized.claim_record import is_freeform, trees_of
from auditor.subjects.microdata.exports.groups_recheck import GroupsRecheck
from auditor.subjects.microdata.exports.key import read_key
from auditor.subjects.microdata.exports.recheck import Recheck
from auditor.subjects.microdata.exports.together import together_finding
from auditor.subjects.microdata.policy import MicrodataPolicy
from auditor.subjects.microdata.port import open_unchanged
from auditor.subjects.microdata.repository import Microdata, MicrodataInfo
from graphkit.verification import Check

_GONE = "the records that it was made from are not in the store any more; the file was not verified against them"
_CHANGED = "the file of the records that it was made from is gone or changed; the export was not verified against it"
_NO_KEY = "verified against the original at publication; which record is which was not kept for another look"
_UNREADABLE = Check("readable", False, "the released file cannot be read as records with these attributes")


@dataclass(frozen=True, slots=True)
class RecheckedRecords:
    """An export that was looked at again."""

    findings: tuple[Finding, ...]
    """What is wrong beside its checks: what it claims, what others disclose beside it, whether its original is gone."""
    checks: tuple[Check, ...]
    not_checked: tuple[str, ...] = ()
    """What was checked at publication and cannot be checked again, and why."""

    @property
    def passed(self) -> bool:
        """Whether the file was read and every check of it holds."""
        return all(check.passed for check in self.checks)


def audit_export(
    store: Store, export: Export, policy: MicrodataPolicy, path: Path | None = None
) -> tuple[Finding, ...]:
    """Return what is wrong with an export's file, with what it claims, and with what others disclose beside it.

    Parameters
    ----------
    store, export, policy, path
        As :func:`recheck_export`.
    """
    found = recheck_export(store, export, policy, path)
    return (*found.findings, *check_findings(found.checks))


def recheck_export(store: Store, export: Export, policy: MicrodataPolicy, path: Path | None = None) -> RecheckedRecords:
    """Read and verify an export again.

    Parameters
    ----------
    store : Store
        Has the records that it was made from, and which one is which where that was kept.
    export : Export
    policy : MicrodataPolicy
        What it demands by now, of k and of sensitive columns, is what an export must have.
    path : Path, optional
        Where its file is; where it was published by default.

    Notes
    -----
    Without the original, or the key, the file is held against what anybody can check; a finding says so where the
    original is gone.
    """
    recheck, file = _recheck(store, export), Path(export.path) if path is None else path
    findings = list(claim_findings(least_of(export), policy.k))
    checks = [files_check(file, export.files)]
    not_checked: tuple[str, ...] = ()
    if checks[0].name != "file":
        info = _origin(store, export)
        if info is None:
            findings.append(origin_finding("microdata", _GONE))
            checks += _public_checks(recheck, file)
        else:
            try:
                more, found, not_checked = _full_checks(store, export, info, recheck, file, policy)
            except BadFile:
                findings.append(origin_finding("microdata", _CHANGED))
                more, found = _public_checks(recheck, file), ()
            checks += more
            findings += found
            with _unreadable() as failed:
                findings += recheck.lacking(file, info.declared, policy)
            checks += [check for check in failed if check not in checks]
    return RecheckedRecords(tuple(findings), tuple(checks), not_checked)


def _recheck(store: Store, export: Export) -> Recheck:
    """Return what a claim is checked by.

    Raises
    ------
    BadInput
        If it promises what this version does not know.
    """
    if is_freeform(export.claim):
        from auditor.subjects.microdata.exports.generalized.recheck import GeneralizedRecheck

        terms = Exports(store).terms(export.id)
        return GeneralizedRecheck(generalized_claim(export.claim), trees_of(terms or {}))
    return GroupsRecheck(claim_of(export.claim))


def _full_checks(
    store: Store, export: Export, info: MicrodataInfo, recheck: Recheck, file: Path, policy: MicrodataPolicy
) -> tuple[list[Check], tuple[Finding, ...], tuple[str, ...]]:
    """Return the checks against the original, what is disclosed with other exports, and what cannot be checked again.

    Raises
    ------
    BadFile
        If the original is not what it was.
    """
    key = read_key(store, export)
    if key is None:
        return _public_checks(recheck, file), (), (_NO_KEY,)
    with open_unchanged(info, EdgeTableSettings()) as opened:
        leaving = tuple(column for column in opened.columns if column.name not in info.declared.kept_back)
        checks: list[Check] = []
        with _unreadable() as failed:
            checks += recheck.against(opened, leaving, key, file)
    return failed or checks, together_finding(store, info, export, key.hiding, policy), ()


def _public_checks(recheck: Recheck, file: Path) -> list[Check]:
    """Return what anybody can check who has the file."""
    checks: list[Check] = []
    with _unreadable() as failed:
        checks += recheck.alone(file)
    return failed or checks


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
