"""Approve, reject or withdraw a pending request of any kind."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from auditor.approvals.record import Approval
from auditor.approvals.repository import Approvals
from auditor.core.kinds import Approver, kinds, part
from auditor.store import Store


@dataclass(frozen=True, slots=True, eq=False)
class Approved:
    """What became of something that a second person approved."""

    approval: Approval
    """``approved``; ``overtaken`` where the answer is no by now; ``pending`` where it is neither."""
    answer: Any = None
    """Of a marginal, the answer as of a request; None where the table has other data by now. Protected."""
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
        As the :class:`~auditor.core.kinds.Approver` of what awaits it.
    """
    approver = approver_of(Approvals(store).show(id))
    return cast("Approved", approver.approve(store, id, actor=actor, clock=clock))


def reject(store: Store, id: str, *, actor: str, reason: str) -> Approval:
    """Say no to what waits; the held files of an export are deleted.

    Raises
    ------
    NotFound, BadInput, Refused
        As :meth:`auditor.approvals.repository.Approvals.reject`.
    """
    approvals = Approvals(store)
    return _end(store, id, lambda: approvals.reject(id, actor=actor, reason=reason))


def withdraw(store: Store, id: str, *, actor: str) -> Approval:
    """Take back what one asked for; the held files of an export are deleted.

    Raises
    ------
    NotFound, Refused
        As :meth:`auditor.approvals.repository.Approvals.withdraw`.
    """
    return _end(store, id, lambda: Approvals(store).withdraw(id, actor=actor))


def approver_of(approval: Approval) -> Approver:
    """Return what decides about an approval: that of the kind of subject that it is about."""
    awaited = approval.kind
    address = next(kind.approvals[awaited] for kind in kinds() if awaited in kind.approvals)
    return cast("Approver", part(address)())


def _end(store: Store, id: str, ending: Callable[[], Approval]) -> Approval:
    return cast("Approval", approver_of(Approvals(store).show(id)).end(store, id, ending))
