"""How a store is doing, whether it can be used, and what is deleted after a while."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from auditor.core.errors import StoreUnavailable
from auditor.ledger.keys import create_key, read_private_key, sign_report
from auditor.notifications.outbox import Outbox, write_messages
from auditor.notifications.record import NewMessage
from auditor.operating.health import is_alive, readiness
from auditor.operating.metrics import Metrics
from auditor.operating.retention import Pruned, prune
from auditor.schedules.repository import NewSchedule, Schedules
from auditor.store.ledger import record_checkpoint
from auditor.store.opening import Store
from tests.support.schedules import SetClock

pytestmark = pytest.mark.neo4j

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def clock() -> SetClock:
    return SetClock(NOW)


@pytest.fixture
def kept(store: Store, clock: SetClock) -> Store:
    return Store(store.connection, clock)


def figures(store: Store, **how: bool) -> dict[tuple[str, str], float]:
    """The samples by name and their first label's value."""
    families = text_string_to_metric_families(Metrics().text(store, **how))
    return {
        (sample.name, ",".join(sample.labels.values())): sample.value
        for family in families
        for sample in family.samples
        if sample.name.startswith("auditor_")
    }


def add_messages(store: Store, count: int, status: str, at: datetime) -> None:
    rows = [NewMessage(f"{status}_{i}", "office", "file", "finding-new", "network:n", "{}", "p") for i in range(count)]
    store.connection.write(lambda tx: write_messages(tx, rows, store.ledger.now()))
    store.connection.execute(
        "MATCH (m:AuditorMessage) WHERE m.id STARTS WITH $status SET m.status = $status, m.sent_at = $at",
        status=status,
        at=at.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
    )


def test_an_empty_store_has_figures(kept: Store) -> None:
    found = figures(kept)
    assert found["auditor_store_up", ""] == 1
    assert found["auditor_ledger_entries", ""] == 0
    assert found["auditor_schedule_lateness_seconds", ""] == 0
    # nothing is known of checkpoints, and nothing waits: then there is no age
    assert not {name for name, _ in found if name.endswith("age_seconds")}


def test_the_figures_are_those_of_the_store(kept: Store, clock: SetClock, tmp_path: Path) -> None:
    add_messages(kept, 3, "waiting", NOW)
    add_messages(kept, 2, "dead", NOW)
    kept.connection.execute(
        "UNWIND [['n', 'violated', 2, 1], ['m', 'passed', 0, 0]] AS row "
        "CREATE (:AuditorNetwork {name: row[0], id: size(row[0]) + row[2]}) "
        "CREATE (:AuditorAuditHead {key: 'network:' + row[0], subject: 'network:' + row[0], verdict: row[1], "
        "open: row[2], waived: row[3], at: $at, audit: row[0], policy_hash: '', state: '', version: ''})",
        at=kept.ledger.now(),
    )
    kept.connection.execute("CREATE (:AuditorNetwork {name: 'new', id: 9})")
    # what was removed is nobody's alarm
    kept.connection.execute(
        "CREATE (:AuditorAuditHead {key: 'network:gone', subject: 'network:gone', verdict: 'violated', "
        "open: 9, waived: 9})"
    )
    kept.connection.execute(
        "UNWIND [['failed', null], ['failed', $at], ['failed', null], ['claimed', null], ['done', null]] AS row "
        "CREATE (:AuditorTick {id: toString(rand()), schedule: 's', due: toString(rand()), status: row[0], "
        "retry_at: row[1]})",
        at=kept.ledger.now(),
    )
    kept.connection.write(lambda tx: kept.ledger.append(tx, "audit", {}, actor="ada"))
    create_key(tmp_path / "key")
    signed = sign_report(kept.ledger.verify(), read_private_key(tmp_path / "key"), at=kept.ledger.now()).checkpoint
    for _ in range(2):
        record_checkpoint(kept, signed, actor="ada")
    clock.now += 90 * timedelta(seconds=1)
    found = figures(kept)
    assert found["auditor_messages", "waiting"] == 3
    assert found["auditor_messages", "dead"] == 2
    assert found["auditor_oldest_message_age_seconds", ""] == 90
    assert found["auditor_subjects", "network,violated"] == 1
    assert found["auditor_subjects", "network,passed"] == 1
    assert found["auditor_subjects", "network,never audited"] == 1
    assert found["auditor_findings_open", "network"] == 2
    assert found["auditor_findings_waived", "network"] == 1
    assert [found["auditor_ticks", state] for state in ("failed", "retried", "claimed")] == [2, 1, 1]
    # signing is one entry, also when its transaction is repeated
    assert found["auditor_ledger_entries", ""] == 2
    assert found["auditor_checkpoint_age_seconds", ""] == 90
    assert not {name for name, _ in found if name.startswith("auditor_subject_")}
    named = figures(kept, subjects=True)
    assert named["auditor_subject_findings_open", "network:n"] == 2
    assert ("auditor_subject_audit_time_seconds", "network:new") not in named


