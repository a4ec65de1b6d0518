"""A second person approves a marginal: it is decided once more, and goes out exactly if the answer is yes now."""

from collections.abc import Callable, Mapping
from typing import Any

from auditor.approvals.approver import Approver
from auditor.approvals.deciding import Approved
from auditor.approvals.record import Approval, Decision
from auditor.approvals.repository import Approvals, check_decider
from auditor.approvals.review import Review, Risk
from auditor.core.errors import BadInput, Refused, StoreConflict
from auditor.policy import stored_policy
from auditor.store import Store
from auditor.subjects.tables.releases.answering import find_answer
from auditor.subjects.tables.releases.recording import record_answer
from auditor.subjects.tables.releases.request import MarginalRequest, until_unchanged
from auditor.subjects.tables.releases.reviewing import (
    coarser_marginal,
    is_out,
    marginal_page_url,
    marginal_risk,
    review_marginal,
)
from auditor.subjects.tables.stored.releases import Releases

_OTHER_DATA = "the table has other data than at the request; request it again"
_REFUSED_NOW = "it is refused now, because of releases made since the request"


class MarginalApprover(Approver):
    """See :class:`~auditor.approvals.approver.Approver`."""

    def approve(
        self, store: Store, id: str, *, actor: str, clock: Callable[[], float], agreement: str | None = None
    ) -> Approved:
        """Release it, if it still may be released now."""
        return approve_request(store, id, actor=actor, clock=clock, agreement=agreement)

    def review(self, store: Store, approval: Approval) -> Review:
        """Return what a second person sees of it."""
        return review_marginal(store, approval)

    def counts_url(self, store: Store, approval: Approval) -> str | None:
        """Return where released counts can be downloaded."""
        return marginal_page_url(store, approval, approval.what, "marginal.csv") if is_out(approval) else None

    def change_url(self, store: Store, approval: Approval) -> str | None:
        """Return the page where the requester asks for the coarser marginal."""
        return None if approval.change is None else marginal_page_url(store, approval, approval.change)

    def risk(self, store: Store, approval: Approval, clock: Callable[[], float]) -> Risk:
        """Return the risk before and after it. Protected."""
        return marginal_risk(store, approval, clock)

    def agreed(self, store: Store, approval: Approval, change: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
        """Return a change of it in its one form, and the terms of the request that it leads to."""
        return coarser_marginal(store, approval, change)


def approve_request(
    store: Store, id: str, *, actor: str, clock: Callable[[], float], agreement: str | None = None
) -> Approved:
    """Decide a pending marginal again, under the policy it waits under, and let it go out if the answer is still yes.

    Parameters
    ----------
    store : Store
    id : str
        Of the approval.
    actor : str
        Who approves: neither the requester nor the person that it is for.
    clock : callable
        Returns seconds, for the time limit of the policy.
    agreement : str, optional
        Id of the returned request in which the actor agreed to this one; its requester carries it out.

    Raises
    ------
    NotFound
        If there is no such approval, or the table is gone.
    BadInput
        If it is the approval of something else.
    Refused
        If it is not pending any more, or this person requested it.
    StoreConflict
        If others released something again and again while the answer was computed.

    Notes
    -----
    The release and the end of the approval are one transaction, which locks the table and looks whether anything went
    out since the state that was decided on; if so, all begins anew. So of two that approve at once one learns that it
    is not pending any more, and whatever went out meanwhile counts.
    """
    table = Approvals(store).show(id).subject.removeprefix("table:")
    return until_unchanged(table, lambda: _approved(store, id, actor, clock, agreement))


def _approved(store: Store, id: str, actor: str, clock: Callable[[], float], agreement: str | None) -> Approved:
    approval = Approvals(store).show(id)
    if approval.kind != "marginal":
        raise BadInput(f"{id} is the approval of an export, not of a marginal")
    check_decider(approval, actor)
    table, what = approval.subject.removeprefix("table:"), approval.what
    if Releases(store).history(table)[0].data != what["data"]:
        _check_decides(agreement)
        return Approved(Approvals(store).overtake(id, actor=actor, reason=_OTHER_DATA))
    policy = stored_policy(Approvals(store).policy_text(id), "policy of the approval")
    request = MarginalRequest(
        table=table,
        names=what["marginal"],
        merged=what["merged"],
        policy=policy,
        by=approval.by,
        actor=actor if agreement is None else approval.asked_by,
    )
    state = Releases(store).state(table, request.names, policy.digest(), request.merged)
    if state.row.data != what["data"]:
        raise StoreConflict(f"the table {table!r} got other data meanwhile")
    found = find_answer(state, policy, clock, explain=False)
    ending = None
    if found.source is not None:
        if found.answer != what["answer"]:
            _check_decides(agreement)
        ending = Decision(id, "approved", actor, agreement=agreement)
    elif found.answer != "undecided":
        _check_decides(agreement)
        ending = Decision(id, "overtaken", actor, _REFUSED_NOW)
    answer = record_answer(store, request, state, found, approval=id, ending=ending)
    return Approved(Approvals(store).show(id), answer)


def _check_decides(agreement: str | None) -> None:
    """Refuse to end a request in the name of a person who agreed beforehand, and does not decide now: it waits."""
    if agreement is not None:
        raise Refused("it is not what was agreed to any more: another person decides")
