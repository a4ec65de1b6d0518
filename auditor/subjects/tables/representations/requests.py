"""What is published of a request for a marginal: the answer to its requester, the cells behind it to the officer."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field

from auditor.core.plain import plain
from auditor.core.representation import Representation
from auditor.formats.tables.names import quoted
from auditor.formats.tables.words import in_words
from auditor.policy import Policy
from auditor.subjects.tables.policy import TablePolicy
from auditor.subjects.tables.releases.explaining import BrokenRule
from auditor.subjects.tables.releases.recording import RequestAnswer
from auditor.subjects.tables.representations.cells import named_cell
from auditor.subjects.tables.stored.recorded_answers import RecordedAnswer
from graphkit.hierarchies.variable import Variable

_SENTENCES = {
    "min_width": "with the released marginals, a protected cell would be bounded too tightly",
    "min_relative_width": "with the released marginals, a protected cell would be bounded too tightly for its count",
    "hide_small": "with the released marginals, a small count would be known to be small",
    "min_values": "with the released marginals, a protected cell would have too few possible counts",
    "min_tables": "with the released marginals, too few tables would be possible",
    "group_disclosure": "it shows that no member of a group is in a category",
}

_ENDED = {
    "work": "the work that one decision may take was done; the same request would end the same",
    "time": "the time limit (time_limit) ended it; request it again when the machine is less busy",
}


_UNDECIDED = {
    "earlier_data": "earlier_data: a release of another version of the data cannot be compared with this "
    "table; declare what became of its variables with 'auditor table map'",
    "population_overlap": "population_overlap: a similar table has releases; declare whether it has respondents in "
    "common with 'auditor table overlap'",
}


class RequestOut(Representation):
    """The answer to a request."""

    model_config = ConfigDict(extra="allow")

    table: str
    marginal: list[str] = Field(validation_alias="names")
    merged: dict[str, list[list[str]]]
    answer: str
    rules: list[str]
    proposal: dict[str, Any] | None
    by: str
    policy: str = Field(validation_alias="policy_hash")
    simulated: bool
    implied: bool
    repeated: bool
    entry: int
    approval: str | None = Field(default=None, description="id of the pending approval")
    reasons: list[str]
    ended_by: str | None = Field(
        default=None, description="of an undecided request: 'work', the same everywhere, 'time' for the clock, or null"
    )


def request_out(
    name: str, answer: RequestAnswer, reasons: list[str], cells: list[dict[str, Any]] | None, remarks: list[str]
) -> RequestOut:
    """Return what is published of the answer to a request; docs/table-requests.md explains its fields."""
    recorded, decision = answer.recorded, answer.decision
    return RequestOut.from_record(
        recorded,
        table=name,
        proposal=plain(recorded.proposal),
        simulated=recorded.answer == "simulate",
        implied=decision.implied,
        reasons=reasons,
        remarks=[*answer.remarks, *remarks],
        ended_by=decision.ended_by if recorded.answer == "undecided" else None,
        **({} if cells is None else {"cells": plain(cells), "proven": proven_cells(answer)}),
    )


def request_data(
    name: str, answer: RequestAnswer, file: Path | None, cells: list[dict[str, Any]] | None, remarks: list[str]
) -> dict[str, Any]:
    """Return the answer to a request for `--json`, with the file of the counts."""
    return {**request_out(name, answer, [], cells, remarks).model_dump(exclude={"reasons"}), "file": file}


def proven_cells(answer: RequestAnswer) -> dict[str, int] | None:
    """Return of how many protected cells an undecided request is proven to keep the rules, for the officer alone.

    How many there are tells how many small counts the table has.
    """
    decision = answer.decision
    if answer.recorded.answer != "undecided" or decision.proven is None:
        return None
    return {"cells": decision.proven, "of": decision.sensitive}


def explained_cells(answer: RequestAnswer, policy: Policy) -> list[dict[str, Any]]:
    """Return what is behind a refusal, for the officer: cells with their bounds, and what the policy asks for.

    What is exactly determined is said without a number: it would be the count.
    """
    from auditor.subjects.tables.releases.explaining import broken_rules

    variables = answer.table.variables
    return [_named(broken, variables) for broken in broken_rules(answer.table, answer.decision, policy.table.rules())]


def reasons_of(answer: RequestAnswer, sampled: bool) -> list[str]:
    """Say why, in words that anybody may read."""
    reasons = reasons_in_words(answer.recorded, sampled, implied=answer.decision.implied)
    if answer.recorded.answer == "undecided" and answer.decision.ended_by is not None:
        reasons.append(_ENDED[answer.decision.ended_by])
    return reasons


def reasons_in_words(recorded: RecordedAnswer, sampled: bool, *, implied: bool) -> list[str]:
    """Say why a recorded answer is what it is, in words that anybody may read."""
    if recorded.answer == "pending":
        return ["it is released when another person approves it; nothing is released yet"]
    if recorded.answer == "undecided":
        known = [sentence for rule, sentence in _UNDECIDED.items() if rule in recorded.rules]
        if known:
            return known
        return ["neither answer could be proven within the limits: it is not released"]
    if recorded.answer == "simulate":
        return [
            "the counts are those of a random table that has all released marginals",
            "tell every recipient that they are simulated",
        ]
    if recorded.answer == "release":
        if implied:
            return ["it follows from released marginals", *_unsatisfied(recorded)]
        if sampled:
            return [
                "it shows no protected count by itself, and would be safe in every table drawn from what is out: "
                "likely, not proven"
            ]
        return ["no protected count is disclosed by it together with all earlier releases"]
    reasons = [f"{rule}: {_SENTENCES[rule]}" for rule in recorded.rules]
    if recorded.proposal is not None:
        reasons.append(f"may be released instead: {in_words(recorded.proposal.names, recorded.proposal.merged)}")
    return reasons


def way_on(answer: str, names: Sequence[str], variables: Iterable[Variable], policy: TablePolicy) -> str | None:
    """Say what may be requested instead of a marginal that was refused without a proposal; None otherwise."""
    if answer != "refuse":
        return None
    if "coarsen" in policy.answers:
        return "no coarser marginal was found that may be released; request fewer variables"
    many = [quoted(one.name) for one in variables if one.name in names and one.size > 2]
    if not many:
        return "request fewer variables"
    return (
        f"a coarser marginal may be released: merge categories of {' or '.join(many)}, or request fewer variables; "
        'with answers = ["release", "refuse", "coarsen"] in the policy, a refusal proposes what to merge'
    )


def _unsatisfied(recorded: RecordedAnswer) -> list[str]:
    """Say that what is out already does not satisfy the policy of a request, where it does not."""
    if not recorded.rules:
        return []
    return [
        f"it does not satisfy this policy ({', '.join(recorded.rules)}): what it follows from was released under "
        "another one; it discloses nothing new"
    ]


def _named(broken: BrokenRule, variables: tuple[Variable, ...]) -> dict[str, Any]:
    shown: dict[str, Any] = {"rule": broken.rule, "required": broken.required}
    if broken.variable is not None:
        return {**shown, "variable": variables[broken.variable].name, "group": dict(broken.group)}
    if broken.cell is None:
        return shown
    shown["cell"] = named_cell(variables, broken.cell)
    if broken.lower is not None and broken.lower == broken.upper:
        return {**shown, "exactly_determined": True}
    return {**shown, "lower": broken.lower, "upper": broken.upper}
