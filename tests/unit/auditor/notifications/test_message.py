"""What is told of a change, to whom, and what never is."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from auditor.core.changes import compare_findings
from auditor.core.finding import Finding, RecordedFinding
from auditor.core.recorded_runs import Run
from auditor.notifications.message import run_messages, telling_of, trial_message
from auditor.notifications.record import AuditNews, NewMessage
from auditor.notifications.sending import Backoff
from auditor.policy import Policy, parse_policy

KEY = "network:friends"
EVERYTHING = [
    "finding-new", "finding-worse", "finding-better", "finding-gone", "waiver-expired", "approval-wanted",
    "approval-decided", "audit-failed", "tick-missed",
]  # fmt: skip
CANARY = "canary 77001"
FOUND = Finding("max_unique_vertices", "degrees", "violation", 77001, 77002, CANARY)


def policy_of(events: list[str] | None = None, min_severity: str = "info", **more: Any) -> Policy:
    channel = {"kind": "file", "address": "/told.jsonl", "events": events or EVERYTHING, "min_severity": min_severity}
    return parse_policy({"notify": {"channels": {"collector": channel, **more}}})


def recorded(
    *findings: Finding, before: tuple[RecordedFinding, ...] = (), **waivers: str
) -> tuple[RecordedFinding, ...]:
    return compare_findings(KEY, findings, before, {FINGERPRINT: waivers["waiver"]} if waivers else {})[0]


def told(
    found: tuple[RecordedFinding, ...], before: tuple[RecordedFinding, ...] = (), policy: Policy | None = None
) -> list[NewMessage]:
    telling = telling_of(policy or policy_of())
    assert telling is not None
    news = AuditNews("a1", "2026-03-01T12:00:00.000000Z", KEY, found, before)
    return [message for name in telling.channels for message in telling.messages(name, news)]


def events(messages: list[NewMessage]) -> list[str]:
    return [message.event for message in messages]


FINGERPRINT = compare_findings(KEY, [FOUND], (), {})[0][0].fingerprint
FIRST = recorded(FOUND)


def test_a_policy_without_channels_tells_nobody() -> None:
    assert telling_of(Policy()) is None


def test_a_message_says_what_changed_and_where_to_look_it_up() -> None:
    policy = policy_of()
    (message,) = told(FIRST, policy=policy)
    body = json.loads(message.body)
    assert message.body == json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert (body["type"], body["timestamp"]) == ("finding.new", "2026-03-01T12:00:00.000000Z")
    assert body["text"] == (
        "network:friends: max_unique_vertices (degrees) is new, severity violation; see 'auditor audit show a1'"
    )
    assert body["data"] == {
        "event": "finding-new",
        "subject": KEY,
        "rule": "max_unique_vertices",
        "where": "degrees",
        "severity": "violation",
        "change": "new",
        "waived": False,
        "fingerprint": FINGERPRINT,
        "audit": "a1",
        "policy": policy.digest(),
    }


@pytest.mark.parametrize(
    "before", [(), FIRST, recorded(replace(FOUND, figure=1)), recorded(replace(FOUND, figure=9e9))]
)
def test_no_figure_threshold_or_sentence_of_a_finding_is_told(before: tuple[RecordedFinding, ...]) -> None:
    for found in (recorded(FOUND, before=before), ()):
        for message in told(found, before):
            assert not any(word in message.body for word in ("77001", "77002", "canary"))


def test_each_change_is_told_once_and_what_stays_is_not() -> None:
    worse, better = replace(FOUND, figure=77009), replace(FOUND, figure=3)
    assert events(told(FIRST)) == ["finding-new"]
    assert told(recorded(FOUND, before=FIRST), FIRST) == []
    assert events(told(recorded(worse, before=FIRST), FIRST)) == ["finding-worse"]
    assert events(told(recorded(better, before=FIRST), FIRST)) == ["finding-better"]
    assert events(told((), FIRST)) == ["finding-gone"]


def test_a_waiver_that_ended_is_told_once() -> None:
    waived = recorded(FOUND, before=FIRST, waiver="w")
    assert told(waived, FIRST) == []
    ended = recorded(FOUND, before=waived)
    assert events(told(ended, waived)) == ["waiver-expired"]
    assert told(recorded(FOUND, before=ended), ended) == []
    # it got worse meanwhile: both are news
    worse = recorded(replace(FOUND, figure=77009), before=waived)
    assert events(told(worse, waived)) == ["finding-worse", "waiver-expired"]
    # gone before it ended: nothing counts again
    assert events(told((), waived)) == ["finding-gone"]


def test_a_waived_finding_that_gets_worse_is_told_as_waived() -> None:
    waived = recorded(FOUND, before=FIRST, waiver="w")
    (message,) = told(recorded(replace(FOUND, figure=77009), before=waived, waiver="w"), waived)
    assert json.loads(message.body)["data"]["waived"] is True


def test_a_channel_hears_the_events_and_severities_that_it_asks_for() -> None:
    assert told(FIRST, policy=policy_of(["finding-gone"])) == []
    warning = recorded(replace(FOUND, severity="warning"))
    assert told(warning, policy=policy_of(min_severity="violation")) == []
    assert events(told(warning, policy=policy_of(min_severity="warning"))) == ["finding-new"]
    # from a violation to a warning: good news for who heard of the violation
    better = recorded(replace(FOUND, severity="warning"), before=FIRST)
    assert events(told(better, FIRST, policy_of(min_severity="violation"))) == ["finding-better"]
    assert told((), warning, policy_of(min_severity="violation")) == []


def test_ids_follow_from_channel_audit_finding_and_event() -> None:
    office = {"kind": "email", "address": "officer@example.org", "events": EVERYTHING}
    messages = told(FIRST, policy=policy_of(office=office))
    assert [message.channel for message in messages] == ["collector", "office"]
    assert len({message.id for message in messages}) == 2
    assert [message.id for message in told(FIRST, policy=policy_of(office=office))] == [m.id for m in messages]
    assert all("." not in message.id for message in messages)


def run(**values: Any) -> Run:
    due = datetime(2026, 3, 1, 6, tzinfo=UTC)
    given: dict[str, Any] = dict.fromkeys(Run.__slots__)
    return Run(**{**given, "id": "s/1", "schedule": "s", "due": due, "attempts": 3, **values})


def test_a_tick_that_was_given_up_names_the_subjects_and_not_the_reason() -> None:
    failed = run(status="failed", reason=CANARY, finished_at=datetime(2026, 3, 1, 7, tzinfo=UTC))
    (message,) = run_messages(policy_of(), "weekly", failed, ("network:n",))
    assert (message.event, message.subject) == ("audit-failed", "schedule:weekly")
    assert "canary" not in message.body
    assert json.loads(message.body)["data"]["subjects"] == ["network:n"]
    assert run_messages(policy_of(["tick-missed"]), "weekly", failed, ("network:n",)) == []


def test_missed_ticks_in_a_row_are_one_message() -> None:
    first = datetime(2026, 2, 20, 6, tzinfo=UTC)
    (message,) = run_messages(policy_of(), "weekly", run(status="skipped", first_due=first, count=9), ())
    assert message.event == "tick-missed"
    body = json.loads(message.body)
    assert "2026-02-20 06:00 UTC to 2026-03-01 06:00 UTC" in body["text"]
    assert body["data"]["count"] == 9


def test_a_trial_is_another_message_each_time() -> None:
    policy = policy_of()
    first, second = (trial_message("collector", policy, "2026-03-01T12:00:00.000000Z", mark) for mark in "ab")
    assert first.id != second.id
    assert json.loads(first.body)["type"] == "trial"


def test_waits_grow_spread_and_end() -> None:
    backoff, chance = Backoff(), np.random.default_rng(7)
    for attempts in range(1, 12):
        planned = min(timedelta(seconds=10) * 4 ** (attempts - 1), timedelta(hours=12))
        waits = [backoff.wait(attempts, chance) for _ in range(200)]
        assert all(wait is not None and planned / 2 <= wait <= planned * 1.5 for wait in waits)
        assert len(set(waits)) == 200
    assert backoff.wait(12, chance) is None
    assert backoff.wait(1, np.random.default_rng(1)) == backoff.wait(1, np.random.default_rng(1))
