"""What waits for a second person, whatever it is: approved, rejected, withdrawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.approvals.repository import Approvals
from auditor.exports.repository import Exports

if TYPE_CHECKING:
    from auditor.approvals.record import Approval
    from auditor.store import Store
    from auditor.subjects.tables.releases import RequestAnswer

__all__ = ["Approved", "approve", "reject", "take_over", "withdraw"]


@dataclass(frozen=True, slots=True, eq=False)
class Approved:
    """What became of something that a second person approved."""

    approval: Approval
    """``approved``; ``overtaken`` where the answer is no by now; ``pending`` where it is neither."""
    answer: RequestAnswer | None = None
    """Of a marginal, as of a request; None where the table has other data by now. Protected."""
    path: Path | None = None
    """Of an export, where the file is."""


def approve(store: Store, id: str, *, actor: str, clock: Callable[[], float]) -> Approved:
    """Let out what waits, if it still may go out now.

    Parameters
    ----------
    store : Store
    id : str
        Of the approval.
    actor : str
        Who approves: neither who asked nor for whom it was asked.
    clock : callable
        Returns seconds, for the time limit of the policy.

    Raises
    ------
    NotFound, Refused, BadInput, StoreConflict, NotDelivered
        As :func:`auditor.subjects.tables.releases.approve_request` and :func:`auditor.exports.approving.approve_export`.
    """
    if Approvals(store).show(id).kind == "marginal":
        from auditor.subjects.tables.releases import approve_request

        done = approve_request(store, id, actor=actor, clock=clock)
        return Approved(done.approval, done.answer)
    from auditor.exports.approving import approve_export

    approval = approve_export(store, id, actor=actor)
    path = Path(Exports(store).show(approval.what["export"]).path)
    return Approved(approval, path=path if approval.state == "approved" else None)


def reject(store: Store, id: str, *, actor: str, reason: str) -> Approval:
    """Say no to what waits; the held files of an export are deleted.

    Raises
    ------
    NotFound, BadInput, Refused
        As :meth:`auditor.approvals.repository.Approvals.reject`.
    """
    if Approvals(store).show(id).kind == "marginal":
        return Approvals(store).reject(id, actor=actor, reason=reason)
    from auditor.exports.approving import reject_export

    return reject_export(store, id, actor=actor, reason=reason)


def withdraw(store: Store, id: str, *, actor: str) -> Approval:
    """Take back what one asked for; the held files of an export are deleted.

    Raises
    ------
    NotFound, Refused
        As :meth:`auditor.approvals.repository.Approvals.withdraw`.
    """
    if Approvals(store).show(id).kind == "marginal":
        return Approvals(store).withdraw(id, actor=actor)
    from auditor.exports.approving import withdraw_export

    return withdraw_export(store, id, actor=actor)


def take_over(store: Store, id: str, *, actor: str, token: str | None = None) -> Approval:
    """Make what is frozen the actor's own request; another person than those who requested it.

    Raises
    ------
    NotFound, BadInput, Refused
        As :meth:`auditor.approvals.repository.Approvals.take_over`.
    """
    return Approvals(store).take_over(id, actor=actor, token=token)
