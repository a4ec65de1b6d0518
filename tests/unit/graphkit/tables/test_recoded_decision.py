"""Decisions about marginals with merged categories, against all tables that have them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.tables.decisions.decision import decide
from graphkit.tables.decisions.rules import DisclosureRules
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.structure.contingency import ContingencyTable
from tests.support.disclosure_rules import keeps_the_rules
from tests.support.recoded_tables import feasible_recoded, recoded_cases
from tests.support.small_tables import table_of

RULES = st.builds(
    DisclosureRules,
    sensitive=st.sampled_from(["small", "all"]),
    threshold=st.integers(2, 4),
    min_width=st.integers(1, 4),
    min_relative_width=st.sampled_from([0.0, 0.5, 2.0]),
    hide_small=st.booleans(),
    min_values=st.sampled_from([0, 2, 3]),
    min_tables=st.sampled_from([0, 2, 5, 40]),
)


@settings(deadline=None, max_examples=300)
@given(recoded_cases(), RULES)
def test_answers_are_true(case: tuple[ContingencyTable, list[RecodedMarginal]], rules: DisclosureRules) -> None:
    table, (*out, requested) = case
    decision = decide(table, out, requested, rules)
    if decision.implied:
        assert decision.answer == "release"
        assert any(requested.within(marginal) for marginal in out)
        return
    possible = np.array([found.reshape(-1) for found in feasible_recoded(table, [*out, requested])])
    safe = keeps_the_rules(table, possible, rules)
    assert decision.answer == ("release" if safe else "refuse")
    if decision.cells is not None and decision.lower is not None and decision.upper is not None:
        assert (decision.lower <= possible[:, decision.cells].min(axis=0)).all()
        assert (decision.upper >= possible[:, decision.cells].max(axis=0)).all()


def test_merging_makes_a_harmful_marginal_harmless() -> None:
    table = table_of(np.array([[12, 9, 8, 7], [8, 1, 2, 11]]))
    assert decide(table, [], ["A", "B"]).answer == "refuse"
    merged = RecodedMarginal.of(table, {"B": [("b", "c", "d")]}, ["A", "B"])
    assert decide(table, [], merged).answer == "release"
    # what is merged in one marginal may be told apart in the other one
    assert decide(table, [["B"]], merged).answer == "release"
    assert decide(table, [merged], ["A", "B"]).answer == "refuse"


def test_a_merged_category_can_be_a_group_in_one_category() -> None:
    table = table_of(np.array([[5, 6, 9], [7, 8, 0]]))
    rules = DisclosureRules(group_disclosure=True)
    merged = RecodedMarginal.of(table, {"B": [("a", "b")]}, ["A", "B"])
    decision = decide(table, [], merged, rules)
    assert decision.answer == "refuse"
    assert decision.violations[0].rule == "group_disclosure"
    harmless = RecodedMarginal.of(table, {"B": [("b", "c")]}, ["A", "B"])
    assert decide(table, [], harmless, rules).answer == "release"


def test_groups_that_cross_are_refused() -> None:
    table = table_of(np.array([[5, 6, 9], [7, 8, 3]]))
    one = RecodedMarginal.of(table, {"B": [("a", "b")]}, ["A", "B"])
    other = RecodedMarginal.of(table, {"B": [("b", "c")]}, ["A", "B"])
    with pytest.raises(InvalidInput, match="'B' are merged in two ways that are not nested"):
        decide(table, [one], other)
