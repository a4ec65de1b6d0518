"""Who may end something that waits for a second person, and how."""

from auditor.access.person import check_person, is_one_of, is_same_person, person_key
from auditor.approvals.record import Approval, ApprovalState
from auditor.core.errors import BadInput, Refused


def check_decider(approval: Approval, actor: str, state: ApprovalState = "approved") -> None:
    """Make sure that something is pending, and that a person may end it so.

    Raises
    ------
    BadInput
        If nobody is named.
    Refused
        If it is not pending any more; if the person asked for it, now or before another one took it over, or it is for
        them, also under another spelling of the name; if somebody else withdraws it; or if what is frozen would be
        approved.
    """
    if not person_key(actor):
        raise BadInput("name the person who decides, for the ledger; it must not be the requester")
    # what was returned can still be rejected or withdrawn: the person agrees to no change of it any more
    if approval.state != "pending" and not (approval.is_open and state in ("rejected", "withdrawn")):
        raise Refused(_ended(approval))
    # whoever it is for has asked, whoever typed it
    asked = any(is_same_person(person, actor) for person in approval.requesters)
    if state == "withdrawn" and not is_one_of(actor, approval.asked_by, approval.by):
        raise Refused(f"only {approval.asked_by!r}, who asked, can withdraw {approval.id}; you may reject it")
    if state != "withdrawn" and asked:
        raise Refused(f"you requested {approval.id} yourself: another person decides; you may withdraw it")
    if state in ("approved", "returned"):
        check_person(actor, "the name of who decides")
    if approval.frozen and state in ("approved", "returned"):
        raise Refused(
            f"{approval.id} is frozen: the token of {approval.asked_by!r}, who asked, was revoked; another person "
            "takes it over ('auditor approval take-over') and is the requester then, or it is rejected"
        )


def check_taker(approval: Approval, actor: str) -> None:
    """Make sure that something is frozen, and that a person may make it their own request.

    Raises
    ------
    BadInput
        If nobody is named.
    Refused
        If it is not pending any more or not frozen; or if the person requested it before.
    """
    if not person_key(actor):
        raise BadInput("say who takes it over: the ledger keeps it")
    if approval.state != "pending":
        raise Refused(_ended(approval))
    if not approval.frozen:
        raise Refused(f"{approval.id} is not frozen: {approval.asked_by!r}, who asked, still has a valid token")
    if any(is_same_person(person, actor) for person in (approval.asked_by, *approval.earlier)):
        raise Refused(f"you requested {approval.id} yourself: another person takes it over; you may withdraw it")
    check_person(actor, "the name of who takes it over")


def _ended(approval: Approval) -> str:
    """Say what became of something that is not pending any more, and what to do where nobody need approve it."""
    if approval.state == "implied":
        why = approval.reason or "it follows from what was released"
        return f"{approval.id} needs no approval any more: {why}; the same request gets its counts at once"
    return f"{approval.id} is not pending any more: it was {approval.state} by {approval.decided_by!r}"
