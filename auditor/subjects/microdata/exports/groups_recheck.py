"""Microaggregated records, verified again."""

from collections.abc import Sequence
from pathlib import Path

from auditor.core.finding import Finding
from auditor.formats.records.columns import Column
from auditor.formats.records.opening import OpenRecords
from auditor.formats.records.roles import Roles
from auditor.subjects.microdata.exports.attributes.reading import read_original
from auditor.subjects.microdata.exports.attributes.sensitive_groups import released_violations
from auditor.subjects.microdata.exports.key import RecordsKey
from auditor.subjects.microdata.exports.reading_back import WrittenRecords, read_published
from auditor.subjects.microdata.exports.recheck import Recheck
from auditor.subjects.microdata.policy import MicrodataPolicy
from graphkit.microdata.verify import GroupClaim, verify_groups
from graphkit.verification import Check


class GroupsRecheck(Recheck):
    """See :class:`~auditor.subjects.microdata.exports.recheck.Recheck`."""

    def __init__(self, claim: GroupClaim) -> None:
        self._claim = claim

    def alone(self, file: Path) -> Sequence[Check]:
        """Return what anybody can check who has the file."""
        return verify_groups(self._claim, read_published(file, self._claim)).checks

    def against(self, opened: OpenRecords, leaving: tuple[Column, ...], key: RecordsKey, file: Path) -> Sequence[Check]:
        """Return what the owner can check, who has the original."""
        original = read_original(opened, self._claim)
        return WrittenRecords(opened, self._claim, leaving, original, key.rows).verify(file).checks

    def lacking(self, file: Path, roles: Roles, policy: MicrodataPolicy) -> Sequence[Finding]:
        """Return what groups that share their values have not: microaggregation claims nothing of it."""
        return released_violations(file, roles, self._claim.attributes, policy)
