"""The answer to a request, from what one transaction saw."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from auditor.policy import Policy
from auditor.subjects.tables.releases.deciding import Decider
from auditor.subjects.tables.releases.demands import asks_more
from auditor.subjects.tables.releases.simulating import draw_table
from auditor.subjects.tables.stored.releases import TableState
from graphkit.tables.decisions.decision import Decision
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.structure.contingency import ContingencyTable

EARLIER_DATA = "earlier_data"
"""What is named for a rule where something that is out of other data cannot be held against a request."""

OVERLAP = "population_overlap"
"""What is named for a rule where something is out of other tables that may be of the same people."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundAnswer:
    """An answer before it is recorded. Protected."""

    answer: str
    decision: Decision
    rules: tuple[str, ...] = ()
    """What the one who asked is told; of a yes, those that it breaks, since it follows from what is out anyway."""
    source: ContingencyTable | None = None
    """The table whose counts go out; None for no."""
    drawn: ContingencyTable | None = None
    """A simulated table that was drawn for this answer."""
    proposal: RecodedMarginal | None = None
    """What may go out instead, with categories merged."""
    proof: str = "none"
    """What the answer rests on: bounds in short, without any number of them.

    ``tables`` were found that are far enough apart, ``bounds`` are too narrow, it is ``implied`` by what is out, it was
    refused and ``stands``, a table was ``drawn``, or ``none``.
    """


def find_answer(state: TableState, policy: Policy, clock: Callable[[], float], *, explain: bool) -> FoundAnswer:
    """Return the answer to the request that a state was read for.

    Parameters
    ----------
    state : TableState
        The table, and all that is out.
    policy : Policy
        Its section on tables.
    clock : callable
        Returns seconds.
    explain : bool
        Whether to find the cells behind a refusal that stands already.
    """
    wanted = state.marginal
    yes = Decision("release", wanted.axes)
    known = state.released()
    if any(wanted.within(marginal) for marginal in known):
        rules = _broken_by_released(state, policy, clock)
        return FoundAnswer("release", replace(yes, implied=True), rules, source=state.table, proof="implied")
    if state.simulated is not None:
        return FoundAnswer("simulate", yes, source=state.simulated, proof="drawn")
    decider = Decider(state, policy, clock)
    before = state.before
    # what is out only grows: a refusal stands
    if before is not None and before.answer in ("refuse", "coarsen"):
        decision = replace(decider.decide(wanted), answer="refuse") if explain else Decision("refuse", wanted.axes)
        proposal = _proposal(state, policy, decider) if before.answer == "coarsen" else None
        answer = "refuse" if proposal is None else "coarsen"
        return FoundAnswer(answer, decision, before.rules, proposal=proposal, proof="stands")
    if decider.blocked:
        why = OVERLAP if decider.overlapped else EARLIER_DATA
        return FoundAnswer("undecided", Decision("undecided", wanted.axes), (why,))
    decision = decider.decide(wanted)
    rules = tuple(dict.fromkeys(found.rule for found in (*decision.violations, *decision.unsettled)))
    if decision.answer == "undecided" and not rules and decision.ended_by is None and policy.table.refusals == "plain":
        # both sides of what is out of other data, or of groupings that cross, are too far apart
        rules = (EARLIER_DATA,)
    if decision.answer == "release":
        return FoundAnswer("release", decision, source=state.table, proof="implied" if decision.implied else "tables")
    if decision.answer == "refuse":
        proposal = _proposal(state, policy, decider)
        if proposal is not None:
            return FoundAnswer("coarsen", decision, rules, proposal=proposal, proof="bounds")
        if "simulate" in policy.table.answers:
            drawn = draw_table(state.table, known, clock, policy.table.time_limit)
            if drawn is not None:
                return FoundAnswer("simulate", decision, rules, drawn, drawn, proof="drawn")
    return FoundAnswer(decision.answer, decision, rules, proof="bounds" if decision.answer == "refuse" else "none")


def _broken_by_released(state: TableState, policy: Policy, clock: Callable[[], float]) -> tuple[str, ...]:
    """Return the rules that a marginal breaks which follows from what is out, and so is out whatever the policy is.

    Only what went out under a policy that asks for less can break a rule of this one: nothing is computed otherwise.
    """
    if not asks_more(policy.text(), state.policies):
        return ()
    decision = Decider(state, policy, clock).decide(state.marginal)
    if decision.answer != "refuse":
        return ()
    return tuple(dict.fromkeys(found.rule for found in decision.violations))


def _proposal(state: TableState, policy: Policy, decider: Decider) -> RecodedMarginal | None:
    """Return what may go out instead: what was proposed before, unless something went out since."""
    if "coarsen" not in policy.table.answers:
        return None
    before = state.before
    if before is not None and before.proposal is not None and state.unchanged_since(before.at):
        return RecodedMarginal.of(state.table, before.proposal.merged, before.proposal.names)
    found = decider.coarsen(state.marginal)
    return None if found is None else found.marginal
