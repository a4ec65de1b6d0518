"""How a tick's subject is audited."""

from auditor.audits.running import run_audit
from auditor.core.transactions import TransactionHook
from auditor.policy import Policy
from auditor.schedules.ports import Perform
from auditor.store import Store


def audits_in(store: Store, actor: str) -> Perform:
    """Return what audits a subject of a store and records that, in the name of `actor`."""

    def perform(subject: str, policy: Policy, audit_id: str, finish: TransactionHook) -> str:
        return run_audit(store, subject, policy, trigger="schedule", actor=actor, id=audit_id, finish=finish).verdict

    return perform
