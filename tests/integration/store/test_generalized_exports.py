"""Exports of generalized records: recorded, verified again, held against others; the first draw is the only one."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.approvals.deciding import approve
from auditor.approvals.repository import Approvals
from auditor.approvals.reviewing import look_at_risk
from auditor.audits.running import run_audit
from auditor.config import EdgeTableSettings
from auditor.core.errors import Refused
from auditor.exports.destination import Destination
from auditor.exports.publishing import Published
from auditor.exports.repository import Exports
from auditor.formats.records import Roles
from auditor.policy import ExportPolicy, Policy
from auditor.store.opening import Store
from auditor.subjects.microdata.exports.exporting import MicroaggregationRequest, export_records
from auditor.subjects.microdata.exports.generalized.domains import Generalizing
from auditor.subjects.microdata.exports.generalized.exporting import (
    ExportedGeneralization,
    GeneralizationRequest,
    export_generalized,
)
from auditor.subjects.microdata.exports.generalized.sensitive import Demanding
from auditor.subjects.microdata.exports.key import read_key
from auditor.subjects.microdata.exports.stored_records import StoredRecords
from auditor.subjects.microdata.policy import MicrodataPolicy
from auditor.subjects.microdata.port import open_unchanged
from auditor.subjects.microdata.repository import Microdata
from tests.support.stored_records import add_records

pytestmark = pytest.mark.neo4j

RANDOM = np.random.default_rng(5)
JOBS = ("clerk", "nurse", "cook", "")
TEXT = "name,age,job,zip,ill\n" + "".join(
    f"N{row},{20 + age},{JOBS[job]},13{place},{row % 3}\n"
    for row, (age, job, place) in enumerate(zip(*RANDOM.integers(0, (40, 4, 90), (30, 3)).T, strict=True))
)
ROLES = Roles(identifiers=("name",), quasi_identifiers=("age", "job", "zip"), sensitive=("ill",))
LAX = Policy(microdata=MicrodataPolicy(k=2, distinct_l=1))
TWO = Policy(microdata=MicrodataPolicy(k=2, distinct_l=1), exports=ExportPolicy(approval="second-person"))
NOTHING = Demanding()
PREFIXES = Generalizing({"zip": "prefixes"})


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
    attributes: tuple[str, ...] = (),
    choices: Generalizing = PREFIXES,
    demanding: Demanding = NOTHING,
    suppress: float = 0.0,
) -> ExportedGeneralization:
    info = Microdata(store).show("people")
    request = GeneralizationRequest(
        k,
        Destination(path),
        info.declared,
        attributes,
        choices,
        {"seed": seed, "effort": 0.1},
        policy,
        "ann",
        keep_key,
        demanding=demanding,
        suppress=suppress,
    )
    with open_unchanged(info, EdgeTableSettings(threads=1)) as opened:
        return export_generalized(opened, request, StoredRecords(store, info))


def microaggregated(store: Store, path: Path, policy: Policy = LAX) -> Published | None:
    info = Microdata(store).show("people")
    request = MicroaggregationRequest(3, Destination(path), info.declared, ("age",), policy=policy, actor="ann")
    with open_unchanged(info, EdgeTableSettings(threads=1)) as opened:
        return export_records(opened, request, StoredRecords(store, info)).published


def rules(store: Store, done: Published | None, policy: Policy = LAX) -> list[str]:
    assert done is not None
    run = run_audit(store, f"export:{done.manifest.export}", policy, trigger="command", actor="ann")
    return [finding.rule for finding in run.findings]


def test_an_export_is_recorded_and_verified_again(records: Store, path: Path) -> None:
    done = export(records, path).published
    assert done is not None
    found = Exports(records).show(done.manifest.export)
    assert (found.subject, found.state, found.key_kept) == ("microdata:people", "published", True)
    assert found.claim["generalized"] == {"age": "range", "job": "set", "zip": "tree"}
    assert rules(records, done) == []
    assert rules(records, done, Policy(microdata=MicrodataPolicy(k=5, distinct_l=1))) == ["k"]
    payloads = "".join(entry.payload for entry in records.ledger.show(9))
    assert "nurse" not in payloads
    assert "nurse" not in json.dumps(done.manifest.as_dict())
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert (len(rows), list(rows[0])) == (30, ["age", "job", "zip", "ill"])
    assert sorted(row["ill"] for row in rows) == sorted(line.split(",")[-1] for line in TEXT.split()[1:])
    assert any(".." in row["age"] for row in rows)


def test_households_are_verified_again_and_are_not_published(store: Store, path: Path, tmp_path: Path) -> None:
    lines = TEXT.splitlines()
    text = "\n".join([f"home,{lines[0]}", *(f"h{row // 3},{line}" for row, line in enumerate(lines[1:]))]) + "\n"
    add_records(store, "people", tmp_path / "home", text, replace(ROLES, household="home"))
    done = export(store, path).published
    assert done is not None
    assert path.read_text(encoding="utf-8").splitlines()[0] == "age,job,zip,ill"
    assert rules(store, done) == []
    again = export(store, path.with_name("again.csv"), seed=3)
    assert again.answer is None, "the first draw is the only one"
    assert again.published is not None
    assert rules(store, again.published) == []


def test_each_record_is_one_of_those_that_it_stands_for(records: Store, path: Path) -> None:
    done = export(records, path)
    assert done.published is not None
    key = read_key(records, Exports(records).show(done.published.manifest.export))
    assert key is not None
    assert np.array_equal(np.sort(key.published), np.arange(30))
    assert (key.hiding == np.arange(30)[:, None]).any(axis=1).all()
    assert np.bincount(key.hiding.reshape(-1)).tolist() == [3] * 30
    rows, lines = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines())), TEXT.splitlines()[1:]
    for record, behind in enumerate(key.hiding):
        row = rows[key.published[record]]
        covered = [lines[other].split(",") for other in behind]
        ages = sorted(int(one[1]) for one in covered)
        assert row["age"] == (f"{ages[0]}..{ages[-1]}" if ages[0] < ages[-1] else f"{ages[0]}")
        assert row["ill"] == lines[record].split(",")[-1]


@pytest.mark.parametrize("keep_key", [True, False])
def test_a_file_that_was_changed_is_found(records: Store, path: Path, keep_key: bool) -> None:
    done = export(records, path, keep_key=keep_key).published
    assert rules(records, done) == []
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    cells = [line.rpartition(",")[::2] for line in lines]
    other = next(place for place, (_, ill) in enumerate(cells) if ill != cells[0][1])
    swapped = [f"{cells[0][0]},{cells[other][1]}", *lines[1:]]
    swapped[other] = f"{cells[other][0]},{cells[0][1]}"
    path.write_text("\n".join([header, *swapped]) + "\n", encoding="utf-8")
    assert rules(records, done)[0] == "checksum"
    assert len(rules(records, done)) == (2 if keep_key else 1)
    path.write_text("\n".join([header, *lines[:1], *lines[2:]]) + "\n", encoding="utf-8")
    assert len(rules(records, done)) >= 2
    path.unlink()
    assert rules(records, done) == ["file"]


def test_unchanged_records_are_published_with_the_first_draw_again(records: Store, path: Path) -> None:
    first = export(records, path)
    again = export(records, path.with_name("again.csv"), seed=7)
    assert first.answer is not None
    assert again.answer is None
    ones = [sorted(file.read_text(encoding="utf-8").splitlines()) for file in (path, path.with_name("again.csv"))]
    assert ones[0] == ones[1]
    # in a new order, which tells nothing of the first one
    assert path.read_text(encoding="utf-8") != path.with_name("again.csv").read_text(encoding="utf-8")
    assert rules(records, again.published) == rules(records, first.published) == []


def test_another_graph_of_the_same_records_is_refused(records: Store, path: Path) -> None:
    export(records, path)
    with pytest.raises(Refused, match="together with 1 earlier export of these respondents"):
        export(records, path.with_name("other.csv"), k=4)
    with pytest.raises(Refused, match="together with 1 earlier export of these respondents"):
        export(records, path.with_name("other.csv"), attributes=("age",), choices=Generalizing())
    with pytest.raises(Refused, match="together with 1 earlier export of these respondents"):
        microaggregated(records, path.with_name("other.csv"))
    assert [file.name for file in path.parent.glob("oth*")] == []
    alone = Policy(microdata=MicrodataPolicy(k=2, distinct_l=1, audit_together=False))
    done = microaggregated(records, path.with_name("other.csv"), alone)
    assert rules(records, done, alone) == []
    assert rules(records, done) == ["audit_together"]


def test_demands_are_verified_again_and_a_first_draw_without_them_does_not_meet_them(
    records: Store, path: Path, tmp_path: Path
) -> None:
    two = Demanding({"ill": 2})
    first = export(records, path, demanding=two)
    assert rules(records, first.published) == []
    # the same draw, also where less is demanded, and where the same is after that
    for name, demanding in (("less.csv", Demanding()), ("same.csv", two)):
        again = export(records, path.with_name(name), demanding=demanding)
        assert again.answer is None
        assert rules(records, again.published) == []
    with pytest.raises(Refused, match=r"demanded less of sensitive columns.*; demand the same$"):
        export(records, path.with_name("more.csv"), demanding=Demanding({"ill": 3}))
    assert not path.with_name("more.csv").exists()
    # a file in which one illness is that of all records is found by what originals see
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    same = "\n".join([header, *(line.rpartition(",")[0] + ",1" for line in lines)]) + "\n"
    path.write_text(same, encoding="utf-8")
    assert any("verif" in rule or "diverse" in rule for rule in rules(records, first.published))


def test_what_a_policy_demands_of_sensitive_columns_by_now_is_found_missing(records: Store, path: Path) -> None:
    def demanding(**demands: Any) -> Policy:
        return Policy(microdata=MicrodataPolicy(k=2, audit_together=False, **demands))

    plain = export(records, path).published
    assert rules(records, plain, demanding()) == ["distinct_l"]
    assert rules(records, plain, demanding(distinct_l=1, entropy_l=1.5, t=0.5)) == ["entropy_l", "t"]
    asked = Demanding({"ill": 2}, t={"ill": 0.6})
    diverse = export(records, path.with_name("b.csv"), policy=demanding(), demanding=asked).published
    assert rules(records, diverse, demanding(t=0.6)) == []
    assert rules(records, diverse, demanding(distinct_l=3, t=0.5)) == ["distinct_l", "t"]


def test_sensitive_values_of_released_groups_are_measured_again(records: Store, path: Path) -> None:
    done = microaggregated(records, path)
    released = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    groups: dict[str, set[str]] = {}
    for row in released:
        groups.setdefault(row["age"], set()).add(row["ill"])
    least = min(map(len, groups.values()))
    for distinct in (1, 2, 3, 4):
        policy = Policy(microdata=MicrodataPolicy(k=2, distinct_l=distinct))
        assert rules(records, done, policy) == (["distinct_l"] if distinct > least else [])


def test_records_that_were_left_out_are_in_no_file_and_no_row_of_the_key(records: Store, path: Path) -> None:
    done = export(records, path, suppress=0.1)
    assert (done.suppressed, done.records) == (3, 30)
    assert done.published is not None
    found = Exports(records).show(done.published.manifest.export)
    assert (found.claim["n"], found.claim["suppressed"]) == (27, 3)
    assert rules(records, done.published) == []
    key = read_key(records, found)
    assert key is not None
    gone = np.flatnonzero(key.published < 0)
    assert gone.size == 3
    assert (key.hiding[gone] == -1).all()
    assert not np.isin(key.hiding, gone).any()
    assert sorted(key.rows.tolist()) == np.flatnonzero(key.published >= 0).tolist()
    rows, lines = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines())), TEXT.splitlines()[1:]
    assert [row["ill"] for row in rows] == [lines[row].split(",")[-1] for row in key.rows]
    # a record is put back
    path.write_text(path.read_text(encoding="utf-8") + path.read_text(encoding="utf-8").splitlines()[1] + "\n")
    assert len(rules(records, done.published)) >= 2


def test_an_earlier_draw_that_left_out_no_more_is_published_again_and_others_are_refused(
    records: Store, path: Path
) -> None:
    first = export(records, path, suppress=0.1)
    for share, name in ((0.1, "same.csv"), (0.2, "more.csv")):
        again = export(records, path.with_name(name), suppress=share, seed=3)
        assert (again.answer, again.suppressed) == (None, 3)
        assert rules(records, again.published) == rules(records, first.published) == []
    for share in (0.0, 0.05):
        with pytest.raises(
            Refused, match=r"3 earlier exports of the same attributes and k left out more records.*\(--suppress\)$"
        ):
            export(records, path.with_name("less.csv"), suppress=share)
    assert not path.with_name("less.csv").exists()
    # whoever is in one of two files alone is known to be
    alone = Policy(microdata=MicrodataPolicy(k=2, distinct_l=1, audit_together=False))
    done = export(records, path.with_name("less.csv"), policy=alone)
    assert done.suppressed == 0
    assert rules(records, done.published, alone) == []
    assert rules(records, done.published) == ["audit_together"]


def test_an_export_of_all_is_given_again_where_some_might_be_left_out(records: Store, path: Path) -> None:
    export(records, path)
    again = export(records, path.with_name("again.csv"), suppress=0.1)
    assert (again.answer, again.suppressed) == (None, 0)
    assert rules(records, again.published) == []


def test_the_second_person_lets_it_out(records: Store, path: Path) -> None:
    done = export(records, path, policy=TWO).published
    assert done is not None
    assert not path.exists()
    (waiting,) = Approvals(records).list()
    rows = look_at_risk(records, waiting.id, actor="bob", clock=lambda: 0.0).rows
    assert (rows[1].after.split()[0], rows[3].after) == ("0", "3")
    approve(records, waiting.id, actor="bob", clock=lambda: 0.0)
    assert path.exists()
    assert rules(records, done, TWO) == []
