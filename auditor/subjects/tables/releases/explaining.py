"""What the officer is shown of a refusal: each cell with the rules that its bounds break, and what these ask for."""

from dataclasses import dataclass

import numpy as np

from graphkit.hierarchies.variable import Variable
from graphkit.tables.decisions.decision import Decision
from graphkit.tables.decisions.group_disclosure import disclosing_rows
from graphkit.tables.decisions.rule_check import Violation
from graphkit.tables.decisions.rules import DisclosureRules, goals_of
from graphkit.tables.structure.contingency import ContingencyTable


@dataclass(frozen=True, slots=True)
class BrokenRule:
    """A rule of the policy that a cell, a group or the table does not satisfy. Only for the officer."""

    rule: str
    required: int | float | None
    """What the policy asks for under that rule, a share for ``min_relative_width``; None where it asks for no number.
    It is a number of the policy, never one of the table."""
    cell: int | None = None
    """Number of the cell in C order; None for a rule about a group or the whole table."""
    lower: int | None = None
    upper: int | None = None
    """Proven bounds of the cell."""
    variable: int | None = None
    """The variable that nobody of a group has one of the categories of, by its position."""
    group: tuple[tuple[str, str], ...] = ()
    """What names the group: variables, each with a category of the marginal, which may be a merged one."""


def broken_rules(table: ContingencyTable, decision: Decision, rules: DisclosureRules) -> list[BrokenRule]:
    """Return all that is proven to be broken, by cell; of an undecided request, what was not settled.

    Parameters
    ----------
    table : ContingencyTable
        The one that was decided about.
    decision : Decision
    rules : DisclosureRules
        Those of the decision.

    Notes
    -----
    A decision ends with the first proof; the bounds that it has by then may break more rules of more cells, and these
    are among the answer, too. Of the two rules about widths, the relative one is named where it asks for more.

    Examples
    --------
    >>> from graphkit.tables.decisions.decision import decide
    >>> from graphkit.hierarchies.variable import Variable
    >>> table = ContingencyTable.from_dense([[1, 6], [8, 9]], [Variable(name, ("no", "yes")) for name in "AB"])
    >>> decision = decide(table, [], ["A", "B"])
    >>> [(found.rule, found.required) for found in broken_rules(table, decision, DisclosureRules())]
    [('min_width', 3), ('hide_small', 3)]
    """
    found = [
        broken
        for violation in (*decision.violations, *decision.unsettled)
        for broken in _of_violation(table, violation, rules)
    ]
    if decision.violations:
        known = {(broken.cell, broken.rule) for broken in found}
        found += [broken for broken in _by_bounds(table, decision, rules) if (broken.cell, broken.rule) not in known]
    # what is about the whole table comes first
    return sorted(found, key=lambda broken: -1 if broken.cell is None else broken.cell)


def _of_violation(table: ContingencyTable, violation: Violation, rules: DisclosureRules) -> list[BrokenRule]:
    if violation.rule != "group_disclosure":
        required = _required(violation.rule, rules)
        return [BrokenRule(violation.rule, required, violation.cell, violation.lower, violation.upper)]
    assert violation.marginal is not None
    assert violation.variable is not None
    counts, place = violation.marginal.counts(table), violation.marginal.axes.index(violation.variable)
    others = [variable for at, variable in enumerate(counts.variables) if at != place]
    return [
        BrokenRule(violation.rule, None, variable=violation.variable, group=_named(others, row))
        for row in disclosing_rows(counts.dense(), place).tolist()
        # a group of a table that was drawn may be none of this one
    ] or [BrokenRule(violation.rule, None, variable=violation.variable)]


def _named(variables: list[Variable], row: list[int]) -> tuple[tuple[str, str], ...]:
    return tuple((variable.name, variable.categories[code]) for variable, code in zip(variables, row, strict=True))


def _by_bounds(table: ContingencyTable, decision: Decision, rules: DisclosureRules) -> list[BrokenRule]:
    """Return what the bounds of all sensitive cells break, whether or not the decision looked at it."""
    if decision.cells is None or decision.lower is None or decision.upper is None:
        return []
    goals, lower, upper = goals_of(table, rules), decision.lower, decision.upper
    width = upper - lower
    broken = {
        "min_width": width < rules.min_width,
        "min_relative_width": goals.relative & (width < goals.width),
        "hide_small": upper < goals.least_upper,
    }
    return [
        BrokenRule(rule, _required(rule, rules), int(goals.cells[i]), int(lower[i]), int(upper[i]))
        for rule, places in broken.items()
        for i in np.flatnonzero(places).tolist()
    ]


def _required(rule: str, rules: DisclosureRules) -> int | float | None:
    return {
        "min_width": rules.min_width,
        "min_relative_width": float(rules.min_relative_width),
        "hide_small": rules.threshold,
        "min_values": rules.min_values,
        "min_tables": rules.min_tables,
    }.get(rule)
