"""Coarser marginals that could go out instead: they do pass, and no finer one does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.errors import InvalidInput
from graphkit.hierarchies.grouping import Grouping, is_coarser
from graphkit.hierarchies.hierarchy import chain_of
from graphkit.hierarchies.variable import Variable
from graphkit.tables.decisions.coarsening import Coarsening, refine
from graphkit.tables.decisions.decision import DECISION_WORK, decide, decide_set
from graphkit.tables.decisions.rules import DisclosureRules
from graphkit.tables.hierarchies.recoding import RecodedMarginal, recoded
from graphkit.tables.structure.contingency import ContingencyTable
from tests.support.recoded_tables import recoded_cases
from tests.support.small_tables import autoworkers, table_of

RULES = st.builds(DisclosureRules, min_width=st.integers(1, 3), hide_small=st.booleans())


def find_coarsening(
    table: ContingencyTable,
    released: Iterable[Iterable[str | int] | RecodedMarginal],
    requested: Iterable[str | int] | RecodedMarginal,
    rules: DisclosureRules | None = None,
    *,
    time_limit: float | None = None,
    clock: Callable[[], float] | None = None,
) -> Coarsening | None:
    """Refine with decisions, each of which has an eighth of the time and of the work."""
    out = [recoded(table, marginal) for marginal in released]
    total = Budget(clock, time_limit, work_limit=DECISION_WORK)

    def passes(marginal: RecodedMarginal) -> bool:
        rng, budget = np.random.default_rng(0), total.part(8)
        decision = decide_set(table, [*out, marginal], marginal.axes, rules or DisclosureRules(), rng, budget)
        total.charge(budget.work)
        return decision.answer == "release"

    return refine(recoded(table, requested), out, passes, total)


def divided(
    found: RecodedMarginal, requested: RecodedMarginal, out: list[RecodedMarginal]
) -> Iterator[RecodedMarginal]:
    """Yield the marginals with one category divided in two neighbours, or one variable more, divided in two."""
    for axis, finest in zip(requested.axes, requested.groupings, strict=True):
        now = found.grouping(axis) if axis in found.axes else (0,) * len(finest)
        for border in range(1, len(finest)):
            both = [(group, category >= border) for category, group in enumerate(now)]
            numbers: dict[tuple[int, bool], int] = {}
            finer: Grouping = tuple(numbers.setdefault(key, len(numbers)) for key in both)
            chain = chain_of([finer, finest, *(one.grouping(axis) for one in out if axis in one.axes)])
            if max(finer) == max(now) + 1 and is_coarser(finer, finest) and chain is not None:
                groupings = dict(zip(found.axes, found.groupings, strict=True)) | {axis: finer}
                axes = tuple(sorted(groupings))
                yield RecodedMarginal(axes, tuple(groupings[one] for one in axes))


@settings(deadline=None, max_examples=150)
@given(recoded_cases(most=20), RULES)
def test_it_passes_and_no_finer_one_does(
    case: tuple[ContingencyTable, list[RecodedMarginal]], rules: DisclosureRules
) -> None:
    table, (*out, requested) = case
    if decide(table, out, requested, rules).answer != "refuse":
        return
    found = find_coarsening(table, out, requested, rules)
    nothing = RecodedMarginal((), ())
    if found is None:
        started = nothing
    else:
        assert found.complete
        assert found.marginal.within(requested)
        assert not found.marginal.is_plain or found.marginal.axes != requested.axes
        decision = decide(table, out, found.marginal, rules)
        assert decision.answer == "release"
        assert not decision.implied
        started = found.marginal
    if started is nothing and out:
        # what follows from what is out passes, and is of no use
        return
    plain = [one for one in out if one.is_plain]
    finer = divided(started, requested, [one for one in out if not any(one.within(other) for other in plain)])
    for marginal in finer:
        assert decide(table, out, marginal, rules).answer != "release"


def test_the_variable_that_does_harm_is_left_out() -> None:
    table = table_of(np.array([[[9, 1], [8, 7]], [[8, 9], [6, 9]]]))
    found = find_coarsening(table, [], ["A", "B", "C"])
    assert found is not None
    assert len(found.marginal.axes) == 2
    assert found.marginal.is_plain


def test_nothing_passes_where_too_much_is_out_already() -> None:
    table = table_of(np.array([[9, 1, 2], [8, 7, 9]]))
    assert find_coarsening(table, [["A", "B"]], ["A", "B"]) is None


def test_what_is_out_already_is_not_proposed() -> None:
    table = table_of(np.array([[9, 1], [8, 7]]))
    assert find_coarsening(table, [["A"], ["B"]], ["A", "B"]) is None


def test_many_categories_are_divided_evenly() -> None:
    ages = Variable("age", tuple(map(str, range(40))))
    counts = np.full((2, 40), 50)
    counts[1, 7] = 1
    table = ContingencyTable.from_dense(counts, (Variable("ill", ("no", "yes")), ages))
    found = find_coarsening(table, [], ["age", "ill"])
    assert found is not None
    assert found.decisions == 40
    _, groups = found.marginal.groupings
    # the rare one shares a category with one neighbour, all others stand alone
    assert sorted(np.bincount(groups).tolist()) == [1] * 38 + [2]
    assert groups.count(groups[7]) == 2


def test_without_time_it_ends_with_what_is_proven() -> None:
    clock = count(0.0, 1.0).__next__
    found = find_coarsening(autoworkers(), [], "ABCDEF", time_limit=400.0, clock=clock)
    assert found is None or decide(autoworkers(), [], found.marginal).answer == "release"
    assert find_coarsening(autoworkers(), [], "ABCDEF", time_limit=1.0, clock=clock) is None


def test_groups_that_cross_are_refused() -> None:
    table = table_of(np.array([[5, 6, 9], [7, 8, 3]]))
    one = RecodedMarginal.of(table, {"B": [("a", "b")]}, ["A", "B"])
    other = RecodedMarginal.of(table, {"B": [("b", "c")]}, ["A", "B"])
    with pytest.raises(InvalidInput, match="not nested"):
        find_coarsening(table, [one], other)
