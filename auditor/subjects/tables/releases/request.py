"""A request for a marginal: decided outside any transaction, recorded in one, answered afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from auditor.access.person import check_asker
from auditor.core.errors import StoreConflict
from auditor.core.origin import Origin
from auditor.policy import Policy
from auditor.subjects.tables.releases.answering import find_answer
from auditor.subjects.tables.releases.pending import approval_wanted
from auditor.subjects.tables.releases.recording import RequestAnswer, record_answer
from auditor.subjects.tables.stored.releases import Releases

if TYPE_CHECKING:
    from auditor.store.opening import Store

_TRIES = 50


def answer_request(
    store: Store,
    name: str,
    names: Iterable[str],
    policy: Policy,
    *,
    by: str,
    actor: str,
    clock: Callable[[], float],
    explain: bool = False,
    merged: Mapping[str, Iterable[Iterable[str]]] | None = None,
    origin: Origin | None = None,
) -> RequestAnswer:
    """Decide about a marginal together with all that is out, record the answer, and return it.

    Parameters
    ----------
    store : Store
    name : str
        Of the table.
    names : iterable of str
        Variables of the marginal, in any order: it is the same marginal.
    policy : Policy
        Its section on tables has the rules.
    by : str
        Who asks.
    actor : str
        Who runs this.
    clock : callable
        Returns seconds, for the time limit of the policy.
    explain : bool, optional
        Whether the actor will be shown cells and their bounds; recorded.
    merged : mapping of str to iterable of iterable of str, optional
        Categories that become one, by variable.
    origin : Origin, optional
        The token that it comes with, for what waits for a second person.

    Raises
    ------
    BadInput
        If who asks has no name that can be shown on a line.
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
    versions of the data counts as if it were out of this one, as far as somebody has declared what has become of their
    variables; before, the answer is undecided. So it is where something is out of another table that looks alike.

    Where the policy allows to simulate, a marginal that would be refused is answered from a table that is drawn from
    all tables that have what is out, and so is everything after it. Where it allows to coarsen, what would be refused
    is answered with the same marginal, with so many categories merged that it may go out; this is to be asked for.

    Where it asks for a second person, what would go out is ``pending``: nothing goes out, a simulated table neither,
    until :func:`~auditor.subjects.tables.releases.approving.approve_request` decides it anew. What is out already is
    answered at once.
    """
    check_asker(by, "by")
    wanted = tuple(names)
    for _ in range(_TRIES):
        state = Releases(store).state(name, wanted, policy.digest(), merged or {})
        found = find_answer(state, policy, clock, explain=explain)
        waits = approval_wanted(state, found, policy, by=by, asked_by=actor, origin=origin)
        try:
            return record_answer(store, state, found, policy, by=by, actor=actor, explain=explain, wanted=waits)
        except StoreConflict:
            continue
    raise StoreConflict(f"others kept releasing marginals of the table {name!r} meanwhile; try again")
