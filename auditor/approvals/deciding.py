"""Approve, return, reject or withdraw a pending request of any kind."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from auditor.approvals.agreed import AGREED_FOR
from auditor.approvals.approver import Approver
from auditor.approvals.record import Agreement, Approval
from auditor.approvals.repository import Approvals, check_decider
from auditor.core.errors import Refused
from auditor.core.kinds import kinds, part
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
        As the :class:`~auditor.approvals.approver.Approver` of what awaits it.
    """
    approver = approver_of(Approvals(store).show(id))
    return cast("Approved", approver.approve(store, id, actor=actor, clock=clock))


def approve_if(
    store: Store, id: str, *, change: Mapping[str, Any], reason: str, actor: str, token: str | None = None
) -> Approval:
    """Return what waits to its requester: it counts as approved, if it is changed exactly so.

    Parameters
    ----------
    store : Store
    id : str
        Of the approval.
    change : mapping
        What is to change, by the fields of :attr:`auditor.approvals.review.Review.fields`. It discloses less.
    reason : str
        For the requester and the ledger.
    actor : str
        Who agrees: neither who asked nor for whom it was asked.
    token : str, optional
        Id of the token that they are logged in with.

    Raises
    ------
    NotFound, BadInput, Refused
        As :meth:`auditor.approvals.repository.Approvals.give_back`; or if it is no such change.

    Notes
    -----
    Nothing goes out by this. The requester makes the changed request, which is decided and verified like all others;
    :func:`approve_as_agreed` then approves it in the name of the one who agreed, so that two persons are involved.
    """
    approvals = Approvals(store)
    approval = approvals.show(id)
    check_decider(approval, actor, "returned")
    form, terms = approver_of(approval).agreed(store, approval, change)
    agreed = Agreement(form, terms, store.ledger.clock() + AGREED_FOR, token)
    return _end(store, id, lambda: approvals.give_back(id, actor=actor, reason=reason, agreed=agreed))


def approve_as_agreed(store: Store, id: str, *, clock: Callable[[], float]) -> Approved | None:
    """Approve a request that is exactly the change that a second person agreed to; None where it goes on waiting.

    Raises
    ------
    NotFound, BadInput, StoreConflict, NotDelivered
        As :func:`approve`.
    """
    approval = Approvals(store).show(id)
    if approval.replaces is None or approval.state != "pending":
        return None
    person = Approvals(store).show(approval.replaces).decided_by
    assert person is not None
    try:
        done = approver_of(approval).approve(store, id, actor=person, clock=clock, agreement=approval.replaces)
    except Refused:
        # they agree no more or may not, or it does not hold by now: it waits as any other request does
        return None
    return cast("Approved", done)


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
