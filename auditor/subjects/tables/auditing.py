"""A policy applied to what is out of a table: all released marginals together."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from auditor.core.finding import Finding
from auditor.subjects.tables.policy import TablePolicy
from auditor.subjects.tables.releases.explaining import BrokenRule, broken_rules
from auditor.subjects.tables.releases.history import ReleasedHistory, present_bounds
from auditor.subjects.tables.stored.releases import TableState
from graphkit.budget import Budget
from graphkit.numbers import counted
from graphkit.tables.decisions.decision import DECISION_WORK, KnownBounds
from graphkit.tables.decisions.two_sided import decide_translated
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.versions.translated_marginals import TranslatedMarginals

WHERE = "what is out"
_GONE = "a release cannot be compared with the current data, and the earlier counts are not stored any more"
_UNSAID = "{names} not declared; declare what became of them ('auditor table map')"
_OVERLAP = "other tables are similar; declare whether they have respondents in common ('auditor table overlap')"
_BETWEEN = "releases of other versions, or crossing groupings, allow no proof of either answer"
_MESSAGES = {
    "min_width": "{cells} bounded too tightly: at least {required} must lie between the bounds",
    "min_relative_width": "{cells} bounded too tightly: at least {required:g} of the count must lie between the bounds",
    "hide_small": "{cells} known to be below {required}",
    "min_values": "{cells} can have fewer than {required} different counts",
    "min_tables": "fewer than {required} tables have the released marginals",
    "group_disclosure": "{groups} known to have no member in one of the categories",
}


def audit_table(state: TableState, policy: TablePolicy, clock: Callable[[], float]) -> tuple[Finding, ...]:
    """Return what a policy says of all that is out of a table's population, held against its present counts.

    Parameters
    ----------
    state : TableState
        The table, and all that is out.
    policy : TablePolicy
        Its rules, and the seconds that proving may take.
    clock : callable
        Returns seconds.

    Notes
    -----
    One finding a rule: how many protected cells are proven to break it; never which, nor a count of people. What could
    be neither proven nor ruled out in time is a finding of severity ``undecided``. Simulated marginals are left out.
    Earlier data are looked at, too, where something of them that is out has no place in the present table.
    """
    history = ReleasedHistory(state.history, state.row.data)
    here = history.present.version
    found = _about(state.table, history.told(here), policy, clock, WHERE, present_bounds(state))
    for number, names in history.unaccounted.items():
        where = f"{WHERE}, version {number} of the data"
        message = _UNSAID.format(names=", ".join(f"'{name}'" for name in names))
        found.append(Finding("earlier_data", where, "undecided", len(names), 0, message))
    for version in history.others:
        where = f"{WHERE}, version {version.version} of the data"
        if version.table is not None:
            more = _about(version.table, history.told(version.version), policy, clock, where, None)
            # where its cells are made of the present ones, these tell what is undecided here
            found += [one for one in more if one.severity == "violation" or not history.is_within(version)]
    looking_alike = sum(kinship.released for kinship in state.kinships)
    if looking_alike:
        found.append(Finding("population_overlap", WHERE, "undecided", looking_alike, 0, _OVERLAP))
    if history.blocked and not history.unaccounted:
        found.append(Finding("earlier_data", WHERE, "undecided", 1, 0, _GONE))
    return tuple(found)


def _about(
    table: ContingencyTable,
    told: TranslatedMarginals,
    policy: TablePolicy,
    clock: Callable[[], float],
    where: str,
    present: KnownBounds | None,
) -> list[Finding]:
    rules, budget = policy.rules(), Budget(clock, policy.time_limit, work_limit=DECISION_WORK)
    decision = decide_translated(table, told, (), rules, np.random.default_rng(0), budget, present)
    if decision.answer == "release":
        return []
    if decision.answer == "undecided" and not decision.unsettled:
        return [Finding("earlier_data", where, "undecided", 1, 0, _BETWEEN)]
    found = broken_rules(table, decision, rules)
    names = dict.fromkeys(broken.rule for broken in found)
    unsettled = decision.answer == "undecided"
    findings = [_finding(name, [one for one in found if one.rule == name], where, unsettled) for name in names]
    if unsettled and decision.proven is not None:
        shown = f"; proven: {decision.proven} of {counted(decision.sensitive, 'protected cell', 'protected cells')}"
        shown += "; the clock ended it" if decision.ended_by == "time" else ""
        findings = [replace(one, message=f"{one.message}{shown}") for one in findings]
    return findings


def _finding(rule: str, broken: list[BrokenRule], where: str, unsettled: bool) -> Finding:
    cells = len({one.cell for one in broken if one.cell is not None})
    groups = sum(one.variable is not None for one in broken)
    message = _MESSAGES[rule].format(
        cells=counted(cells, "protected cell", "protected cells"),
        groups=counted(groups, "group", "groups"),
        required=broken[0].required,
    )
    if unsettled:
        message = f"neither proven nor ruled out within the limits: {message}"
    return Finding(rule, where, "undecided" if unsettled else "violation", cells or groups or 1, 0, message)
