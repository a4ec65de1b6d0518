"""What a worker has others do: audit a subject, and make a protected export."""

from collections.abc import Callable

from auditor.audits.running import run_audit
from auditor.core.recorded_runs import Run
from auditor.core.transactions import TransactionHook
from auditor.policy import Policy
from auditor.schedules.repository import Schedule
from auditor.store import Store

Perform = Callable[[str, Policy, str, TransactionHook], str]
"""Audits a subject under a policy, records that under an id unless it is recorded already, and returns the verdict."""

Act = Callable[[Schedule, Policy, Run, TransactionHook], "str | None"]
"""Makes a protected export where a schedule wants one, unless there is a good one; returns its id. It is given what
raises, in the transaction that records, where the run was taken over."""


def audits_in(store: Store, actor: str) -> Perform:
    """Return what audits a subject of a store and records that, in the name of `actor`."""

    def perform(subject: str, policy: Policy, audit_id: str, finish: TransactionHook) -> str:
        return run_audit(store, subject, policy, trigger="schedule", actor=actor, id=audit_id, finish=finish).verdict

    return perform
