"""Schedules that make protected exports: one where there is no good one, once a tick, never over another."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from auditor.approvals.deciding import approve, reject
from auditor.approvals.repository import Approvals
from auditor.core.errors import Refused
from auditor.exports.record import Export
from auditor.exports.repository import Exports
from auditor.policy import ExportPolicy, Policy
from auditor.schedules.outcome import RunOutcome
from auditor.schedules.performing import audits_in
from auditor.schedules.protecting import exports_in
from auditor.schedules.repository import NewSchedule, Schedules
from auditor.schedules.runs import Runs
from auditor.schedules.worker import Worker
from auditor.store.connection import Connection
from auditor.store.opening import Store
from auditor.store.schema.head import ensure_schema
from auditor.subjects.networks.exports import scheduled
from auditor.subjects.networks.policy import NetworkPolicy
from auditor.subjects.networks.repository import Networks
from tests.support.schedules import SetClock, store_with_clock
from tests.support.store_samples import random_network

pytestmark = pytest.mark.neo4j

PLAIN = Policy(network=NetworkPolicy(k=2))
TWO = Policy(network=NetworkPolicy(k=2), exports=ExportPolicy(approval="second-person"))


class House:
    """A store with a schedule, the folder of its exports, and a worker."""

    def __init__(self, store: Store, clock: SetClock, folder: Path) -> None:
        self.store, self.clock, self.folder = store, clock, folder
        self.put(1)

    def put(self, seed: int) -> None:
        """Let the store have this network, in place of the one before."""
        if Networks(self.store).exists("n"):
            Networks(self.store).remove("n", actor="ada")
        Networks(self.store).add("n", random_network(seed, n=12, m=14), source="f", actor="ada")

    def schedule(self, policy: Policy = PLAIN) -> None:
        Schedules(self.store).add(NewSchedule(
            "daily", cron="0 6 * * *", timezone="UTC", subjects=("network:n",), policy_hash=policy.digest(),
            policy_text=policy.text(), catch_up="last", actor="ann", protect_k=2,
            protect_out=str(self.folder / "n.csv"),
        ))  # fmt: skip

    def worker(self, name: str = "w") -> Worker:
        audits, exports = audits_in(self.store, "daemon"), exports_in(self.store)
        books = Schedules(self.store), Runs(self.store)
        return Worker(*books, audits, clock=self.clock, name=name, act=exports)

    def run(self) -> RunOutcome:
        """Let a day pass, and do what is due."""
        self.clock.go(days=1)
        (outcome,) = self.worker().run_due(self.clock())
        return outcome

    def exports(self) -> list[Export]:
        """All exports, the oldest first."""
        return [*Exports(self.store).list()][::-1]

    def files(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir() if not path.name.endswith(".manifest.json"))


@pytest.fixture
def house(neo4j_connection: Connection, tmp_path: Path) -> House:
    clock = SetClock()
    ensure_schema(neo4j_connection)
    folder = tmp_path / "out"
    folder.mkdir()
    return House(store_with_clock(neo4j_connection, clock), clock, folder)


def test_one_is_made_and_a_fresh_one_when_the_network_changed(house: House) -> None:
    house.schedule()
    first = house.run()
    (export,) = house.exports()
    assert (first.status, first.export, export.state, export.actor) == ("done", export.id, "published", "ann")
    assert house.files() == ["n-20260105T0600Z.csv"]
    written = (house.folder / house.files()[0]).read_bytes()
    assert house.run().export is None
    house.put(2)
    third = house.run()
    assert third.export is not None
    assert house.files() == ["n-20260105T0600Z.csv", "n-20260107T0600Z.csv"]
    # the good one before is as it was
    assert (house.folder / house.files()[0]).read_bytes() == written
    assert [export.state for export in house.exports()] == ["published", "published"]
    (entry,) = [entry for entry in house.store.ledger.show(50) if entry.kind == "schedule_added"]
    assert json.loads(entry.payload)["protect_k"] == 2
    assert house.store.ledger.verify().intact


def test_a_file_that_is_not_what_was_published_is_made_anew_beside_it(house: House) -> None:
    house.schedule()
    house.run()
    (house.folder / house.files()[0]).write_text("edited")
    assert house.run().export is not None
    assert len(house.files()) == 2
    assert house.run().export is None


def test_what_waits_is_not_made_twice_and_whoever_scheduled_it_does_not_let_it_out(house: House) -> None:
    house.schedule(TWO)
    house.run()
    (approval,) = Approvals(house.store).list("pending")
    assert approval.asked_by == "ann"
    assert house.run().export is None
    with pytest.raises(Refused, match="another person"):
        approve(house.store, approval.id, actor="Ann", clock=lambda: 0.0)
    # time passes by the clock of the files, too
    assert approve(house.store, approval.id, actor="bob", clock=lambda: 0.0).approval.state == "approved"
    assert house.files() == ["n-20260105T0600Z.csv"]
    assert house.run().export is None


def test_after_a_no_there_is_a_fresh_one_only_of_another_network(house: House) -> None:
    house.schedule(TWO)
    house.run()
    (approval,) = Approvals(house.store).list("pending")
    reject(house.store, approval.id, actor="bob", reason="no")
    assert house.run().export is None
    house.put(2)
    assert house.run().export is not None
    assert len(Approvals(house.store).list("pending")) == 1


def die_at(house: House, monkeypatch: pytest.MonkeyPatch, place: object, name: str) -> None:
    """Let a worker of a due schedule die where it would call something; its lease runs out."""

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    house.schedule()
    house.clock.go(days=1)
    monkeypatch.setattr(place, name, die)
    with pytest.raises(KeyboardInterrupt):
        list(house.worker("dead").run_due(house.clock()))
    monkeypatch.undo()


def test_a_worker_that_died_before_the_file_appeared_leaves_the_tick_to_another(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    from auditor.exports import publishing

    die_at(house, monkeypatch, publishing, "publish")
    assert [export.state for export in house.exports()] == ["recorded"]
    house.clock.go(minutes=10)
    (outcome,) = house.worker("other").run_due(house.clock())
    assert outcome.export is not None
    assert house.files() == ["n-20260105T0600Z-2.csv"]
    assert sorted(export.state for export in house.exports()) == ["published", "recorded"]


def test_a_worker_that_died_before_it_was_noted_is_not_done_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    die_at(house, monkeypatch, Exports, "mark_published")
    house.clock.go(minutes=10)
    (outcome,) = house.worker("other").run_due(house.clock())
    (export,) = house.exports()
    assert (outcome.export, export.state) == (export.id, "published")
    assert house.files() == ["n-20260105T0600Z.csv"]


def test_a_worker_that_lost_its_tick_records_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.schedule()
    house.clock.go(days=1)
    export, done = scheduled.export_network, []

    def slow(*arguments: object, **options: object) -> object:
        if not done:
            done.append(True)
            house.clock.go(hours=1)
            (other,) = house.worker("other").run_due(house.clock())
            assert other.export is not None
        return export(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(scheduled, "export_network", slow)
    (outcome,) = house.worker("slow").run_due(house.clock() - timedelta(hours=0))
    assert (outcome.status, outcome.export) == ("lost", None)
    assert [export.state for export in house.exports()] == ["published"]
    assert len(house.files()) == 1


def test_a_folder_that_is_gone_is_told_and_tried_again(house: House) -> None:
    house.schedule()
    house.folder.rename(house.folder.parent / "moved")
    outcome = house.run()
    assert outcome.status == "failed"
    assert outcome.reason is not None
    assert "does not exist" in outcome.reason
    (house.folder.parent / "moved").rename(house.folder)
    house.clock.go(minutes=2)
    (again,) = house.worker().run_due(house.clock())
    assert again.export is not None


def test_whoever_resumed_a_schedule_requests_what_it_makes(house: House) -> None:
    house.schedule(TWO)
    Schedules(house.store).pause("daily", actor="ann")
    Schedules(house.store).resume("daily", actor="bob")
    house.run()
    (approval,) = Approvals(house.store).list("pending")
    assert (approval.asked_by, approval.earlier) == ("bob", ("ann",))
    for person in ("bob", "ann"):
        with pytest.raises(Refused, match="yourself"):
            approve(house.store, approval.id, actor=person, clock=lambda: 0.0)
    assert approve(house.store, approval.id, actor="carol", clock=lambda: 0.0).approval.state == "approved"
