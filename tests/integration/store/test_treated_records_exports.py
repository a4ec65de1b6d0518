"""Exports of stored records with households, dates, categories and missing values are verified again by their claim."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from auditor.audits.running import run_audit
from auditor.config import EdgeTableSettings
from auditor.exports.destination import Destination
from auditor.exports.publishing import Published
from auditor.exports.repository import Exports
from auditor.formats.records import Roles
from auditor.policy import Policy
from auditor.store.opening import Store
from auditor.subjects.microdata.exports.attributes.treatment import Treatment
from auditor.subjects.microdata.exports.exporting import MicroaggregationRequest, export_records
from auditor.subjects.microdata.exports.stored_records import StoredRecords
from auditor.subjects.microdata.policy import MicrodataPolicy
from auditor.subjects.microdata.port import open_unchanged
from auditor.subjects.microdata.repository import Microdata
from tests.support.stored_records import add_records

pytestmark = pytest.mark.neo4j

DRAW = np.random.default_rng(7)
LINES = [
    f"{row // 2},{row % 20 // 10},{'' if row % 4 == 0 else DRAW.integers(18, 90)},19{DRAW.integers(50, 99)}-03-11,"
    f"{'abc'[DRAW.integers(3)]},{('low', 'mid', 'high')[DRAW.integers(3)]}"
    for row in range(60)
]
TEXT = "house,half,age,born,region,education\n" + "\n".join(LINES) + "\n"
ATTRIBUTES = ("age", "born", "region", "education")
SCALES = {"education": ("low", "mid", "high")}
LAX = Policy(microdata=MicrodataPolicy(k=2))


def export(store: Store, path: Path, roles: Roles, missing: str, *, keep_key: bool = True) -> Published:
    add_records(store, "people", path.parent / "home", TEXT, roles)
    info = Microdata(store).show("people")
    request = MicroaggregationRequest(
        3,
        Destination(path),
        info.declared,
        ATTRIBUTES,
        engine={"effort": 0.02},
        policy=LAX,
        actor="ann",
        keep_key=keep_key,
        treatment=Treatment(scales=SCALES, missing=missing, aggregate="median"),
    )
    with open_unchanged(info, EdgeTableSettings(threads=1)) as opened:
        done = export_records(opened, request, StoredRecords(store, info)).published
    assert done is not None
    return done


def rules(store: Store, done: Published) -> list[str]:
    run = run_audit(store, f"export:{done.manifest.export}", LAX, trigger="command", actor="ann")
    return [finding.rule for finding in run.findings]


@pytest.mark.parametrize(
    ("roles", "missing"),
    [(Roles(household="house", stratum="half"), "impute"), (Roles(stratum="half"), "group")],
)
@pytest.mark.parametrize("keep_key", [True, False])
def test_what_was_claimed_is_verified_again(
    store: Store, tmp_path: Path, roles: Roles, missing: str, keep_key: bool
) -> None:
    done = export(store, tmp_path / "released.csv", roles, missing, keep_key=keep_key)
    claim = Exports(store).show(done.manifest.export).claim
    assert claim["aggregates"] == {"age": "median", "born": "median", "region": "mode", "education": "lower median"}
    assert (claim["missing"], claim["stratum"]) == (missing, "half")
    assert rules(store, done) == []
    released = tmp_path / "released.csv"
    lines = released.read_text(encoding="utf-8").splitlines()
    # a record gets another category than its group has
    changed = [lines[1].replace(",low", ",high") if ",low" in lines[1] else lines[1][: lines[1].rindex(",")] + ",low"]
    released.write_text("\n".join([lines[0], *changed, *lines[2:]]) + "\n", encoding="utf-8")
    assert {"digests", "k-anonymous"} & set(rules(store, done))
    assert keep_key == ("values" in rules(store, done))
