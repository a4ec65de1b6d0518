"""Reports about small files of records, made without a store."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

import numpy as np

from auditor.config import EdgeTableSettings
from auditor.exports.destination import Destination
from auditor.formats.records import Roles, open_records
from auditor.subjects.microdata.auditing import audit_records
from auditor.subjects.microdata.exports import exporting
from auditor.subjects.microdata.exports.exporting import MicroaggregationRequest, export_records
from auditor.subjects.microdata.policy import MicrodataPolicy
from auditor.subjects.microdata.report.audit_page import AuditReport
from auditor.subjects.microdata.report.release_page import ReleaseReport

__all__ = ["CANARY", "audit_report", "release_report", "write_people"]

AT = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)
CANARY = "8675309"
"""The largest wage of all: no page shows it."""
_SETTINGS = EdgeTableSettings(threads=1)


def write_people(folder: Path, n: int = 90, wage: str = "wage") -> Path:
    """Write a file of people, one of whom earns much more than all others."""
    draw = np.random.default_rng(8)
    path = folder / "people.csv"
    rows = [f"{draw.integers(18, 90)},{'fm'[row % 2]},{round(draw.lognormal(8, 0.6))}" for row in range(n - 1)]
    path.write_text("\n".join([f"age,sex,{wage}", *rows, f"91,f,{CANARY}"]) + "\n", encoding="utf-8")
    return path


def release_report(folder: Path, k: int = 4, *, written: bool = True, wage: str = "wage") -> ReleaseReport:
    """A release of the people, with everything that a page can show."""
    path = write_people(folder, wage=wage)
    request = MicroaggregationRequest(
        k,
        Destination(folder / "released.csv") if written else None,
        Roles(quasi_identifiers=("age", "sex")),
        ("age", wage),
        engine={"method": "mdav"},
        pictures=True,
        curve=True,
    )
    # pages say the same of a curve however long its points were searched for
    with patch.object(exporting, "_CURVE_EFFORT", 0.05), open_records(path, _SETTINGS) as opened:
        return ReleaseReport(path.name, AT, export_records(opened, request))


def audit_report(folder: Path, k: int = 3, *, policy: MicrodataPolicy | None = None) -> AuditReport:
    """An audit of the people, with all that can be measured."""
    path = write_people(folder)
    roles = Roles(quasi_identifiers=("age", "sex"), sensitive=("wage",))
    rules = replace_k(policy or MicrodataPolicy(max_risk=0.5), k)
    with open_records(path, _SETTINGS) as opened:
        return AuditReport(path.name, AT, audit_records(opened, roles, rules, special=2))


def replace_k(policy: MicrodataPolicy, k: int) -> MicrodataPolicy:
    return policy.model_copy(update={"k": k})
