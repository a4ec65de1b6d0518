"""The risk of a pending request, for a person who is about to see it."""

from collections.abc import Callable
from typing import cast

from auditor.approvals.deciding import approver_of
from auditor.approvals.repository import Approvals
from auditor.approvals.review import Risk
from auditor.store import Store
from auditor.store.repository import NewEntry, Repository


def look_at_risk(store: Store, id: str, *, actor: str, clock: Callable[[], float]) -> Risk:
    """Return the risk before and after a release, recorded before it is shown. Protected.

    Parameters
    ----------
    store : Store
    id : str
        Of the approval.
    actor : str
        Who sees it.
    clock : callable
        Returns seconds, for a time limit.

    Raises
    ------
    NotFound
        If there is none of that id.
    """
    approval = Approvals(store).show(id)
    found = cast("Risk", approver_of(approval).risk(store, approval, clock))
    payload = {"approval": id, "kind": approval.kind}
    Repository(store).record_view(NewEntry("review_shown", payload, actor, approval.subject))
    return found
