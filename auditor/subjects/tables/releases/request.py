"""A request for a marginal: decided outside any transaction, recorded in one, answered afterwards."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import TypeVar

from auditor.access.person import check_asker
from auditor.approvals.deciding import approve_as_agreed
from auditor.core.errors import StoreConflict
from auditor.core.origin import Origin
from auditor.policy import Policy
from auditor.store.opening import Store
from auditor.subjects.tables.releases.answering import find_answer
from auditor.subjects.tables.releases.pending import approval_wanted
from auditor.subjects.tables.releases.recording import RequestAnswer, record_answer
from auditor.subjects.tables.stored.releases import Releases

_TRIES = 50

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class MarginalRequest:
    """A request for a marginal of a stored table."""

    table: str
    """Its name."""
    names: Sequence[str]
    """Variables of the marginal, in any order: it is the same marginal."""
    policy: Policy
    """Its section on tables has the rules."""
    _: KW_ONLY
    by: str
    """The requester."""
    actor: str
    """Who runs the request."""
    merged: Mapping[str, Iterable[Iterable[str]]] = field(default_factory=dict)
    """Categories that become one, by variable."""
    explain: bool = False
    """Whether the actor will be shown cells and their bounds; recorded."""
    origin: Origin = field(default_factory=Origin)
    """The token that it comes with, for what waits for a second person."""


def answer_request(store: Store, request: MarginalRequest, *, clock: Callable[[], float]) -> RequestAnswer:
    """Decide about a marginal together with all that is out, record the answer, and return it.

    Parameters
    ----------
    store : Store
    request : MarginalRequest
    clock : callable
        Returns seconds, for the time limit of the policy.

    Raises
    ------
    BadInput
        If the requester has no name that can be shown on a line.
    NotFound
        If there is no table of that name.
    InvalidInput
        If there is no such variable or category, or the policy names a category that is not there.
    StoreConflict
        If others released something again and again while the answer was computed.

    Notes
    -----
    The decision is computed on what one transaction saw; another one locks the table, looks whether anything went out
    since, and records. If so, all begins anew: of two requests that are safe alone and unsafe together, one is
    refused.

    The same request under the same policy gets the same answer, unless it was undecided. What is out of earlier
    versions of the data counts as if it were out of this one, as far as it was declared what has become of their
    variables; before, the answer is undecided. So it is where something is out of another table that looks alike.

    Where the policy allows to simulate, a marginal that would be refused is answered from a table that is drawn from
    all tables that have what is out, and so is everything after it. Where it allows to coarsen, what would be refused
    is answered with the same marginal, with so many categories merged that it may go out; this is to be requested.

    Where it asks for a second person, what would go out is ``pending``: nothing goes out, a simulated table neither,
    until :func:`~auditor.subjects.tables.releases.approver.approve_request` decides it anew; at once, where a second
    person agreed to exactly this when they returned another request. What is out already is answered at once.
    """
    check_asker(request.by, "by")

    def answered() -> RequestAnswer:
        state = Releases(store).state(request.table, request.names, request.policy.digest(), request.merged)
        found = find_answer(state, request.policy, clock, explain=request.explain)
        return record_answer(store, request, state, found, wanted=approval_wanted(request, state, found))

    answer = until_unchanged(request.table, answered)
    if answer.recorded.answer == "pending" and answer.recorded.approval is not None:
        # a second person may have agreed to exactly this when they returned another request
        done = approve_as_agreed(store, answer.recorded.approval, clock=clock)
        if done is not None and done.approval.state != "pending" and done.answer is not None:
            agreed: RequestAnswer = done.answer
            return agreed
    return answer


def until_unchanged(table: str, work: Callable[[], Found]) -> Found:
    """Return the result of work that decides and records, once nothing of the table went out between the two.

    Raises
    ------
    StoreConflict
        If something did again and again.
    """
    for _ in range(_TRIES):
        try:
            return work()
        except StoreConflict:
            continue
    raise StoreConflict(f"others kept releasing marginals of the table {table!r} meanwhile; try again")
