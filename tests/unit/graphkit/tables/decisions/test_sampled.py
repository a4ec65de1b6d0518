"""Decisions over drawn tables: a function of what is released, but for a stop at what a marginal shows by itself."""

from __future__ import annotations

import math
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.hierarchies.variable import Variable
from graphkit.tables.decisions import sampled
from graphkit.tables.decisions.decision import decide, decide_set
from graphkit.tables.decisions.rules import DisclosureRules, goals_of
from graphkit.tables.decisions.sampled import CONCENTRATIONS, decide_by_itself, decide_drawn, draw_from_prior
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.structure.released import ReleasedMarginals
from tests.support.small_tables import all_sets, feasible_tables, table_of, tables

RULES = (
    DisclosureRules(),
    DisclosureRules(hide_small=False, min_width=1),
    DisclosureRules(sensitive="all", min_relative_width=0.5),
    DisclosureRules(sensitive="named", named=(("A", "a"),), min_width=2),
    DisclosureRules(group_disclosure=True),
)


def plain(table: ContingencyTable, axes: Any) -> RecodedMarginal:
    return RecodedMarginal.plain(table, tuple(axes))


def drawn(table: ContingencyTable, known: list[RecodedMarginal], number: int = 10, seed: int = 1) -> Any:
    return draw_from_prior(table, known, number, np.random.default_rng(seed), Budget())


def test_a_marginal_that_shows_a_single_person_is_refused_though_nothing_is_released() -> None:
    table = ContingencyTable.from_dense([97, 20, 1], [Variable("illness", ("none", "flu", "HIV"))])
    assert decide_by_itself(table, plain(table, [0]), DisclosureRules(), Budget()).answer == "refuse"
    harmless = ContingencyTable.from_dense([97, 20, 3], table.variables)
    assert decide_by_itself(harmless, plain(table, [0]), DisclosureRules(), Budget()).answer == "release"


@settings(deadline=None, max_examples=80)
@given(tables(), st.data())
def test_what_a_marginal_shows_by_itself_is_what_its_decision_finds(
    table: ContingencyTable, data: st.DataObject
) -> None:
    rules = data.draw(st.sampled_from([rule for rule in RULES if rule.sensitive != "named"]))
    axes = data.draw(st.sampled_from([axes for axes in all_sets(len(table.shape)) if axes]))
    goals = goals_of(table, rules)
    shown = sampled._Groups.of(plain(table, axes), table.shape).shown(table, goals)
    free = DisclosureRules(**{**{name: getattr(rules, name) for name in rules.__slots__}, "group_disclosure": False})
    found = decide(table, [], axes, free)
    assert (found.answer == "refuse") == bool(shown.any())


def test_half_of_the_prior_has_small_cells_where_nothing_is_released() -> None:
    table = table_of(np.full((3, 3), 30))
    found = drawn(table, [], number=20)
    assert len(found) == 20 * len(CONCENTRATIONS)
    small = [bool((one.counts < 3).any()) for one in found]
    assert sum(small) > len(found) / 4
    # a prior of the total alone had none
    assert CONCENTRATIONS[0] == math.inf


@settings(deadline=None, max_examples=15)
@given(tables(), st.data())
def test_the_answer_is_the_same_for_all_tables_with_the_same_releases(
    table: ContingencyTable, data: st.DataObject
) -> None:
    sets = data.draw(st.lists(st.sampled_from(all_sets(len(table.shape))), min_size=1, max_size=3))
    axes = data.draw(st.sampled_from([axes for axes in all_sets(len(table.shape)) if axes]))
    rules = RULES[0]
    answers = set()
    for counts in islice(feasible_tables(ReleasedMarginals.of(table, sets)), 4):
        other = ContingencyTable.from_dense(counts.reshape(table.shape), table.variables)
        known = [plain(other, one) for one in sets if one]
        wanted = plain(other, axes)
        answers.add(decide_drawn(drawn(other, known, 4), known, wanted, rules, Budget()).answer)
    assert len(answers) == 1


@settings(deadline=None, max_examples=30)
@given(tables(), st.data())
def test_a_release_is_safe_in_every_drawn_table_but_for_what_the_marginal_shows(
    table: ContingencyTable, data: st.DataObject
) -> None:
    rules = data.draw(st.sampled_from([one for one in RULES if one.sensitive != "named" and not one.group_disclosure]))
    sets = data.draw(st.lists(st.sampled_from(all_sets(len(table.shape))), min_size=1, max_size=3))
    axes = data.draw(st.sampled_from([axes for axes in all_sets(len(table.shape)) if axes]))
    known, wanted = [plain(table, one) for one in sets if one], plain(table, axes)
    if any(wanted.within(one) for one in known):
        return
    found = drawn(table, known, 4)
    answer = decide_drawn(found, known, wanted, rules, Budget()).answer
    together = {*known, wanted}
    exact = []
    for one in found:
        goals = goals_of(one, rules)
        exempt = goals.cells[sampled._Groups.of(wanted, one.shape).shown(one, goals)]
        rng = np.random.default_rng(0)
        exact.append(decide_set(one, together, axes, rules, rng, Budget(), exempt=exempt).answer)
    assert answer == ("refuse" if "refuse" in exact else "undecided" if "undecided" in exact else "release")


def test_groups_are_looked_at_in_the_true_marginal_and_in_what_is_released() -> None:
    rules = DisclosureRules(group_disclosure=True, min_width=1, hide_small=False)
    full, hole = np.full((2, 2, 2), 9), np.full((2, 2, 2), 9)
    hole[0, 0] = 0
    for counts, shown in ((full, False), (hole, True)):
        table = table_of(counts)
        pair, other = plain(table, (0, 1)), plain(table, (1, 2))
        assert (decide_by_itself(table, pair, rules, Budget()).answer == "refuse") == shown
        # a draw in which the wanted marginal has a zero says nothing: the true one has none
        found = decide_drawn(drawn(table, [pair], 20), [pair], other, rules, Budget())
        assert (found.answer == "refuse") == shown
        assert [violation.rule for violation in found.violations] == ["group_disclosure"] * shown


def test_merged_categories_are_decided_too() -> None:
    table = table_of(np.array([[9, 8, 7], [6, 5, 9]]))
    wanted = RecodedMarginal.of(table, {"B": [("b", "c")]}, ["A", "B"])
    known = [plain(table, [0])]
    found = decide_drawn(drawn(table, known), known, wanted, DisclosureRules(), Budget())
    assert found.answer in ("release", "refuse")
    assert all(violation.cell is None for violation in found.violations)


def test_time_that_ran_out_is_no_release() -> None:
    ticks = iter(range(10**6))
    table, known = table_of(np.full((2, 2, 2), 9)), [(0, 1), (1, 2)]
    marginals = [plain(table, axes) for axes in known]
    budget = Budget(lambda: float(next(ticks)), 5.0)
    assert draw_from_prior(table, marginals, 5, np.random.default_rng(0), budget) is None


@pytest.mark.parametrize("seed", [1, 2])
def test_the_same_seed_gives_the_same_draws(seed: int) -> None:
    table = table_of(np.full((2, 2, 2), 9))
    one, two = (drawn(table, [plain(table, (0, 1))], 3, seed) for _ in range(2))
    assert [a.dense().tolist() for a in one] == [b.dense().tolist() for b in two]
