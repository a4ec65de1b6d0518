"""What a person may know of a marginal without another look: its status, its last answer, and the reasons for it."""

from collections.abc import Sequence
from dataclasses import dataclass

from auditor.approvals.repository import Approvals
from auditor.store.policies import policy_text
from auditor.subjects.tables.releases.demands import laxer_demands
from auditor.subjects.tables.releases.lattice import STATUSES, TableLattice
from auditor.subjects.tables.releases.pending import follows_from_out
from auditor.subjects.tables.repository import Tables
from auditor.subjects.tables.representations.requests import reasons_in_words, way_on
from auditor.subjects.tables.stored.history import ReleasedNames
from auditor.subjects.tables.stored.recorded_answers import RecordedAnswer
from auditor.subjects.tables.stored.releases import Releases
from auditor.web.api.models import MarginalIn
from auditor.web.security.identity import Call
from graphkit.tables.structure.hypergraph import mask_of

_SENTENCES = {
    "released": "Its counts are released.",
    "implied": "It follows from released marginals: anyone can compute it.",
    "pending": "It awaits approval by a second person; its counts are not released.",
    "refused": "The last request was refused.",
    "unreleasable": "It must not be released: a refused marginal follows from it.",
    "undecided": "The last request could not be decided; its counts are not released.",
    "open": "It is open: it was never requested.",
}


@dataclass(frozen=True, slots=True)
class MarginalState:
    """A marginal as a person may know it."""

    status: str
    is_out: bool
    """Whether its counts were released under its own name."""
    answer: RecordedAnswer | None
    """The last answer that the person may see, if it still says something."""
    reasons: list[str] | None

    @property
    def sentence(self) -> str:
        """What its status means."""
        return _SENTENCES[self.status]


def state_of_marginal(
    call: Call,
    table: str,
    asked: MarginalIn,
    found: TableLattice | None,
    answers: Sequence[RecordedAnswer],
    released: Sequence[ReleasedNames],
) -> MarginalState:
    """Return what a person may know of a marginal; nothing is computed about its counts.

    Parameters
    ----------
    call : Call
    table : str
        Name of its table.
    asked : MarginalIn
    found : TableLattice, optional
        The lattice of the table; None if it has too many variables for one.
    answers : sequence of RecordedAnswer
        Those that the person may see, the first one first.
    released : sequence of ReleasedNames
        What is out of the table.
    """
    names = tuple(asked.variables)
    answer = next((one for one in reversed(answers) if _is_of(asked, one)), None)
    out = any(_is_of(asked, one) for one in released)
    status = "released" if out else "open"
    if found is not None and not asked.merged:
        status = STATUSES[found.statuses[mask_of(found.lattice.axes(names))]]
        out = status == "released"
    elif not out and follows_from_out(Releases(call.store).state(table, names, merged=asked.merged)):
        status = "implied"
    elif not out and answer is not None:
        status = _status_of(call, answer)
    reasons = None
    if answer is not None and answer.answer == "pending" and status != "pending":
        # what it waited for is decided by now, or there is nothing left to decide
        reasons = ["it follows from released marginals"] if status == "implied" else None
        answer = None
    if answer is not None:
        sampled = call.policy.table.refusals == "sampled"
        reasons = [
            *reasons_in_words(answer, sampled, implied=not out and status == "implied"),
            *_remarks(call, table, answer),
        ]
        on = way_on(answer.answer, names, Tables(call.store).show(table).variables, call.policy.table)
        if status == "refused" and on is not None:
            reasons.append(on)
    return MarginalState(status, out, answer, reasons)


def _remarks(call: Call, table: str, answer: RecordedAnswer) -> list[str]:
    """Return what was said beside a recorded answer: that its policy asks less than earlier ones."""
    earlier = Releases(call.store).policies(table, before=answer.entry)
    found = laxer_demands(policy_text(call.store, answer.policy_hash), earlier)
    return [] if found is None else [found.remark]


def _status_of(call: Call, answer: RecordedAnswer) -> str:
    """Return the status that a last answer gives a marginal which has no place in the lattice."""
    if answer.answer in ("refuse", "coarsen"):
        return "refused"
    if answer.answer == "pending" and answer.approval is not None:
        return "pending" if Approvals(call.store).show(answer.approval).state == "pending" else "open"
    return "undecided" if answer.answer == "undecided" else "open"


def _is_of(asked: MarginalIn, one: RecordedAnswer | ReleasedNames) -> bool:
    """Whether an answer or a released marginal is the one that is requested, in whatever order its categories are."""
    merged, requested = (
        {name: {frozenset(part) for part in parts} for name, parts in found.items()}
        for found in (one.merged, asked.merged)
    )
    return [*one.names] == asked.variables and merged == requested
