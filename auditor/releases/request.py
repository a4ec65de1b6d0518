"""A request for a marginal: decided outside any transaction, recorded in one, answered afterwards."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.errors import StoreConflict
from auditor.policy import Policy
from auditor.releases.answering import FoundAnswer, find_answer
from auditor.store.table_marginals import CellBounds, MarginalStatus, StoredMarginal
from graphkit.tables.decision import Decision

if TYPE_CHECKING:
    from auditor.store.opening import Store
    from auditor.store.releases import RecordedAnswer, TableState
    from graphkit.tables.contingency import ContingencyTable

__all__ = ["RequestAnswer", "answer_request"]

_TRIES = 50


@dataclass(frozen=True, slots=True, eq=False)
class RequestAnswer:
    """What became of a request. Protected, but for the answer and the names of its rules."""

    recorded: RecordedAnswer
    decision: Decision
    marginal: ContingencyTable | None
    """The counts that are out, for a release; those of the simulated table, where the answer is ``simulate``."""
    table: ContingencyTable
    """The table; its variables name what is in the decision by position."""


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

    Raises
    ------
    NotFound
        If there is no table of that name.
    InvalidInput
        If there is no such variable, or the policy names a category that is not there.
    StoreConflict
        If others released something again and again while the answer was computed.

    Notes
    -----
    The decision is computed on what one transaction saw; another one locks the table, looks whether anything went out
    since, and records. If so, all begins anew: of two requests that are safe alone and unsafe together, one is
    refused.

    The same request under the same policy gets the same answer, unless it was undecided. What is out of earlier
    versions of the data counts as if it were out of this one.

    Where the policy allows to simulate, a marginal that would be refused is answered from a table that is drawn from
    all tables that have what is out, and so is everything after it.
    """
    wanted = tuple(names)
    for _ in range(_TRIES):
        state = store.releases.state(name, wanted, policy.digest())
        found = find_answer(state, policy, clock, explain=explain)
        counts = None if found.source is None else found.source.marginal(state.axes)
        try:
            recorded = store.releases.record(
                state.row,
                _marginal(store, state, found, counts),
                id=str(uuid.uuid4()),
                answer=found.answer,
                rules=found.rules,
                proof=found.proof,
                by=by,
                actor=actor,
                policy_hash=policy.digest(),
                policy_text=policy.text(),
                repeated=state.before is not None,
                explained=explain,
                simulated=found.drawn,
            )
        except StoreConflict:
            continue
        return RequestAnswer(recorded, found.decision, counts, state.table)
    raise StoreConflict(f"others kept releasing marginals of the table {name!r} meanwhile; try again")


def _marginal(store: Store, state: TableState, found: FoundAnswer, counts: ContingencyTable | None) -> StoredMarginal:
    """Return what is stored of the marginal from now on."""
    if state.present is not None and state.present.status == "released":
        return state.present
    decision, bounds = found.decision, None
    if decision.cells is not None and decision.lower is not None and decision.upper is not None:
        bounds = CellBounds(decision.cells, decision.lower, decision.upper, ("outer",) * decision.cells.size)
    if counts is None:
        status: MarginalStatus = "refused" if found.answer == "refuse" else "undecided"
        return StoredMarginal(state.axes, status, bounds=bounds)
    simulated = found.answer == "simulate"
    # bounds after a refusal are not those of what is out
    kept = None if simulated else bounds
    return StoredMarginal.released(state.axes, counts.dense(), store.releases.now(), simulated=simulated, bounds=kept)
