"""Generalized records, verified again."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from auditor.config import EdgeTableSettings
from auditor.core.finding import Finding
from auditor.formats.records.columns import Column
from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import VIEW, OpenRecords, open_records
from auditor.formats.records.roles import Roles
from auditor.subjects.microdata.exports.attributes.sensitive_groups import keys_demanded
from auditor.subjects.microdata.exports.generalized.reading_back import WrittenGeneralization, read_claimed
from auditor.subjects.microdata.exports.generalized.sensitive import Demanding, claimed_violations, demands_for
from auditor.subjects.microdata.exports.key import RecordsKey
from auditor.subjects.microdata.exports.recheck import Recheck
from auditor.subjects.microdata.policy import MicrodataPolicy
from graphkit.hierarchies.tree import Tree
from graphkit.microdata.verify_freeform import FreeformClaim
from graphkit.verification import Check


class GeneralizedRecheck(Recheck):
    """See :class:`~auditor.subjects.microdata.exports.recheck.Recheck`.

    Parameters
    ----------
    claim : FreeformClaim
    trees : mapping of str to Tree
        The hierarchies, as the store kept them.
    """

    def __init__(self, claim: FreeformClaim, trees: Mapping[str, Tree]) -> None:
        self._claim, self._trees = claim, trees

    def alone(self, file: Path) -> Sequence[Check]:
        """Return what anybody can check who has the file: which originals a record may be, the owner alone knows."""
        with open_records(file, EdgeTableSettings()) as released, record_errors(released.source):
            for name in self._claim.attributes:
                released.named(name)
            found = released.connection.execute(f'SELECT count(*) FROM "{VIEW}"').fetchone()[0]
        right = found == self._claim.n
        there = "as many records are there as were not left out" if self._claim.suppressed else "every record is there"
        return [Check("records", right, there if right else "a record is missing, or one too many")]

    def against(self, opened: OpenRecords, leaving: tuple[Column, ...], key: RecordsKey, file: Path) -> Sequence[Check]:
        """Return what the owner can check, who has the original."""
        leaving = tuple(column for column in leaving if column.name not in self._claim.withheld)
        coded, rows = read_claimed(opened, self._claim, self._trees), key.rows
        return WrittenGeneralization(opened, self._claim, leaving, coded, rows, key.hiding[rows]).verify(file).checks

    def lacking(self, file: Path, roles: Roles, policy: MicrodataPolicy) -> Sequence[Finding]:
        """Return what is demanded and not claimed: it cannot be measured, as records are in no groups."""
        if not keys_demanded(roles, self._claim.attributes, policy):
            return ()
        sensitive = Roles(sensitive=roles.sensitive)
        with open_records(file, EdgeTableSettings()) as released:
            demanded = demands_for(released, sensitive, self._claim.attributes, Demanding(), policy, self._claim.k)
        return tuple(claimed_violations(self._claim.demands, demanded))
