"""What is published of an audit of records: figures and names of columns, never a value."""

from collections.abc import Sequence
from typing import Any

from auditor.core.finding import Finding
from auditor.formats.records.roles import Roles
from auditor.subjects.microdata.auditing import RecordsAudit
from auditor.subjects.microdata.policy import MicrodataPolicy


def audit_data(name: str, result: RecordsAudit, digest: str) -> dict[str, Any]:
    """Return an audit for `--json`; docs/microdata.md explains its keys."""
    risk = result.risk
    return {
        "microdata": name,
        "verdict": result.verdict,
        "policy": {"hash": digest, "microdata": result.policy},
        "roles": result.roles.data(),
        "records": risk.classes.n,
        "k": risk.classes.k,
        "classes": risk.classes.to_dict(),
        "diversity": [one.to_dict() for one in risk.diversity],
        "closeness": [one.to_dict() for one in risk.closeness],
        "special_uniques": None if risk.special is None else risk.special.to_dict(),
        "intrusion": None if risk.intrusion is None else risk.intrusion.to_dict(),
        "risk": None if risk.weighted is None else risk.weighted.to_dict(),
        "geographic_units": None if risk.units is None else risk.units.to_dict(),
        "findings": result.findings,
    }


def changed_data(
    name: str, policy: MicrodataPolicy, roles: Roles, findings: Sequence[Finding], digest: str
) -> dict[str, Any]:
    """Return the same of stored records whose file is not the one that was added: no figure is known."""
    figures = ("records", "classes", "diversity", "closeness", "special_uniques", "intrusion", "risk")
    return {
        "microdata": name,
        "verdict": "violated",
        "policy": {"hash": digest, "microdata": policy},
        "roles": roles.data(),
        **dict.fromkeys(figures),
        "k": policy.k,
        "geographic_units": None,
        "findings": list(findings),
    }
