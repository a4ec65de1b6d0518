"""An audit of records that do not fit in memory has the same figures."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.config import EdgeTableSettings
from auditor.core.errors import BadFile
from auditor.formats.records import Roles, open_records
from auditor.formats.records import opening as records_opening
from auditor.subjects.microdata import auditing
from auditor.subjects.microdata.auditing import RecordsAudit, audit_records
from auditor.subjects.microdata.policy import MicrodataPolicy

ROLES = Roles(quasi_identifiers=("age", "job", "town", "x"), sensitive=("wage", "ill"), weight="w")
POLICY = MicrodataPolicy(k=3, t=0.4, max_risk=0.1, max_special_share=0.0, special_size=3)


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    draw, path = np.random.default_rng(5), tmp_path_factory.mktemp("people") / "people.csv"
    columns: Sequence[Sequence[Any]] = [
        draw.integers(18, 40, 900).tolist(),
        draw.choice(["smith", "clerk", ""], 900).tolist(),
        draw.choice(["Ely", "York"], 900).tolist(),
        draw.choice(["0.0", "-0.0", "nan", "", "1.5"], 900).tolist(),
        draw.integers(10, 30, 900).tolist(),
        draw.choice(["flu", "asthma", ""], 900).tolist(),
        draw.uniform(1, 60, 900).round(2).tolist(),
    ]
    lines = [",".join(map(str, row)) for row in zip(*columns, strict=True)]
    path.write_text("\n".join(["age,job,town,x,wage,ill,w", *lines]) + "\n", encoding="utf-8")
    return path


def audited(path: Path, roles: Roles = ROLES, policy: MicrodataPolicy = POLICY) -> RecordsAudit:
    with open_records(path, EdgeTableSettings(memory="100m", threads=1)) as opened:
        return audit_records(opened, roles, policy)


def figures(audit: RecordsAudit) -> str:
    """All figures, without the rounding of sums."""
    parts = audit.risk
    held = [parts.classes, *parts.diversity, *parts.closeness, parts.special, parts.weighted, parts.intrusion]
    assert parts.intrusion is not None
    digits = [json.dumps([one.to_dict() for one in held if one is not None], sort_keys=True)]
    return re.sub(r"(\d+\.\d{9})\d+", r"\1", digits[0])


def test_the_figures_are_those_of_memory(people: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = audited(people)
    monkeypatch.setattr(records_opening, "half_of_memory", lambda: 1000)
    monkeypatch.setattr(auditing, "equivalence_classes", None)
    outside = audited(people)
    assert figures(inside) == figures(outside)
    assert [(f.rule, f.where, f.severity, f.message) for f in inside.findings] == [
        (f.rule, f.where, f.severity, f.message) for f in outside.findings
    ]
    # a limit of work leaves the search undecided there, too
    partly = audited(people, policy=POLICY.model_copy(update={"special_work": 1, "max_special_share": 1.0}))
    assert partly.risk.special is not None
    assert not partly.risk.special.is_complete
    assert [f.severity for f in partly.findings if f.rule == "max_special_share"] == ["undecided"]


def test_the_risk_of_households_is_that_of_memory(people: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # wages repeat, so that 20 households have all records; a job that is missing is a household of its own
    for household in ("wage", "job"):
        roles = replace(ROLES, quasi_identifiers=("age", "town"), sensitive=("ill",), household=household)
        inside = audited(people, roles)
        with monkeypatch.context() as patch:
            patch.setattr(records_opening, "half_of_memory", lambda: 1000)
            patch.setattr(auditing, "household_risk", None)
            outside = audited(people, roles)
        assert outside.risk.weighted is not None
        assert figures(inside) == figures(outside)
        assert [f.rule for f in inside.findings] == [f.rule for f in outside.findings]


def test_bad_records_are_found_there_too(people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_opening, "half_of_memory", lambda: 1)
    with pytest.raises(BadFile, match="something else than numbers"):
        audited(people, replace(ROLES, weight="town", quasi_identifiers=("age",)))
    empty = tmp_path / "empty.csv"
    empty.write_text("age,job,town,x,wage,ill,w\n", encoding="utf-8")
    with pytest.raises(BadFile, match="no records"):
        audited(empty)
