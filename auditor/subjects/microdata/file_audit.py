"""A file of records audited as it is, without a store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from auditor.core.errors import BadFile, BadInput
from auditor.core.finding import Finding
from auditor.formats.records import open_records
from auditor.formats.records.roles import read_roles
from auditor.subjects.microdata.auditing import audit_records
from auditor.subjects.microdata.exports.claimed import is_generalized

if TYPE_CHECKING:
    from auditor.config import Settings
    from auditor.policy import Policy


def audit_file(path: Path, policy: Policy, settings: Settings, roles: Path | None) -> tuple[Finding, ...]:
    """Return what violates the policy in a file of records.

    Raises
    ------
    BadInput
        As :func:`auditor.formats.records.open_records` and :func:`auditor.formats.records.roles.read_roles`; or if the
        roles of the columns are not given.
    BadFile
        If the manifest claims freeform generalization: there no two records need be alike.
    """
    if roles is None:
        raise BadInput("records need roles: name a file that says which columns an attacker may know (--roles)")
    if is_generalized(path):
        raise BadFile(
            f"{path}: its manifest claims freeform generalization, and an audit that counts equal records does not see "
            f"that; check it with 'auditor microdata verify ORIGINAL {path.name}'"
        )
    with open_records(path, settings.edge_table) as opened:
        return audit_records(opened, read_roles(roles), policy.microdata).findings
