"""What is told of a change: canonical JSON for programs, with a sentence for people in it.

A message says that something changed and where to look it up. It holds no figure, no threshold and no message of a
finding: whoever may know those asks the store.
"""

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any, get_args

from auditor.core.clock import time_text
from auditor.core.finding import RecordedFinding
from auditor.core.recorded_runs import Run
from auditor.ledger.chain import canonical_json
from auditor.notifications.record import AuditNews, NewMessage, Telling, message_id
from auditor.policy import Channel, Policy
from auditor.policy.notify import Event
from auditor.policy.values import Severity

_GRAVEST_FIRST = get_args(Severity)
_EVENTS: dict[str, Event] = {"new": "finding-new", "worse": "finding-worse", "better": "finding-better"}


def telling_of(policy: Policy) -> Telling | None:
    """Return what a policy has told of audits; None if it names no channel."""
    channels = policy.notify.channels
    return Telling(tuple(sorted(channels)), partial(_audit_messages, policy)) if channels else None


def run_messages(policy: Policy, schedule: str, run: Run, missing: tuple[str, ...]) -> list[NewMessage]:
    """Return what is told of a tick that was given up or skipped.

    Parameters
    ----------
    policy : Policy
        Of the schedule.
    schedule : str
        Its name.
    run : Run
    missing : tuple of str
        Subjects that it did not audit.
    """
    event: Event = "tick-missed" if run.status == "skipped" else "audit-failed"
    data: dict[str, Any] = {"schedule": schedule, "due": time_text(run.due)}
    if event == "audit-failed":
        data |= {"subjects": list(missing), "attempts": run.attempts}
        text = f"schedule {schedule}: {', '.join(missing) or 'its tick'} could not be audited, due {_minute(run.due)}"
        at = run.finished_at or run.due
    else:
        first = run.first_due or run.due
        data |= {"first_due": time_text(first), "count": run.count}
        span = _minute(run.due) if first == run.due else f"{_minute(first)} to {_minute(run.due)}"
        text = f"schedule {schedule}: not audited when it was due, {span}"
        at = run.due
    text = f"{text}; see 'auditor schedule show {schedule}'"
    return _to_listeners(policy, event, f"schedule:{schedule}", time_text(at), text, data, about=run.id)


def approval_messages(policy: Policy, approval: str, kind: str, subject: str, at: str) -> list[NewMessage]:
    """Return what is told of something that waits for a second person.

    Parameters
    ----------
    policy : Policy
        It waits under.
    approval : str
        Its id.
    kind : str
        ``marginal`` or ``export``.
    subject : str
        What it is of.
    at : str
        The time.
    """
    event: Event = "approval-wanted"
    what = "an export" if kind == "export" else "a marginal"
    text = f"{subject}: {what} awaits approval by a second person; see 'auditor approval show {approval}'"
    data = {"approval": approval, "kind": kind}
    return _to_listeners(policy, event, subject, at, text, data, about=approval)


def decision_messages(policy: Policy, approval: str, subject: str, state: str, at: str, about: str) -> list[NewMessage]:
    """Return what is told of the end of an approval, so that the requester need not look again and again.

    Parameters
    ----------
    policy : Policy
        It waited under.
    approval : str
        Its id.
    subject : str
        What it is of.
    state : str
        Such as ``approved`` or ``returned``; reasons and changes are for those who may read the approval.
    at : str
        The time.
    about : str
        Id of the decision: what was returned may still be rejected.
    """
    event: Event = "approval-decided"
    words = "superseded" if state == "overtaken" else state
    text = f"{subject}: a request for approval was {words}; see 'auditor approval show {approval}'"
    return _to_listeners(policy, event, subject, at, text, {"approval": approval, "state": state}, about=about)


def trial_message(name: str, policy: Policy, at: str, mark: str) -> NewMessage:
    """Return a message that tells of nothing, to try a channel.

    Parameters
    ----------
    name : str
        Of a channel of the policy.
    policy : Policy
    at : str
        The time.
    mark : str
        Tells this trial from others.
    """
    text = "a trial of this channel; nothing happened"
    return _message(policy, "trial", f"channel:{name}", at, text, {}, name=name, about=mark)


def _audit_messages(policy: Policy, name: str, news: AuditNews) -> list[NewMessage]:
    channel = policy.notify.channels[name]
    messages = []
    for event, finding, words in _changes(channel, news):
        data = {
            "audit": news.audit,
            "rule": finding.rule,
            "where": finding.where,
            "severity": finding.severity,
            "change": event.removeprefix("finding-") if event.startswith("finding-") else finding.change,
            "waived": finding.waiver is not None and event != "waiver-expired",
            "fingerprint": finding.fingerprint,
        }
        text = f"{news.subject}: {finding.rule} ({finding.where}) {words}; see 'auditor audit show {news.audit}'"
        messages.append(_message(policy, event, news.subject, news.at, text, data, name=name, about=news.audit))
    return messages


def _changes(channel: Channel, news: AuditNews) -> Iterator[tuple[Event, RecordedFinding, str]]:
    """Yield what one channel wants to know: the event, the finding as it is or was, and the words for it."""
    before = {finding.fingerprint: finding for finding in news.before}
    for finding in news.findings:
        old = before.pop(finding.fingerprint, None)
        grave = _is_grave(channel, finding) or (old is not None and _is_grave(channel, old))
        event = _EVENTS.get(finding.change)
        if event in channel.events and event is not None and grave:
            waived = ", waived" if finding.waiver is not None else ""
            yield event, finding, f"is {finding.change}, severity {finding.severity}{waived}"
        ended = old is not None and old.waiver is not None and finding.waiver is None
        if ended and "waiver-expired" in channel.events:
            yield "waiver-expired", finding, "counts again, its waiver has ended"
    if "finding-gone" in channel.events:
        for old in before.values():
            if _is_grave(channel, old):
                yield "finding-gone", old, "is gone"


def _is_grave(channel: Channel, finding: RecordedFinding) -> bool:
    return _GRAVEST_FIRST.index(finding.severity) <= _GRAVEST_FIRST.index(channel.min_severity)


def _to_listeners(
    policy: Policy, event: Event, subject: str, at: str, text: str, data: dict[str, Any], *, about: str
) -> list[NewMessage]:
    """Return one message for every channel that wants the event."""
    names = (name for name, channel in sorted(policy.notify.channels.items()) if event in channel.events)
    return [_message(policy, event, subject, at, text, data, name=name, about=about) for name in names]


def _message(
    policy: Policy, event: str, subject: str, at: str, text: str, data: dict[str, Any], *, name: str, about: str
) -> NewMessage:
    """Return a message about something, to the channel of that name."""
    digest = policy.digest()
    body = {
        # dots, as the specification of Standard Webhooks has it
        "type": event.replace("-", "."),
        "timestamp": at,
        "text": text,
        "data": {"event": event, "subject": subject, "policy": digest, **data},
    }
    id = message_id(name, about, str(data.get("fingerprint", "")), event)
    return NewMessage(id, name, policy.notify.channels[name].kind, event, subject, canonical_json(body), digest)


def _minute(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"
