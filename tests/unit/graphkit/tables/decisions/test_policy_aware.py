"""A reader who knows the policy leaves out what it would have refused: by brute force over all tables."""

from __future__ import annotations

from itertools import combinations, islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.tables.decisions import policy_aware
from graphkit.tables.decisions.decision import decide
from graphkit.tables.decisions.policy_aware import decide_policy_aware, leaves_nothing_out, list_tables
from graphkit.tables.decisions.rules import DisclosureRules, goals_of
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.structure.released import ReleasedMarginals
from tests.support.small_tables import all_sets, feasible_tables, table_of, tables

RULES = (
    DisclosureRules(),
    DisclosureRules(hide_small=False, min_width=2),
    DisclosureRules(sensitive="all", min_width=2, hide_small=False),
    DisclosureRules(sensitive="named", named=(("A", "a"),), min_width=2),
    DisclosureRules(hide_small=False, min_width=1, min_values=3, min_tables=4),
    DisclosureRules(sensitive="all", min_width=1, min_relative_width=0.75, hide_small=False),
)
NARROWED = np.array([2, 4, 1, 2, 3, 4, 0, 1, 0, 2, 1, 0, 0, 1, 2, 2]).reshape(2, 2, 2, 2)


def answer(
    table: ContingencyTable, order: list[Any], rules: DisclosureRules, most: int = 100_000
) -> tuple[str, tuple[Any, ...]]:
    *before, wanted = [RecodedMarginal.plain(table, axes) for axes in order]
    found = decide_policy_aware(table, before, wanted, rules, most=most, budget=Budget())
    return found.answer, found.violations


def tables_like(table: ContingencyTable, sets: list[Any], most: int = 10**6) -> list[Any]:
    return list(islice(feasible_tables(ReleasedMarginals.of(table, sets)), most))


def is_safe(counts: Any, possible: list[Any], like: ContingencyTable, rules: DisclosureRules) -> bool:
    """Whether the rules hold of a table, if these are all that are possible; a cell after the other."""
    if len(possible) < rules.min_tables:
        return False
    goals = goals_of(ContingencyTable.from_dense(counts.reshape(like.shape), like.variables), rules)
    for cell, width, least_upper in zip(goals.cells, goals.width, goals.least_upper, strict=True):
        values = {int(one.reshape(-1)[cell]) for one in possible}
        if max(values) - min(values) < width or max(values) < least_upper or len(values) < rules.min_values:
            return False
    return True


def left_by_brute_force(table: ContingencyTable, order: list[Any], rules: DisclosureRules) -> list[Any]:
    """Return the tables left to the reader of all releases, for whom the policy would have released them all."""
    chosen = [axes for axes in order if axes]
    full = tables_like(table, chosen[:1])
    for number, axes in enumerate(chosen, start=1):
        others = tuple(axis for axis in range(len(table.shape)) if axis not in axes)
        true = table.dense().sum(axis=others)
        full = [one for one in full if np.array_equal(one.reshape(table.shape).sum(axis=others), true)]
        while True:
            safe = [one for one in full if is_safe(one, full, table, rules)]
            if len(safe) == len(full):
                break
            full = safe
        if not full:
            return []
        assert number
    return full


@settings(deadline=None, max_examples=60)
@given(tables(), st.data())
def test_what_is_released_is_safe_for_whoever_knows_the_policy(table: ContingencyTable, data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from(RULES))
    sets = [axes for axes in all_sets(len(table.shape)) if axes]
    order = data.draw(st.lists(st.sampled_from(sets), min_size=1, max_size=3, unique=True))
    if len(tables_like(table, order[:1], 301)) > 300:
        return
    left = left_by_brute_force(table, order, rules)
    true = table.dense().reshape(-1)
    expected = any(np.array_equal(one.reshape(-1), true) for one in left)
    found, why = answer(table, order, rules)
    assert found == ("release" if expected else "refuse")
    assert bool(why) != expected
    if expected:
        assert is_safe(true, left, table, rules)
        assert decide(table, order[:-1], order[-1], rules).answer in ("release", "undecided")


def test_the_last_release_that_narrows_a_cell_for_whoever_knows_the_policy_is_refused() -> None:
    table, order = table_of(NARROWED), list(combinations(range(4), 2))
    assert [decide(table, order[:i], order[i]).answer for i in range(6)] == ["release"] * 6
    assert [answer(table, order[: i + 1], DisclosureRules())[0] for i in range(6)] == ["release"] * 5 + ["refuse"]
    ((violation,),) = [answer(table, order, DisclosureRules())[1]]
    assert (violation.rule, violation.lower, violation.upper) == ("hide_small", 0, 1)


def test_more_tables_than_may_be_listed_are_undecided() -> None:
    table, order = table_of(NARROWED), list(combinations(range(4), 2))
    found = list_tables(table, [RecodedMarginal.plain(table, axes) for axes in order], 65, Budget())
    assert found is not None
    assert len(found) == 65
    assert answer(table, order, DisclosureRules(), most=65)[0] == "refuse"
    assert answer(table, order, DisclosureRules(), most=64)[0] == "undecided"


def test_nothing_is_listed_where_no_table_would_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(np.full((8, 8, 8), 40))
    monkeypatch.setattr(policy_aware, "list_tables", lambda *_: None)
    assert answer(table, [(0,), (1,), (0, 2)], DisclosureRules())[0] == "release"


@pytest.mark.parametrize("rules", RULES)
def test_nothing_is_left_out_only_where_every_table_keeps_the_rules(rules: DisclosureRules) -> None:
    rng = np.random.default_rng(3)
    claimed = 0
    for _ in range(60):
        table = table_of(rng.integers(0, 6, (2, 2, 2)))
        sets = [[(0, 1)], [(0,), (1,), (2,)], [(0, 1), (1, 2)], [(0, 1), (0, 2), (1, 2)]][rng.integers(4)]
        marginals = [RecodedMarginal.plain(table, axes) for axes in sets]
        if leaves_nothing_out(table, marginals, rules, Budget()):
            possible = tables_like(table, sets, 2_000)
            assert len(possible) == 2_000 or all(is_safe(one, possible, table, rules) for one in possible[::20])
            claimed += 1
    # rules about numbers of values or tables are always tried on lists
    assert claimed or rules.min_values


def test_merged_categories_are_listed_where_each_is_seen_somewhere() -> None:
    table = table_of(np.array([[3, 1, 2], [2, 4, 1]]))
    merged = RecodedMarginal.of(table, {"B": [("b", "c")]}, ["A", "B"])
    whole = RecodedMarginal.plain(table, (1,))
    found = list_tables(table, [merged, whole], 1000, Budget())
    assert found is not None
    assert any(np.array_equal(one, table.dense().reshape(-1)) for one in found)
    for one in found:
        counts = ContingencyTable.from_dense(one.reshape(table.shape), table.variables)
        assert merged.same(counts, table)
        assert whole.same(counts, table)
    # categories that are merged in all marginals are not listed
    assert list_tables(table, [merged], 1000, Budget()) is None
