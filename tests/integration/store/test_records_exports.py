"""Exports of stored records: recorded, verified again, held against each other, and let out by a second person."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from auditor.approvals.deciding import approve, approve_if, reject
from auditor.approvals.repository import Approvals
from auditor.approvals.reviewing import look_at_risk
from auditor.audits.overview import Overview
from auditor.audits.running import run_audit
from auditor.config import EdgeTableSettings
from auditor.core.errors import BadInput, Refused, StoreConflict
from auditor.exports.auditing import checks_of_release
from auditor.exports.destination import Destination
from auditor.exports.publishing import Published
from auditor.exports.repository import Exports
from auditor.formats.records import Roles, open_records
from auditor.formats.records.packing import referenced_records
from auditor.policy import ExportPolicy, Policy
from auditor.store.opening import Store
from auditor.subjects.microdata.exports import stored_records
from auditor.subjects.microdata.exports.claim_record import claim_of
from auditor.subjects.microdata.exports.exporting import MicroaggregationRequest, export_records
from auditor.subjects.microdata.exports.matching import rows_of_store
from auditor.subjects.microdata.exports.numeric import read_numbers
from auditor.subjects.microdata.exports.reading_back import read_published
from auditor.subjects.microdata.exports.stored_records import StoredRecords
from auditor.subjects.microdata.exports.together import check_together
from auditor.subjects.microdata.policy import MicrodataPolicy
from auditor.subjects.microdata.port import file_findings, open_unchanged
from auditor.subjects.microdata.repository import Microdata, MicrodataInfo
from graphkit.arrays import Ints
from graphkit.microdata import microaggregate
from graphkit.microdata.utility import compare
from tests.support.stored_records import add_records

pytestmark = pytest.mark.neo4j

RANDOM = np.random.default_rng(7)
TEXT = "name,age,income,town\n" + "".join(
    f"N{row},{20 + age},{481_516_234_000 + income},town {row % 3}\n"
    for row, (age, income) in enumerate(zip(RANDOM.integers(0, 60, 30), RANDOM.integers(0, 900, 30), strict=True))
)
ROLES = Roles(identifiers=("name",), quasi_identifiers=("age", "income"))
LAX = Policy(microdata=MicrodataPolicy(k=2))
TWO = Policy(microdata=MicrodataPolicy(k=2), exports=ExportPolicy(approval="second-person"))


@pytest.fixture
def records(store: Store, tmp_path: Path) -> Store:
    add_records(store, "people", tmp_path / "home", TEXT, ROLES)
    return store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out" / "released.csv"


def export(
    store: Store,
    path: Path,
    *,
    k: int = 3,
    policy: Policy = LAX,
    seed: int = 0,
    keep_key: bool = True,
    name: str = "people",
    force: bool = False,
) -> Published:
    info = Microdata(store).show(name)
    request = MicroaggregationRequest(
        k,
        Destination(path, force),
        info.declared,
        engine={"method": "mdav", "seed": seed},
        policy=policy,
        actor="ann",
        keep_key=keep_key,
    )
    with open_unchanged(info, EdgeTableSettings(threads=1)) as opened:
        done = export_records(opened, request, StoredRecords(store, info)).published
    assert done is not None
    return done


def rules(store: Store, done: Published, policy: Policy = LAX) -> list[str]:
    run = run_audit(store, f"export:{done.manifest.export}", policy, trigger="command", actor="ann")
    return [finding.rule for finding in run.findings]


def test_an_export_is_recorded_and_verified_again(records: Store, path: Path) -> None:
    done = export(records, path)
    found = Exports(records).show(done.manifest.export)
    assert (found.subject, found.state, found.key_kept, found.actor) == ("microdata:people", "published", True, "ann")
    assert found.claim["attributes"] == ["age", "income"]
    assert list(found.files) == ["released.csv"]
    assert [(one.family, one.of) for one in Overview(records).read()] == [
        ("export", "microdata:people"),
        ("microdata", None),
    ]
    assert rules(records, done) == []
    assert rules(records, done, Policy(microdata=MicrodataPolicy(k=5))) == ["k"]
    entry = records.ledger.show(9)
    exported = [one for one in entry if one.kind == "export"]
    assert json.loads(exported[0].payload)["claim"]["k"] == 3
    assert "481516234" not in "".join(one.payload for one in entry)
    assert records.ledger.verify().intact


def test_the_checks_of_an_export_are_listed_also_where_they_hold(records: Store, path: Path) -> None:
    done = export(records, path)
    checks, not_checked = checks_of_release(records, done.manifest.export[:8], LAX)
    assert [check.name for check in checks] == ["checksum", *(one.name for one in done.manifest.verification.checks)]
    assert all(check.passed for check in checks)
    assert not_checked == ()
    Exports(records).forget_key(done.manifest.export, actor="ann")
    assert checks_of_release(records, done.manifest.export, LAX)[1] != ()
    path.write_text(path.read_text() + "1,1,x\n")
    checks, _ = checks_of_release(records, done.manifest.export, LAX)
    assert not checks[0].passed


def test_an_export_that_was_written_over_says_by_which(records: Store, path: Path) -> None:
    first, second = export(records, path), export(records, path, seed=1, force=True)
    run = run_audit(records, f"export:{first.manifest.export}", LAX, trigger="command", actor="ann")
    message = f"the file was changed since publication: export {second.manifest.export[:8]} was written over it"
    assert message in [finding.message for finding in run.findings]
    assert rules(records, second) == []


@pytest.mark.parametrize("keep_key", [True, False])
def test_a_file_that_was_changed_is_found(records: Store, path: Path, keep_key: bool) -> None:
    done = export(records, path, keep_key=keep_key)
    assert rules(records, done) == []
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*lines[:-1], "1,2,town 1"]) + "\n", encoding="utf-8")
    found = rules(records, done)
    assert found[:2] == ["checksum", "k-anonymous"]
    assert ("values" in found) == keep_key
    path.write_text("nothing\n", encoding="utf-8")
    assert set(rules(records, done)) >= {"checksum"}
    path.unlink()
    assert rules(records, done) == ["file"]


def test_the_file_alone_is_verified_when_the_original_is_gone(records: Store, path: Path) -> None:
    done = export(records, path)
    Path(Microdata(records).show("people").path).write_text("age\n1\n")
    assert rules(records, done) == ["origin"]
    Microdata(records).remove("people", actor="ada")
    assert rules(records, done) == ["origin"]
    # who was who is as protected as the records, and goes with them
    found = Exports(records).show(done.manifest.export)
    assert (found.key_kept, Exports(records).relabelling(found.id)) == (False, None)
    assert [one.kind for one in records.ledger.show(9)].count("microdata_removed") == 1


def test_other_groups_of_the_same_records_are_refused(records: Store, path: Path) -> None:
    export(records, path)
    path.rename(path.with_name("elsewhere.csv"))
    # the same groups once more disclose nothing new
    export(records, path.with_name("again.csv"))
    with pytest.raises(
        Refused, match=r"together with 2 earlier exports of these respondents, \d+ records would share"
    ) as refused:
        export(records, path.with_name("other.csv"), k=4)
    # what would let them be singled out is no advice
    assert "audit_together" not in str(refused.value)
    assert sorted(file.name for file in path.parent.glob("oth*")) == []
    alone = Policy(microdata=MicrodataPolicy(k=2, audit_together=False))
    done = export(records, path.with_name("other.csv"), k=4, policy=alone)
    assert rules(records, done, alone) == []
    assert rules(records, done) == ["audit_together"]


def test_an_earlier_export_of_unknown_groups_is_no_yes(records: Store, path: Path) -> None:
    export(records, path, keep_key=False)
    # an export that is moved away or replaced is one that people have
    path.unlink()
    lax = Policy(microdata=MicrodataPolicy(k=2, audit_together=False))
    second = export(records, path.with_name("again.csv"), policy=lax)
    with pytest.raises(Refused, match="nobody knows any more who is in which group of 1 earlier export") as refused:
        export(records, path.with_name("third.csv"))
    assert "audit_together" not in str(refused.value)
    run = run_audit(records, f"export:{second.manifest.export}", LAX, trigger="command", actor="ann")
    assert [(finding.rule, finding.severity) for finding in run.findings] == [("audit_together", "undecided")]


def test_a_later_version_is_held_against_exports_of_the_earlier_one(records: Store, path: Path, tmp_path: Path) -> None:
    keyed = Roles(quasi_identifiers=("age", "income"), record_key="name")
    Microdata(records).remove("people", actor="ada")
    add_records(records, "people", tmp_path / "home", TEXT, keyed)
    export(records, path)
    header, *rows = TEXT.splitlines()
    # ten are gone, ten are new
    later = "\n".join([header, *rows[10:][::-1], *(f"new{row.removeprefix('N')}" for row in rows[:10])]) + "\n"
    with pytest.raises(BadInput, match="have no record key"):
        add_records(records, "later", tmp_path / "home", later, ROLES, follows="people")
    add_records(records, "later", tmp_path / "home", later, keyed, follows="people")
    with pytest.raises(Refused, match=r"together with 1 earlier export of these respondents, \d+ records would share"):
        export(records, path.with_name("later.csv"), name="later")
    alone = Policy(microdata=MicrodataPolicy(k=2, audit_together=False))
    done = export(records, path.with_name("later.csv"), name="later", policy=alone)
    assert "name" not in path.with_name("later.csv").read_text(encoding="utf-8").splitlines()[0]
    assert rules(records, done) == ["audit_together"]
    # each export tells of the other; and nobody knows when the file that has the keys is gone
    (first,) = Exports(records).list("microdata:people")
    run = run_audit(records, f"export:{first.id}", LAX, trigger="command", actor="ann")
    assert [finding.rule for finding in run.findings] == ["audit_together"]
    Path(Microdata(records).show("people").path).unlink()
    run = run_audit(records, f"export:{done.manifest.export}", LAX, trigger="command", actor="ann")
    assert [finding.severity for finding in run.findings] == ["undecided"]


def test_another_export_that_came_out_meanwhile_is_noticed(
    records: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def meanwhile(
        store: Store, info: MicrodataInfo, groups: Ints, k: int, policy: MicrodataPolicy
    ) -> frozenset[str] | None:
        monkeypatch.undo()
        seen = check_together(store, info, groups, k, policy)
        export(records, path.with_name("first.csv"))
        return seen

    monkeypatch.setattr(stored_records, "check_together", meanwhile)
    with pytest.raises(StoreConflict, match="another export of microdata:people came out meanwhile"):
        export(records, path, k=4)
    assert [file.name for file in path.parent.glob("released*")] == []
    assert len(Exports(records).list("microdata:people")) == 1


def test_a_second_person_lets_it_out(records: Store, path: Path) -> None:
    done = export(records, path, policy=TWO, keep_key=False)
    assert done.approval is not None
    assert not path.exists()
    out = approve(records, done.approval, actor="bob", clock=lambda: 0.0)
    assert (out.approval.state, out.path) == ("approved", path)
    assert sorted(file.name for file in path.parent.iterdir()) == ["released.csv", "released.csv.manifest.json"]
    assert (Exports(records).show(done.manifest.export).key_kept, rules(records, done)) == (False, [])


def test_what_was_let_out_beside_it_counts(records: Store, path: Path) -> None:
    first = export(records, path, policy=TWO)
    second = export(records, path.with_name("other.csv"), policy=TWO, k=4)
    assert approve(records, str(first.approval), actor="bob", clock=lambda: 0.0).approval.state == "approved"
    ended = approve(records, str(second.approval), actor="bob", clock=lambda: 0.0).approval
    assert (ended.state, path.with_name("other.csv").exists()) == ("overtaken", False)


def test_a_second_person_sees_who_hides_among_whom_and_agrees_to_larger_groups(records: Store, path: Path) -> None:
    first = export(records, path, policy=TWO)
    id, at = str(first.approval), lambda: 0.0
    risk = look_at_risk(records, id, actor="bob", clock=at)
    # a pair of ages and incomes is one respondent's; afterwards each is shared by a group of three or more
    ages = Counter(tuple(line.split(",")[1:3]) for line in TEXT.splitlines()[1:])
    alone = sum(times == 1 for times in ages.values())
    assert [(row.before, row.after) for row in risk.rows][2:] == [(str(alone), "0"), (str(min(ages.values())), "3")]
    assert [chart.name for chart in risk.charts] == ["classes", "groups"]
    approve_if(records, id, change={"k": 4}, reason="more", actor="bob")
    done = export(records, path, policy=TWO, k=4)
    assert (done.approval, done.agreed_by, path.is_file()) == (None, "bob", True)


def test_a_no_deletes_the_held_files(records: Store, path: Path) -> None:
    done = export(records, path, policy=TWO)
    assert reject(records, str(done.approval), actor="bob", reason="no contract").state == "rejected"
    assert os.listdir(path.parent) == []
    assert not Exports(records).show(done.manifest.export).key_kept
    assert Approvals(records).show(str(done.approval)).state == "rejected"


def test_records_that_were_replaced_meanwhile_are_not_exported(records: Store, path: Path, tmp_path: Path) -> None:
    old = Microdata(records).show("people")
    request = MicroaggregationRequest(
        3, Destination(path), old.declared, engine={"method": "mdav"}, policy=LAX, actor="ann"
    )

    def replaced(phase: str) -> None:
        if phase == "record":
            Microdata(records).remove("people", actor="ada")
            add_records(records, "people", tmp_path / "home", TEXT, replace(ROLES, sensitive=("town",)))

    with (
        open_unchanged(old, EdgeTableSettings(threads=1)) as opened,
        pytest.raises(StoreConflict, match="replaced meanwhile"),
    ):
        export_records(opened, request, StoredRecords(records, old), phase=replaced)
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("keep_key", [True, False])
def test_a_release_is_matched_by_the_key_that_the_store_keeps(records: Store, path: Path, keep_key: bool) -> None:
    done = export(records, path, keep_key=keep_key)
    rows = rows_of_store(records, "people", path)
    if not keep_key:
        assert rows is None
        return
    assert rows is not None
    with open_unchanged(Microdata(records).show("people"), EdgeTableSettings(threads=1)) as opened:
        # a message names the records, not the store's copy
        assert opened.source.name == "people"
        original = read_numbers(opened, ("age", "income"))
    found = compare(original, read_published(path, claim_of(done.manifest.claim)), rows=rows)
    answer = microaggregate(original, 3, method="mdav")
    assert found.information_loss == pytest.approx(answer.information_loss)
    path.write_text("age,income\n1,2\n", encoding="utf-8")
    assert rows_of_store(records, "people", path) is None


def test_a_file_that_stays_where_it_is_is_read_again_as_it_was(records: Store, tmp_path: Path) -> None:
    file = tmp_path / "staff.csv"
    file.write_text("age:wage\n41:NA\n35:7\n", encoding="utf-8")
    roles = Roles(quasi_identifiers=("age",))
    with open_records(file, EdgeTableSettings(threads=1), delimiter=":", missing=("NA",)) as opened:
        packed = referenced_records(opened)
    Microdata(records).add(
        "staff", packed, roles, source="staff.csv", actor="ann", kept=False, delimiter=":", missing=("NA",)
    )
    info = Microdata(records).show("staff")
    with open_unchanged(info, EdgeTableSettings(threads=1)) as opened:
        assert [column.type for column in opened.columns] == ["BIGINT", "BIGINT"]
    file.write_text("age:wage\n41:NA\n35:8\n", encoding="utf-8")
    (changed,) = file_findings(info)
    assert "changed since it was added" in changed.message
