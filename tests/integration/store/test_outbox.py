"""Messages in a real store: written with their audit or not at all, sent at least once under one id, retried."""

from __future__ import annotations

import json
import os
import signal
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.audits.record import Audit, NewAudit
from auditor.audits.repository import Audits
from auditor.audits.running import run_audit
from auditor.audits.subjects import find_subject
from auditor.audits.waivers import Waivers
from auditor.config import Settings
from auditor.core.errors import NotFound, StoreError
from auditor.core.finding import Finding
from auditor.core.recorded_runs import SkippedRuns
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.notifications.failure import NotSent
from auditor.notifications.message import telling_of
from auditor.notifications.outbox import Outbox
from auditor.notifications.record import NewMessage
from auditor.notifications.sending import Backoff, SentMessage, send_due, write_run_messages
from auditor.policy import Channel, NotifyPolicy, Policy, parse_policy
from auditor.schedules.plan import Step
from auditor.schedules.repository import NewSchedule, Schedules
from auditor.schedules.runs import Runs
from auditor.store.opening import Store, open_store
from auditor.subjects.networks.repository import Networks
from graphkit.networks.graphs.graph import SimpleGraph
from tests.support.schedules import MONDAY, SetClock, store_with_clock

pytestmark = pytest.mark.neo4j

EVENTS = [
    "finding-new",
    "finding-worse",
    "finding-better",
    "finding-gone",
    "waiver-expired",
    "audit-failed",
    "tick-missed",
]


def policy_with(*names: str, k: int = 2) -> Policy:
    channels = {name: {"kind": "file", "address": "/told.jsonl", "events": EVENTS} for name in names}
    return parse_policy({"network": {"k": k}, "notify": {"channels": channels}})


POLICY = policy_with("office")


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def kept(store: Store, clock: SetClock) -> Store:
    """A store with a network `n` that violates the policy, and a clock that the test sets."""
    kept = store_with_clock(store.connection, clock)
    add_network(kept, (0, 1), (1, 2))
    return kept


def add_network(store: Store, *edges: tuple[int, int]) -> None:
    graph = SimpleGraph.from_edges(np.array(edges), max(max(edge) for edge in edges) + 1)
    Networks(store).add("n", LoadedNetwork(graph, np.arange(graph.n), {}), source="f", actor="ada")


def audit(store: Store, policy: Policy = POLICY, **more: Any) -> Audit:
    return run_audit(store, "network:n", policy, trigger="test", actor="ada", clock=lambda: 0.0, **more)


def told(store: Store) -> list[tuple[str, str, str]]:
    """Channel, event and rule of all messages."""
    bodies = [(message, json.loads(message.body)["data"]) for message in Outbox(store).list()]
    return sorted((message.channel, message.event, data.get("rule", "")) for message, data in bodies)


