"""How a tick's subject is audited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.audits.running import run_audit
from auditor.core.hooks import TransactionHook
from auditor.schedules.ports import Perform

if TYPE_CHECKING:
    from auditor.policy import Policy
    from auditor.store import Store


def audits_in(store: Store, actor: str) -> Perform:
    """Return what audits a subject of a store and records that, in the name of `actor`."""

    def perform(subject: str, policy: Policy, audit_id: str, finish: TransactionHook) -> str:
        return run_audit(store, subject, policy, trigger="schedule", actor=actor, id=audit_id, finish=finish).verdict

    return perform
