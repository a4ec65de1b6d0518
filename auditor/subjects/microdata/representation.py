"""What is published of a stored file of records: names and types of columns, never a value."""

from datetime import datetime
from typing import Any

from auditor.core.representation import Representation
from auditor.subjects.microdata.auditing import RecordsAudit
from auditor.subjects.microdata.repository import MicrodataInfo


class ColumnOut(Representation):
    """A column of a file of records."""

    name: str
    type: str
    role: str


class MicrodataOut(Representation):
    """A stored file of records."""

    name: str
    records: int
    columns: list[ColumnOut]
    format: str
    kept: bool
    source: str
    created_at: datetime


def microdata_out(info: MicrodataInfo) -> MicrodataOut:
    """Return what is published of a file of records."""
    roles = info.declared
    columns = [
        ColumnOut(name=name, type=kind, role=roles.of(name))
        for name, kind in zip(info.columns, info.types, strict=True)
    ]
    return MicrodataOut.from_record(info, columns=columns)


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
        "risk": None if risk.weighted is None else risk.weighted.to_dict(),
        "findings": result.findings,
    }