class Receiver:
    """Takes messages, or does not."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.failure: Exception | None = None

    def __call__(self, channel: Channel, rules: NotifyPolicy, message: NewMessage) -> None:
        self.ids.append(message.id)
        if self.failure is not None:
            raise self.failure


def send(store: Store, receiver: Receiver, **more: Any) -> list[SentMessage]:
    return list(send_due(store, deliver=receiver, worker="w", chance=np.random.default_rng(1), **more))


RULES = ("max_share_below_k", "max_unique_vertices")


def test_one_message_a_change_and_none_for_what_stays(kept: Store, clock: SetClock) -> None:
    first = audit(kept)
    assert told(kept) == [("office", "finding-new", rule) for rule in RULES]
    assert {json.loads(message.body)["data"]["audit"] for message in Outbox(kept).list()} == {first.id}
    audit(kept)
    audit(kept, again=True)
    assert len(Outbox(kept).list()) == 2
    Networks(kept).remove("n", actor="ada")
    add_network(kept, (0, 1), (2, 3))
    audit(kept)
    assert told(kept)[:2] == [("office", "finding-gone", rule) for rule in RULES]
    assert len(Outbox(kept).list()) == 4


def test_a_waiver_that_ended_is_told_once(kept: Store, clock: SetClock) -> None:
    finding = audit(kept).findings[0]
    Waivers(kept).add(finding.fingerprint, reason="known", until=clock.now + timedelta(days=1), actor="eve")
    audit(kept)
    assert len(Outbox(kept).list()) == 2
    clock.go(days=2)
    for _ in range(2):
        audit(kept)
    assert [entry for entry in told(kept) if entry[1] == "waiver-expired"] == [
        ("office", "waiver-expired", finding.rule)
    ]


def test_an_audit_under_another_policy_takes_no_news_away(kept: Store) -> None:
    # from the command line, without channels: everything is 'same' for the next audit
    audit(kept, Policy())
    assert Outbox(kept).list() == []
    assert {finding.change for finding in audit(kept).findings} & {"same", "worse", "better"}
    assert told(kept) == [("office", "finding-new", rule) for rule in RULES]
    # a channel that is new hears of all that there is, and the old one of nothing twice
    audit(kept, policy_with("office", "second"))
    assert told(kept) == [(name, "finding-new", rule) for name in ("office", "second") for rule in RULES]


def test_messages_are_written_with_the_audit_or_not_at_all(kept: Store) -> None:
    def fail(tx: object) -> None:
        raise StoreError("killed here")

    with pytest.raises(StoreError, match="killed here"):
        audit(kept, finish=fail)
    assert (Audits(kept).list(), Outbox(kept).list()) == ([], [])
    # an audit of the same id is recorded once, and so are its messages
    for _ in range(2):
        audit(kept, id="a1")
    assert len(Outbox(kept).list()) == 2


def test_no_figure_and_no_sentence_of_a_finding_is_in_the_outbox(kept: Store) -> None:
    finding = Finding("rule", "degrees", "violation", 77001, 77002, "canary 77003")
    subject = find_subject(kept, "network", "n")
    new = NewAudit(subject, [finding], POLICY.digest(), POLICY.text(), trigger="test", seconds=0, actor="ada")
    Audits(kept).record(new, telling=telling_of(POLICY))
    (record,) = kept.connection.read("MATCH (m:AuditorMessage) RETURN properties(m) AS all")
    assert not any(word in str(record["all"]) for word in ("7700", "canary"))


def test_what_arrived_is_not_sent_again(kept: Store) -> None:
    audit(kept)
    receiver = Receiver()
    assert [message.status for message in send(kept, receiver)] == ["sent", "sent"]
    assert send(kept, receiver) == []
    assert {(m.status, m.attempts, m.last_error) for m in Outbox(kept).list()} == {("sent", 1, None)}


def test_what_does_not_arrive_is_tried_later_and_later_then_given_up_and_retried_by_hand(
    kept: Store, clock: SetClock
) -> None:
    audit(kept)
    receiver = Receiver()
    receiver.failure = NotSent("the receiver answered 500")
    backoff = Backoff(attempts=3)
    ended: list[SentMessage] = []
    # the second message of a channel that is broken waits for its turn
    assert len(send(kept, receiver, backoff=backoff)) == 1
    for _ in range(20):
        clock.go(hours=1)
        ended += send(kept, receiver, backoff=backoff)
    assert [message.status for message in ended].count("dead") == 2
    dead = Outbox(kept).list("dead")
    assert [(m.attempts, m.last_error) for m in dead] == [(3, "the receiver answered 500")] * 2
    assert len(receiver.ids) == 6
    assert len(set(receiver.ids)) == 2
    receiver.failure = None
    assert Outbox(kept).retry(dead[0].id, actor="ada").status == "waiting"
    assert Outbox(kept).retry_dead(actor="ada") == 1
    assert [message.status for message in send(kept, receiver)] == ["sent", "sent"]
    assert Outbox(kept).retry(dead[0].id, actor="ada").status == "sent"
    with pytest.raises(NotFound, match="notify list"):
        Outbox(kept).retry("nothing", actor="ada")


def test_a_receiver_decides_when_it_is_asked_again_and_when_never(kept: Store, clock: SetClock) -> None:
    audit(kept)
    receiver = Receiver()
    receiver.failure = NotSent("busy", wait=timedelta(hours=5))
    (busy,) = send(kept, receiver)
    assert busy.next_at == clock.now + timedelta(hours=5)
    receiver.failure = NotSent("gone", final=True)
    (gone,) = send(kept, receiver)
    assert gone.status == "dead"


def test_what_a_foreign_error_says_is_not_kept(kept: Store) -> None:
    audit(kept)
    receiver = Receiver()
    receiver.failure = RuntimeError("https://user:swordfish@example.org")
    (failed,) = send(kept, receiver)
    assert failed.reason == "internal error (RuntimeError)"
    assert not any("swordfish" in str(message) for message in Outbox(kept).list())


def test_two_senders_never_hold_the_same_message(kept: Store, clock: SetClock) -> None:
    audit(kept)
    first, *_ = Outbox(kept).due()
    lease = timedelta(minutes=5)
    held = Outbox(kept).claim(first.id, worker="a", lease=lease, most=3)
    assert held is not None
    assert Outbox(kept).claim(first.id, worker="b", lease=lease, most=3) is None
    assert first.id not in {message.id for message in Outbox(kept).due()}
    clock.go(minutes=5)
    taken = Outbox(kept).claim(first.id, worker="b", lease=lease, most=3)
    assert taken is not None
    assert (taken.worker, taken.attempts) == ("b", 2)
    # the first one wakes up: what it says of a failure is old, that it arrived counts
    Outbox(kept).failed(held, "late", None)
    assert Outbox(kept).show(first.id).status == "waiting"
    Outbox(kept).sent(held)
    Outbox(kept).failed(taken, "too late", None)
    assert Outbox(kept).show(first.id).status == "sent"


def test_a_message_that_kills_its_senders_is_given_up(kept: Store, clock: SetClock) -> None:
    audit(kept)
    (message, *_) = Outbox(kept).due()
    for _ in range(3):
        assert Outbox(kept).claim(message.id, worker="w", lease=timedelta(minutes=1), most=3) is not None
        clock.go(minutes=1)
    dead = [sent for sent in send(kept, Receiver(), backoff=Backoff(attempts=3)) if sent.status == "dead"]
    assert [(sent.id, sent.reason) for sent in dead] == [(message.id, "the sending process ended")]


def test_a_sender_killed_after_it_sent_is_followed_by_one_that_sends_the_same_id(
    kept: Store, neo4j_settings: Settings, clock: SetClock, tmp_path: Path
) -> None:
    audit(kept)
    mark = tmp_path / "ids"
    child = os.fork()
    if child == 0:
        try:
            _send_and_die(neo4j_settings, clock, mark)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    first = mark.read_text()
    receiver = Receiver()
    # its lease still runs
    assert first not in [message.id for message in send(kept, receiver)]
    clock.go(minutes=5)
    assert [message.id for message in send(kept, receiver)] == [first]
    assert Outbox(kept).show(first).attempts == 2


def _send_and_die(settings: Settings, clock: SetClock, mark: Path) -> None:
    def deliver(channel: Channel, rules: NotifyPolicy, message: NewMessage) -> None:
        mark.write_text(message.id)
        os.kill(os.getpid(), signal.SIGKILL)

    with open_store(settings) as store:
        mine = store_with_clock(store.connection, clock)
        list(send_due(mine, deliver=deliver, worker="child", chance=np.random.default_rng(1)))


def test_a_channel_that_is_no_more_in_the_policy_file_is_known_by_the_digest(kept: Store) -> None:
    audit(kept)
    audit(kept, Policy())
    assert [message.status for message in send(kept, Receiver())] == ["sent", "sent"]


def test_a_message_whose_policy_is_not_known_waits(kept: Store) -> None:
    audit(kept)
    kept.connection.execute("MATCH (m:AuditorMessage) SET m.policy = 'unknown'")
    assert {message.status for message in send(kept, Receiver())} == {"failed"}


def test_ticks_that_were_given_up_or_skipped_are_told_once(kept: Store, clock: SetClock) -> None:
    schedule = Schedules(kept).add(NewSchedule(
        "weekly", cron="0 6 * * *", timezone="UTC", subjects=["network:n"], policy_hash=POLICY.digest(),
        policy_text=POLICY.text(), catch_up="last", actor="ada",
    ))  # fmt: skip
    clock.go(days=3)
    due = MONDAY + timedelta(days=2, minutes=30)
    skipped = SkippedRuns(MONDAY + timedelta(minutes=30), due - timedelta(days=1), 2)
    run, _ = Runs(kept).claim(
        schedule.id, Step(due, skipped), seen=schedule.settled_until, worker="w", lease=timedelta(minutes=5)
    )
    assert run is not None
    write_run_messages(kept)
    assert told(kept) == [("office", "tick-missed", "")]
    # it is tried again: no news yet
    Runs(kept).fail(run, "canary", clock.now + timedelta(minutes=1))
    write_run_messages(kept)
    assert len(Outbox(kept).list()) == 1
    clock.go(minutes=1)
    again = Runs(kept).take_over(run, worker="w", lease=timedelta(minutes=5), most=3)
    assert again is not None
    Runs(kept).fail(again, "canary", None)
    for _ in range(2):
        write_run_messages(kept)
    assert told(kept) == [("office", "audit-failed", ""), ("office", "tick-missed", "")]
    assert not any("canary" in message.body for message in Outbox(kept).list())
    failed = next(message for message in Outbox(kept).list() if message.event == "audit-failed")
    assert json.loads(failed.body)["data"]["subjects"] == ["network:n"]


def test_an_older_store_tells_nothing_of_what_ended_before(kept: Store, neo4j_settings: Settings) -> None:
    kept.connection.execute("MATCH (s:AuditorStore) SET s.schema = 4")
    kept.connection.execute("CREATE (:AuditorTick {id: 'old', schedule: 's', due: 'x', status: 'failed'})")
    with open_store(neo4j_settings) as store:
        (record,) = store.connection.read("MATCH (t:AuditorTick {id: 'old'}) RETURN t.told AS told")
    assert record["told"] is True


def test_the_next_time_to_look_is_known(kept: Store, clock: SetClock) -> None:
    assert Outbox(kept).next_due() is None
    audit(kept)
    assert Outbox(kept).next_due() == MONDAY
    for message in Outbox(kept).due():
        Outbox(kept).claim(message.id, worker="w", lease=timedelta(minutes=5), most=3)
    assert Outbox(kept).next_due() == MONDAY + timedelta(minutes=5)