def test_what_is_late_is_told(kept: Store, clock: SetClock) -> None:
    kept.connection.execute("CREATE (:AuditorNetwork {name: 'n', id: 1})")
    words = {"timezone": "UTC", "subjects": ["network:n"], "policy_hash": "h", "policy_text": "{}", "actor": "ada"}
    Schedules(kept).add(NewSchedule("daily", cron="0 6 * * *", catch_up="last", **words))
    Schedules(kept).add(NewSchedule("paused", cron="0 6 * * *", catch_up="last", **words))
    Schedules(kept).pause("paused", actor="ada")
    found = figures(kept)
    assert (found["auditor_schedules_due", ""], found["auditor_schedules", "paused"]) == (0, 1)
    clock.now = NOW + DAY
    found = figures(kept)
    assert (found["auditor_schedules_due", ""], found["auditor_schedule_lateness_seconds", ""]) == (1, 6 * 3600)
    kept.connection.execute("MATCH (s:AuditorSchedule {name: 'daily'}) SET s.timezone = 'Mars/Olympus'")
    assert figures(kept)["auditor_schedules_unreadable", ""] == 1


def test_a_store_that_is_away_is_told_and_the_process_still_has_figures(kept: Store) -> None:
    class Away:
        def __getattr__(self, name: str) -> object:
            raise StoreUnavailable("bolt://db.example:7687 does not answer")

    metrics = Metrics()
    metrics.count_request("GET", "/", 503, 0.1)
    metrics.count_job("anonymize", "done")
    metrics.count_login("refused")
    text = metrics.text(Away())  # type: ignore[arg-type]
    assert "auditor_store_up 0" in text
    for line in (
        'auditor_requests_total{method="GET",route="/",status="503"} 1.0',
        'auditor_request_seconds_count{route="/"} 1.0',
        'auditor_jobs_ended_total{kind="anonymize",state="done"} 1.0',
        'auditor_logins_total{result="refused"} 1.0',
    ):
        assert line in text
    assert "db.example" not in text
    assert is_alive()
    assert readiness(Away()) == ("the graph database does not answer",)  # type: ignore[arg-type]


def test_readiness_says_what_is_wrong(kept: Store) -> None:
    assert readiness(kept) == ()
    kept.connection.execute("MATCH (s:AuditorStore) SET s.restoring = 'somebody'")
    assert readiness(kept) == ("a restore of the store is under way or was not finished",)
    kept.connection.execute("MATCH (s:AuditorStore) REMOVE s.restoring SET s.schema = s.schema + 1")
    assert "newer version" in readiness(kept)[0]
    kept.connection.execute("MATCH (s:AuditorStore) SET s.schema = 1")
    assert "was not brought" in readiness(kept)[0]
    kept.connection.execute("MATCH (s:AuditorStore) DELETE s")
    assert readiness(kept) == ("the store has lost its own node",)


@pytest.fixture
def old(kept: Store, clock: SetClock) -> Store:
    """Messages and ticks of two days."""
    add_messages(kept, 5, "sent", NOW)
    add_messages(kept, 2, "dead", NOW)
    kept.connection.execute(
        "UNWIND range(1, 4) AS i CREATE (:AuditorTick {id: toString(i), schedule: 's', status: 'done', "
        "due: '2026-02-0' + toString(i), finished_at: '2026-02-0' + toString(i)})"
    )
    kept.connection.execute("CREATE (:AuditorTick {id: 'f', schedule: 's', status: 'failed', due: '2026-01-01'})")
    return kept


def pruned(store: Store, messages: timedelta | None = 30 * DAY, ticks: timedelta | None = 30 * DAY) -> Pruned:
    return prune(store, sent_messages=messages, done_ticks=ticks, actor="ada")


def test_what_is_old_is_deleted_and_the_ledger_tells(old: Store, clock: SetClock) -> None:
    clock.now = NOW + 29 * DAY
    assert pruned(old, ticks=None) == Pruned(0, 0)
    # what is a few hours over waits for the rest of its day
    clock.now = NOW + 30.5 * DAY
    assert pruned(old, ticks=None) == Pruned(0, 0)
    clock.now = NOW + 32 * DAY
    # the newest tick of a schedule stays, and so does what failed
    assert pruned(old) == Pruned(5, 3)
    assert {m.status for m in Outbox(old).list()} == {"dead"}
    left = old.connection.read("MATCH (t:AuditorTick) RETURN t.id AS id ORDER BY id")
    assert [record["id"] for record in left] == ["4", "f"]
    told = [json.loads(entry.payload) for entry in old.ledger.show(kinds=["pruned"])]
    assert [(item["what"], item["number"]) for item in told] == [("ticks", 3), ("messages", 5)]
    assert pruned(old) == Pruned(0, 0)
    assert old.ledger.verify().intact


def test_what_is_kept_for_ever_is_kept(old: Store, clock: SetClock) -> None:
    clock.now = NOW + 9_999 * DAY
    assert pruned(old, None, None) == Pruned(0, 0)
    assert len(Outbox(old).list()) == 7
