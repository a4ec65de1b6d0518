from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from auditor.config import EdgeTableSettings
from auditor.core.errors import BadInput
from auditor.formats.records import Roles, open_records
from auditor.subjects.microdata.auditing import RecordsAudit, audit_records
from auditor.subjects.microdata.policy import MicrodataPolicy

TEXT = "name,age,sex,income,weight,house\n" + "".join(
    f"Mildred{n},{age},{sex},{income},{weight},{house}\n"
    for n, (age, sex, income, weight, house) in enumerate([
        (41, "f", 3000, 10, "a"), (41, "f", 3000, 10, "a"), (41, "f", 3000, 20, "b"),
        (35, "m", 2000, 5, "b"), (35, "m", 1800, 5, "c"), (35, "m", 900, 5, "c"), (52, "f", 1000, 1, "d"),
    ])
)  # fmt: skip
ROLES = Roles(("name",), ("age", "sex"), ("income",))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(TEXT, encoding="utf-8")
    return path


def audit(path: Path, roles: Roles = ROLES, special: int | None = None, **policy: Any) -> RecordsAudit:
    with open_records(path, EdgeTableSettings(threads=1)) as opened:
        return audit_records(opened, roles, MicrodataPolicy(**policy), special=special)


def rules_of(result: RecordsAudit) -> list[tuple[str, str, float]]:
    return [(finding.rule, finding.where, finding.figure) for finding in result.findings]


def test_the_default_policy_asks_for_k_and_two_values(path: Path) -> None:
    result = audit(path, k=3)
    assert result.verdict == "violated"
    assert rules_of(result) == [
        ("max_share_below_k", "quasi-identifiers", 1 / 7),
        ("max_unique_records", "quasi-identifiers", 1),
        ("distinct_l", "income", 1),
    ]
    assert "Mildred" not in str(result.findings)
    assert audit(path, k=2, max_share_below_k=0.2, max_unique_records=1, distinct_l=1).verdict == "passed"


@pytest.mark.parametrize(
    ("policy", "found"),
    [
        ({"t": 0.2}, ("t", "income")),
        ({"entropy_l": 2.5}, ("entropy_l", "income")),
        ({"max_risk": 0.5}, ("max_risk", "quasi-identifiers")),
        ({"max_special_share": 0.0}, ("max_special_share", "quasi-identifiers")),
        ({"forbid_identifiers": True}, ("forbid_identifiers", "identifiers")),
    ],
)
def test_each_rule_is_violated_by_what_it_limits(path: Path, policy: dict[str, Any], found: tuple[str, str]) -> None:
    lax = {"k": 2, "max_share_below_k": 1.0, "max_unique_records": 7, "distinct_l": 1}
    assert audit(path, **lax).findings == ()
    (finding,) = audit(path, **lax, **policy).findings
    assert (finding.rule, finding.where, finding.severity) == (*found, "violation")
    assert finding.figure > finding.threshold


def test_entropy_that_is_just_reached_is_enough(path: Path) -> None:
    path.write_text("age,income\n" + "".join(f"{age},{income}\n" for age in (1, 2) for income in range(3)))
    roles = Roles(quasi_identifiers=("age",), sensitive=("income",))
    assert audit(path, roles, k=3, entropy_l=3.0, t=0.0).findings == ()


def test_weights_and_households_change_the_risk(path: Path) -> None:
    whole = audit(path, max_risk=0.5).risk.weighted
    sample = audit(path, Roles(quasi_identifiers=("age", "sex"), weight="weight")).risk.weighted
    houses = audit(path, Roles(quasi_identifiers=("age", "sex"), household="house")).risk.weighted
    assert whole is not None
    assert sample is not None
    assert houses is not None
    assert (whole.largest_risk, houses.households) == (1.0, 4)
    assert sample.mean_risk < whole.mean_risk < houses.mean_risk


def test_a_search_that_ends_early_is_undecided_unless_it_found_too_many(path: Path) -> None:
    roles = Roles(quasi_identifiers=("age", "sex", "weight"))
    lax = {"k": 2, "max_share_below_k": 1.0, "max_unique_records": 7}
    early = audit(path, roles, special_work=1, max_special_share=0.9, **lax)
    assert (early.verdict, [finding.severity for finding in early.findings]) == ("undecided", ["undecided"])
    assert early.risk.special is not None
    assert not early.risk.special.is_complete
    assert audit(path, roles, special_work=1, max_special_share=0.0, **lax).verdict == "violated"
    assert audit(path, roles, max_special_share=0.9, **lax).verdict == "passed"


def test_an_audit_needs_a_quasi_identifier_and_proposes_some(path: Path) -> None:
    with pytest.raises(BadInput, match=r"a proposal to correct: --identifier name --quasi-identifier age,sex,house$"):
        audit(path, Roles())
    with pytest.raises(BadInput, match="there is no column 'job'"):
        audit(path, Roles(quasi_identifiers=("job",)))
