"""Audit a subject under a policy, and record what was found."""

import time
import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import auditor
from auditor.audits.record import Audit, AuditHead, NewAudit
from auditor.audits.repository import Audits
from auditor.audits.subjects import present_subject
from auditor.audits.waivers import Waivers
from auditor.core.errors import StoreConflict
from auditor.core.finding import Finding
from auditor.core.kinds import kind_named
from auditor.core.subject import AuditSubject, kind_of_subject, parse_subject
from auditor.core.transactions import TransactionHook
from auditor.notifications.message import telling_of
from auditor.policy import Policy
from auditor.store import Store

_TRIES = 20


def run_audit(
    store: Store,
    subject: str,
    policy: Policy,
    *,
    trigger: str,
    actor: str,
    clock: Callable[[], float] = time.monotonic,
    id: str | None = None,
    finish: TransactionHook | None = None,
    again: bool = False,
) -> Audit:
    """Audit a subject under a policy, record what was found, and return it.

    Parameters
    ----------
    store : Store
    subject : str
        ``network:NAME``, ``table:NAME`` or ``export:ID``.
    policy : Policy
    trigger : str
        What makes it run, such as ``command``.
    actor : str
        Who runs it.
    clock : callable, optional
        Returns seconds, for the time limits of the policy.
    id : str, optional
        Of the audit; random by default. One that is recorded already is returned, and nothing is done.
    finish : callable, optional
        What else happens in the transaction that records; if it raises, nothing is recorded, and that is raised.
    again : bool, optional
        Whether to compute even where nothing changed.

    Raises
    ------
    BadInput
        If there is no such kind of subject, or an export is not out.
    NotFound
        If there is no such subject.
    StoreConflict
        If it changed again and again while it was audited.

    Notes
    -----
    Where neither the subject nor the policy nor the program changed since the audit before, its findings are recorded
    again without computing them; waivers are looked at anew. What the policy has told of changes is written in the same
    transaction, and sent later.
    """
    if id is not None and (known := Audits(store).find(id)) is not None:
        return known
    of_kind, name = parse_subject(subject)
    kind = kind_named(of_kind)
    audit_id = id or str(uuid.uuid4())
    lost = False

    def ending(tx: Any) -> None:
        nonlocal lost
        if finish is not None:
            lost = True
            finish(tx)
            lost = False

    for _ in range(_TRIES):
        began = clock()
        found = present_subject(store, of_kind, name)
        findings = None if again else _known_findings(store, found, policy)
        repeats = findings is not None
        if findings is None:
            findings = tuple(kind.load().audit(store, found, policy, clock))
        try:
            new = NewAudit(
                found, findings, policy.digest(), policy.text(), trigger, clock() - began, actor, repeats, audit_id
            )
            return Audits(store).record(new, finish=ending, telling=telling_of(policy))
        except StoreConflict:
            if lost:
                raise
    raise StoreConflict(f"{subject} kept changing while it was audited; try again")


def is_stale(store: Store, subject: str, policy: Policy) -> bool:
    """Whether another audit may say something else: there is none, or something changed since.

    That is the subject, the policy or the program, or a waiver that the audit counted has ended. An export is also
    looked at again after the days that the policy names.
    """
    found = present_subject(store, *parse_subject(subject))
    newest = Audits(store).newest(found.key)
    if newest is None or not _says_the_same(newest, found, policy) or _is_old(newest, policy, store.ledger.clock()):
        return True
    in_force = Waivers(store).in_force(found.key)
    return any(finding.waiver != in_force.get(finding.fingerprint) for finding in newest.findings)


def _known_findings(store: Store, subject: AuditSubject, policy: Policy) -> tuple[Finding, ...] | None:
    """Return the findings of the audit before, if it would find the same now."""
    newest = Audits(store).newest(subject.key)
    return newest.findings if newest is not None and _says_the_same(newest, subject, policy) else None


def _says_the_same(newest: AuditHead, subject: AuditSubject, policy: Policy) -> bool:
    """Whether an audit now would find what the newest one found; what was undecided is tried again."""
    before = (newest.state, newest.policy_hash, newest.version)
    now = (subject.state, policy.digest(), auditor.__version__)
    return before == now and all(finding.severity != "undecided" for finding in newest.findings)


def _is_old(head: AuditHead, policy: Policy, now: datetime) -> bool:
    days = policy.exports.reverify_after_days
    is_release = kind_of_subject(head.key).is_release
    return days is not None and is_release and now - head.at >= timedelta(days=days)
