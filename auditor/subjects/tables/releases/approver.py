"""Marginals that await a second person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from auditor.approvals.deciding import Approved
from auditor.approvals.repository import Approvals
from auditor.core.errors import NotFound
from auditor.core.kinds import Approver
from auditor.subjects.tables.releases.approving import approve_request
from auditor.subjects.tables.repository import Tables

if TYPE_CHECKING:
    from auditor.approvals.record import Approval
    from auditor.store import Store


class MarginalApprover(Approver):
    """See :class:`~auditor.core.kinds.Approver`."""

    def approve(self, store: Store, id: str, *, actor: str, clock: Callable[[], float]) -> Approved:
        """Release it, if it still may be released now."""
        done = approve_request(store, id, actor=actor, clock=clock)
        return Approved(done.approval, done.answer)

    def reject(self, store: Store, id: str, *, actor: str, reason: str) -> Approval:
        """Refuse it, and return its approval."""
        return Approvals(store).reject(id, actor=actor, reason=reason)

    def withdraw(self, store: Store, id: str, *, actor: str) -> Approval:
        """Take it back, and return its approval."""
        return Approvals(store).withdraw(id, actor=actor)

    def shown(self, store: Store, approval: Approval) -> Mapping[str, Any]:
        """Return what the template of its page is given."""
        name = approval.subject.removeprefix("table:")
        try:
            return {"info": Tables(store).show(name), "out": len(Tables(store).released(name))}
        except NotFound:
            return {"info": None, "out": 0}
