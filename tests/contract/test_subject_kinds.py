"""What every kind of subject goes through, and so does one that no line of the program knows."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from auditor.audits.overview import Overview
from auditor.audits.repository import Audits
from auditor.audits.running import run_audit
from auditor.audits.subjects import all_subjects
from auditor.audits.waivers import Waivers
from auditor.config import Settings
from auditor.core.errors import BadInput, NotFound
from auditor.core.kinds import KINDS, kind_named, kinds
from auditor.ledger.keys import sign_report
from auditor.month_end.document import report_on
from auditor.month_end.period import month_of
from auditor.notifications.outbox import Outbox
from auditor.policy import Policy, parse_policy
from auditor.schedules.performing import audits_in
from auditor.schedules.repository import NewSchedule, Schedules
from auditor.schedules.runs import Runs
from auditor.schedules.worker import Worker
from auditor.store.backups.restoring import restore_backup
from auditor.store.connection import Connection
from auditor.store.opening import Store
from auditor.store.schema.head import ensure_schema
from auditor.subjects.microdata.repository import Microdata
from auditor.subjects.networks.repository import Networks
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.subjects.tables.repository import Tables
from auditor.subjects.tables.stored.releases import Releases
from tests.support.emptying import empty
from tests.support.schedules import SetClock
from tests.support.store_samples import random_network
from tests.support.stored_records import add_records, records_of
from tests.support.table_samples import loaded_table
from tests.support.toy_subject.repository import Gardens
from tests.support.web_service import served

pytestmark = pytest.mark.neo4j

NAME = "a b/c?'}"
CHANNEL = {"kind": "email", "address": "officer@example.org", "min_severity": "violation"}


@dataclass(frozen=True)
class Steps:
    """How the subjects of a kind come and go, and a policy that one of them violates."""

    repository: Callable[[Store], Any]
    add: Callable[[Store], object]
    policy: dict[str, Any]
    # of what is in the store, and comes back with a backup
    content: Callable[[Store], object]
    form: dict[str, Any]


def _released_table(store: Store) -> None:
    """A table of which all is released under a lax policy: a strict one finds that afterwards."""
    Tables(store).add(NAME, loaded_table(1, (2, 3)), source="f", actor="ada")
    names = [variable.name for variable in Releases(store).state(NAME).table.variables]
    lax = Policy.model_validate({"table": {"threshold": 2}})
    for name in names:
        answer_request(store, MarginalRequest(NAME, [name], lax, by="bob", actor="ada"), clock=time.monotonic)


def stored_records(store: Store) -> None:
    """Five records in a file that the store keeps for as long as the test runs."""
    add_records(store, NAME, Path(tempfile.mkdtemp(dir=_folder.name)))


_folder = tempfile.TemporaryDirectory(prefix="auditor-records-")

STEPS = {
    "network": Steps(
        Networks,
        lambda store: Networks(store).add(NAME, random_network(1), source="f", actor="ada"),
        {"network": {"k": 20}},
        lambda store: Networks(store).block_sequence(NAME).tolist(),
        {"files": {"file": ("n.csv", b"a,b\nb,c\n")}, "data": {"name": "other"}},
    ),
    "table": Steps(
        Tables,
        _released_table,
        {"table": {"threshold": 1_000, "min_width": 1_000}},
        lambda store: np.asarray(Releases(store).state(NAME).table.counts).tolist(),
        {"files": {"file": ("t.csv", b"a,b,count\nx,y,3\nz,y,4\n")}, "data": {"name": "other"}},
    ),
    "microdata": Steps(
        Microdata,
        stored_records,
        {"microdata": {"k": 20}},
        lambda store: records_of(Microdata(store).show(NAME)),
        {
            "files": {"file": ("r.csv", b"age,sex\n41,f\n35,m\n")},
            "data": {"name": "other", "quasi_identifier": ["age", "sex"]},
        },
    ),
    "garden": Steps(
        Gardens,
        lambda store: Gardens(store).add(NAME, 5, actor="ada"),
        {"garden": {"most_beds": 4}},
        lambda store: Gardens(store).show(NAME).beds,
        {"json": {"name": "other", "beds": 1}},
    ),
}


@pytest.fixture(autouse=True)
def gardens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "garden", "tests.support.toy_subject.kind:GARDEN")


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def store(neo4j_connection: Connection, clock: SetClock) -> Store:
    ensure_schema(neo4j_connection)
    return Store(neo4j_connection, clock)


@pytest.fixture(params=sorted(STEPS))
def kind(request: pytest.FixtureRequest, store: Store) -> str:
    """A kind, of which the store has one subject."""
    name: str = request.param
    STEPS[name].add(store)
    return name


def policy_of(kind: str) -> Policy:
    """A policy that the subject violates, and that tells a channel."""
    return parse_policy({**STEPS[kind].policy, "notify": {"channels": {"office": CHANNEL}}})


def test_every_kind_is_under_contract() -> None:
    assert {found.name for found in kinds() if not found.is_release} == set(STEPS)


def test_it_is_listed_shown_and_removed(store: Store, kind: str) -> None:
    repository = STEPS[kind].repository(store)
    assert [info.name for info in repository.list()] == [NAME]
    assert repository.exists(NAME)
    assert repository.show(NAME).name == NAME
    assert all_subjects(store.connection) == [(kind, NAME)]
    repository.remove(NAME, actor="ada")
    assert not repository.exists(NAME)
    assert all_subjects(store.connection) == []
    with pytest.raises(NotFound, match=kind):
        repository.show(NAME)
    with pytest.raises(NotFound):
        run_audit(store, f"{kind}:{NAME}", policy_of(kind), trigger="test", actor="ada")


def test_its_entries_are_in_the_ledger(store: Store, kind: str) -> None:
    about = f"{kind}:{NAME}"
    first = store.ledger.show(50, about=about)[-1]
    assert first.kind in kind_named(kind).entries
    assert store.ledger.show(50, about=about, kinds=[first.kind])
    query = "MATCH (e:AuditorEntry {seq: $seq})-[:ABOUT]->(s) RETURN s.name AS name"
    assert [record["name"] for record in store.connection.read(query, seq=first.seq)] == [NAME]
    with pytest.raises(BadInput):
        store.ledger.show(50, about=f"planet:{NAME}")


def test_an_audit_finds_a_waiver_accepts_and_a_channel_is_notified(store: Store, kind: str, clock: SetClock) -> None:
    subject = f"{kind}:{NAME}"
    first = run_audit(store, subject, policy_of(kind), trigger="test", actor="ada")
    assert first.verdict == "violated"
    violations = [finding for finding in first.findings if finding.severity == "violation"]
    assert {message.subject for message in Outbox(store).list()} == {subject}
    for finding in violations:
        until = clock.now + timedelta(days=1)
        Waivers(store).add(finding.fingerprint, reason="known", until=until, actor="eve")
    second = run_audit(store, subject, policy_of(kind), trigger="test", actor="ada")
    assert second.verdict == "passed"
    (row,) = Overview(store).read()
    assert (row.subject, row.audit, row.open, row.waived) == (subject, second.id, 0, len(violations))


def test_a_month_end_report_tells_of_it(store: Store, kind: str, clock: SetClock) -> None:
    run_audit(store, f"{kind}:{NAME}", policy_of(kind), trigger="test", actor="ada")
    found = report_on(store, month_of(clock()))
    assert [(row["subject"], row["verdict"]) for row in found["failed_audits"]] == [(f"{kind}:{NAME}", "violated")]
    released = {row["family"] for row in found["released"]}
    assert released == ({kind_named(kind).plural} if kind in ("table", "garden") else set())


def test_a_schedule_audits_it(store: Store, kind: str, clock: SetClock) -> None:
    policy = policy_of(kind)
    Schedules(store).add(NewSchedule(
        "daily", cron="0 6 * * *", timezone="UTC", subjects=(f"{kind}:{NAME}",), policy_hash=policy.digest(),
        policy_text=policy.text(), catch_up="last", actor="ann",
    ))  # fmt: skip
    clock.go(days=1)
    worker = Worker(Schedules(store), Runs(store), audits_in(store, "daemon"), clock=clock, name="w")
    (outcome,) = worker.run_due(clock())
    assert outcome.verdicts == {f"{kind}:{NAME}": "violated"}
    assert [audit.trigger for audit in Audits(store).list()] == ["schedule"]


def test_the_service_shows_it_to_those_who_may(
    store: Store, kind: str, neo4j_settings: Settings, tmp_path: Path
) -> None:
    site = served(store, neo4j_settings, tmp_path)
    plural = kind_named(kind).plural
    viewer = site.client("viewer")
    listed = viewer.get(f"/api/v1/{plural}")
    assert [item["name"] for item in listed.json()["items"]] == [NAME]
    assert site.client().get(f"/api/v1/{plural}").status_code == 401
    path = f"/api/v1/{plural}"
    assert viewer.post(path, **STEPS[kind].form).status_code == 403
    added = site.client("administrator").post(path, **STEPS[kind].form)
    assert added.status_code in (201, 403)
    page = site.logged_in("viewer").get(f"/{plural}")
    assert page.status_code == 200
    assert f'href="/{plural}"' in page.text
    assert site.logged_in("viewer").get(f"/{plural}/{quote(NAME, safe='')}").status_code == 200
    assert site.logged_in("viewer").get(f"/{plural}/nowhere").status_code == 404
    overview = site.logged_in("viewer").get("/", params={"family": kind}).text
    assert f"/{plural}/{quote(NAME, safe='')}" in overview
    assert f'<option value="{kind}" selected>' in overview or f"<option selected>{kind}</option>" in overview
    found = viewer.get("/api/v1/overview", params={"family": kind}).json()["items"]
    assert NAME in [row["name"] for row in found]


def test_a_checkpoint_and_a_backup_hold_it(store: Store, kind: str, tmp_path: Path) -> None:
    audit = run_audit(store, f"{kind}:{NAME}", policy_of(kind), trigger="test", actor="ada")
    content = STEPS[kind].content(store)
    signed = sign_report(store.ledger.verify(), Ed25519PrivateKey.generate(), at=store.ledger.now())
    store.backup(tmp_path / "backup", actor="ada")
    empty(store.connection)
    restore_backup(store.connection, tmp_path / "backup", actor="eve")
    assert STEPS[kind].content(store) == content
    assert Audits(store).show(audit.id).findings == audit.findings
    assert Audits(store).newest(f"{kind}:{NAME}" if kind != "table" else store_key(store)) is not None
    assert store.ledger.verify(signed.anchors()).intact
    query = "MATCH (a:AuditorAudit)-[:OF]->(s) RETURN s.name AS name"
    assert [record["name"] for record in store.connection.read(query)] == [NAME]


def store_key(store: Store) -> str:
    """The key of the table's audits: that of its population."""
    return kind_named("table").load().find(store, NAME).key


def test_a_policy_of_the_kind_is_checked_like_all() -> None:
    assert parse_policy({"garden": {"most_beds": 7}}).section("garden").most_beds == 7
    assert Policy().section("garden").most_beds == 3
    with pytest.raises(Exception, match="most_beds"):
        parse_policy({"garden": {"most_bed": 7}})
