"""What the officer reads behind a refusal: every rule that is proven broken, what it asks for, and never a count."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from auditor.subjects.tables.releases.explaining import BrokenRule, broken_rules
from auditor.subjects.tables.representations.requests import proven_cells
from graphkit.hierarchies.variable import Variable
from graphkit.tables.decisions.decision import Decision, decide
from graphkit.tables.decisions.rule_check import Violation
from graphkit.tables.decisions.rules import DisclosureRules, goals_of
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.structure.contingency import ContingencyTable

PAIRS = ["AB", "AC", "BC"]


def cube() -> ContingencyTable:
    counts = np.array([1, 6, 7, 8, 9, 10, 5, 1]).reshape(2, 2, 2)
    return ContingencyTable.from_dense(counts, [Variable(name, ("no", "yes")) for name in "ABC"])


def explained(table: ContingencyTable, rules: DisclosureRules, *sets: str) -> list[BrokenRule]:
    *out, last = sets
    decision = decide(table, out, last, rules)
    assert decision.answer == "refuse"
    return broken_rules(table, decision, rules)


def test_a_cell_that_breaks_two_rules_is_there_with_both() -> None:
    rules = DisclosureRules(threshold=4, min_width=3)
    found = explained(cube(), rules, *PAIRS)
    assert found == [
        BrokenRule("min_width", 3, cell=0, lower=0, upper=2),
        BrokenRule("hide_small", 4, cell=0, lower=0, upper=2),
        BrokenRule("min_width", 3, cell=7, lower=0, upper=2),
        BrokenRule("hide_small", 4, cell=7, lower=0, upper=2),
    ]


def test_every_rule_that_the_bounds_break_is_named_and_no_other() -> None:
    for rules in (
        DisclosureRules(sensitive="all", min_width=1, min_relative_width=0.5),
        DisclosureRules(sensitive="all", min_width=4, hide_small=False),
        DisclosureRules(threshold=9, min_width=1),
    ):
        table = cube()
        decision = decide(table, PAIRS[:2], PAIRS[2], rules)
        assert decision.answer == "refuse"
        assert decision.lower is not None
        assert decision.upper is not None
        goals = goals_of(table, rules)
        found = broken_rules(table, decision, rules)
        assert len({(broken.cell, broken.rule) for broken in found}) == len(found)
        for i, cell in enumerate(goals.cells.tolist()):
            width, upper = decision.upper[i] - decision.lower[i], decision.upper[i]
            named = {broken.rule for broken in found if broken.cell == cell}
            assert ("min_width" in named) == (width < rules.min_width)
            assert ("hide_small" in named) == (upper < goals.least_upper[i])
            assert ("min_relative_width" in named) == bool(goals.relative[i] and width < goals.width[i])


def test_a_share_is_told_as_a_share() -> None:
    # in people it would tell the count
    rules = DisclosureRules(sensitive="all", min_width=1, min_relative_width=0.5, hide_small=False)
    shares = [found for found in explained(cube(), rules, *PAIRS) if found.rule == "min_relative_width"]
    assert shares
    assert {found.required for found in shares} == {0.5}


def test_a_group_is_named_by_its_categories() -> None:
    sex, region = Variable("sex", ("f", "m")), Variable("region", ("north", "south"))
    counts = np.array([[[9, 0], [8, 7]], [[7, 9], [5, 6]]])
    table = ContingencyTable.from_dense(counts, [sex, region, Variable("ill", ("no", "yes"))])
    rules = DisclosureRules(group_disclosure=True)
    found = explained(table, rules, table.names)  # type: ignore[arg-type]
    assert BrokenRule("group_disclosure", None, variable=2, group=(("sex", "f"), ("region", "north"))) in found
    # the ill of one sex are all of the south, and the ill of the north of one sex
    assert {(broken.variable, broken.group) for broken in found} == {
        (2, (("sex", "f"), ("region", "north"))),
        (1, (("sex", "f"), ("ill", "yes"))),
        (0, (("region", "north"), ("ill", "yes"))),
    }


def test_a_group_may_have_a_merged_category() -> None:
    sex, age = Variable("sex", ("f", "m")), Variable("age", ("0-39", "40-79", "80+"))
    table = ContingencyTable.from_dense([[5, 6, 7], [8, 9, 0]], [sex, age])
    merged = RecodedMarginal.of(table, {"age": [("0-39", "40-79")]}, ["sex", "age"])
    rules = DisclosureRules(group_disclosure=True)
    found = broken_rules(table, decide(table, [], merged, rules), rules)
    assert {(broken.variable, broken.group) for broken in found} == {(0, (("age", "80+"),)), (1, (("sex", "m"),))}
    other = RecodedMarginal.of(table, {"age": [("40-79", "80+")]}, ["sex", "age"])
    table = ContingencyTable.from_dense([[5, 0, 0], [8, 9, 4]], [sex, age])
    (first, second) = broken_rules(table, decide(table, [], other, rules), rules)
    assert (first.variable, first.group) == (0, (("age", "40-79 + 80+"),))
    assert (second.variable, second.group) == (1, (("sex", "f"),))


def test_rules_about_the_whole_table_come_first() -> None:
    rules = DisclosureRules(min_width=1, hide_small=False, min_tables=5)
    (found,) = explained(cube(), rules, *PAIRS)
    assert found == BrokenRule("min_tables", 5)


def test_what_was_not_settled_is_not_called_broken() -> None:
    table, rules = cube(), DisclosureRules(sensitive="all")
    cells = goals_of(table, rules).cells
    narrow = np.zeros(cells.size, dtype=np.int64)
    unsettled = (Violation("min_width", 3, 2, 9),)
    decision = Decision("undecided", (0, 1), (), unsettled, False, cells.size, cells, narrow, narrow)
    assert broken_rules(table, decision, rules) == [BrokenRule("min_width", 3, cell=3, lower=2, upper=9)]


def test_how_many_cells_are_proven_is_told_of_undecided_requests_alone() -> None:
    def proven_of(answer: str, decision: Decision) -> dict[str, int] | None:
        return proven_cells(SimpleNamespace(recorded=SimpleNamespace(answer=answer), decision=decision))  # type: ignore[arg-type]

    assert proven_of("undecided", Decision("undecided", (0,), sensitive=7, proven=5)) == {"cells": 5, "of": 7}
    assert proven_of("undecided", Decision("undecided", (0,))) is None
    assert proven_of("release", Decision("release", (0,), sensitive=7, proven=7)) is None
