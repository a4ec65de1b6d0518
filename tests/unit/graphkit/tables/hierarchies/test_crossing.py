"""Groupings of a variable that cross: bounds and decisions against all tables that have the marginals."""

from __future__ import annotations

import numpy as np
from hypothesis import event, given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.errors import InvalidInput
from graphkit.hierarchies.grouping import numbered
from graphkit.tables.decisions.rules import DisclosureRules
from graphkit.tables.decisions.two_sided import decide_translated
from graphkit.tables.hierarchies.crossing import refined_crossings, without_crossings
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.sharp_bounds.cell_bounds import bounds
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.versions.translated_marginals import TranslatedMarginals
from tests.support.disclosure_rules import keeps_the_rules
from tests.support.recoded_tables import feasible_recoded
from tests.support.small_tables import table_of

Case = tuple[ContingencyTable, list[RecodedMarginal]]
RULES = st.builds(
    DisclosureRules,
    sensitive=st.sampled_from(["small", "all"]),
    threshold=st.integers(2, 3),
    min_width=st.integers(1, 3),
    hide_small=st.booleans(),
    min_values=st.sampled_from([0, 2]),
    min_tables=st.sampled_from([0, 3]),
)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    shape = draw(st.sampled_from([(4,), (4, 2), (3, 3), (4, 3), (4, 2, 2)]))
    people = draw(st.lists(st.integers(0, int(np.prod(shape)) - 1), max_size=6))
    table = table_of(np.bincount(np.array(people, dtype=np.int64), minlength=int(np.prod(shape))).reshape(shape))
    marginals = []
    for _ in range(draw(st.integers(1, 4))):
        axes = sorted(draw(st.sets(st.integers(0, len(shape) - 1), min_size=1)))
        groups = [draw(st.lists(st.integers(0, 2), min_size=shape[axis], max_size=shape[axis])) for axis in axes]
        marginals.append(RecodedMarginal(tuple(axes), tuple(numbered(one) for one in groups)))
    return table, marginals


@settings(deadline=None, max_examples=150)
@given(cases(), RULES)
def test_what_is_said_is_true(case: Case, rules: DisclosureRules) -> None:
    table, marginals = case
    translated = TranslatedMarginals(frozenset(marginals), frozenset(marginals))
    decision = decide_translated(table, translated, (), rules, np.random.default_rng(0), Budget())
    possible = np.array([found.reshape(-1) for found in feasible_recoded(table, marginals)])
    safe = keeps_the_rules(table, possible, rules)
    event(decision.answer)
    if decision.answer != "undecided":
        assert decision.answer == ("release" if safe else "refuse")
    try:
        found = bounds(table, marginals)
    except InvalidInput:
        return
    # what the engines take is decided
    assert decision.answer != "undecided"
    assert found.lower.tolist() == possible.min(axis=0).tolist()
    assert found.upper.tolist() == possible.max(axis=0).tolist()


@settings(deadline=None, max_examples=100)
@given(cases())
def test_both_sides_are_on_their_side(case: Case) -> None:
    table, marginals = case
    upper, lower = refined_crossings(marginals, table.variables), without_crossings(marginals, table.variables)
    assert all(any(one.within(finer) for finer in upper) for one in marginals)
    assert set(lower) <= set(marginals)
    for side in (upper, lower):
        bounds(table, side)
