"""Decisions against all tables that have the marginals: yes and no are both proven."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import combinations, count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.hierarchies.variable import Variable
from graphkit.tables.decisions.decision import decide
from graphkit.tables.decisions.group_disclosure import disclosed_groups
from graphkit.tables.decisions.rules import DisclosureRules, goals_of
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.structure.released import ReleasedMarginals
from tests.support.disclosure_rules import keeps_the_rules
from tests.support.small_tables import all_groupings, all_sets, autoworkers, feasible_tables, table_of, tables

RULES = st.builds(
    DisclosureRules,
    sensitive=st.sampled_from(["small", "all"]),
    threshold=st.integers(2, 4),
    min_width=st.integers(1, 4),
    min_relative_width=st.sampled_from([0.0, 0.5, 2.0]),
    hide_small=st.booleans(),
    min_values=st.sampled_from([0, 2, 3]),
    min_tables=st.sampled_from([0, 2, 5]),
    group_disclosure=st.booleans(),
)


@st.composite
def requests(draw: st.DrawFn) -> tuple[ContingencyTable, list[tuple[int, ...]], tuple[int, ...]]:
    table = draw(tables(most=7))
    sets = all_sets(len(table.shape))
    return table, draw(st.lists(st.sampled_from(sets), max_size=3)), draw(st.sampled_from(sets))


def is_safe(table: ContingencyTable, sets: list[tuple[int, ...]], rules: DisclosureRules) -> bool:
    """Whether the rules hold, by their words, over all tables with the marginals."""
    released = ReleasedMarginals.of(table, sets)
    possible = np.array([found.reshape(-1) for found in feasible_tables(released)])
    if not keeps_the_rules(table, possible, rules):
        return False
    return not (rules.group_disclosure and shows_a_group(table, sets))


def shows_a_group(table: ContingencyTable, sets: list[tuple[int, ...]]) -> bool:
    """Whether a marginal, or a coarser one that follows from it, shows that all of a group are in one category."""
    for axes in sets:
        for axis in axes:
            if table.shape[axis] < 2:
                continue
            rows = np.moveaxis(table.marginal(axes).dense(), axes.index(axis), -1).reshape(-1, table.shape[axis])
            for grouping in all_groupings(table.shape[axis]):
                merged = np.array([[row[np.array(grouping) == g].sum() for g in set(grouping)] for row in rows])
                if merged.shape[1] > 1 and (np.count_nonzero(merged, axis=1) == 1).any():
                    return True
    return False


@settings(deadline=None, max_examples=300)
@given(requests(), RULES)
def test_answers_are_true(
    case: tuple[ContingencyTable, list[tuple[int, ...]], tuple[int, ...]], rules: DisclosureRules
) -> None:
    table, out, requested = case
    decision = decide(table, out, requested, rules)
    if decision.implied:
        assert decision.answer == "release"
        assert any(set(requested) <= set(axes) for axes in out)
        return
    safe = is_safe(table, [*out, requested], rules)
    # tables as small as these leave nothing open
    assert decision.answer == ("release" if safe else "refuse")


@settings(deadline=None, max_examples=100)
@given(requests(), RULES)
def test_a_refusal_names_cells_whose_bounds_hold(
    case: tuple[ContingencyTable, list[tuple[int, ...]], tuple[int, ...]], rules: DisclosureRules
) -> None:
    table, out, requested = case
    decision = decide(table, out, requested, rules)
    assert (decision.answer == "refuse") == bool(decision.violations)
    possible = np.array(
        [found.reshape(-1) for found in feasible_tables(ReleasedMarginals.of(table, [*out, requested]))]
    )
    sensitive = set(goals_of(table, rules).cells.tolist())
    for violation in decision.violations:
        if violation.cell is not None and violation.lower is not None and violation.upper is not None:
            assert violation.cell in sensitive
            assert violation.lower <= possible[:, violation.cell].min()
            assert violation.upper >= possible[:, violation.cell].max()


def test_each_alone_is_safe_and_both_are_not() -> None:
    # every released count is at least 6, and yet both ones are known to within two
    table = table_of(np.array([1, 6, 7, 8, 9, 10, 5, 1]).reshape(2, 2, 2))
    pairs = list(combinations("ABC", 2))
    for pair in pairs:
        assert decide(table, [], pair).answer == "release"
    assert decide(table, pairs[:2], pairs[2]).answer == "refuse"


def test_no_time_is_no_release() -> None:
    rules = DisclosureRules(min_width=9)
    clock = count(0.0, 10.0).__next__
    *out, last = combinations("ABCDEF", 2)
    decision = decide(autoworkers(), out, last, rules, time_limit=1.0, clock=clock)
    assert decision.answer == "undecided"
    assert decision.unsettled


def test_tables_that_cannot_be_written_out_are_decided() -> None:
    rng = np.random.default_rng(2)
    variables = [Variable(f"v{axis}", ("a", "b", "c", "d")) for axis in range(20)]
    cells, counts = np.unique(rng.integers(0, 4**20, 500), return_counts=True)
    table = ContingencyTable(tuple(variables), cells.astype(np.int64), counts.astype(np.int64))
    for out, requested in (([], "01"), (["01", "12"], "02"), (["01", "23"], "45")):
        names = [[f"v{axis}" for axis in axes] for axes in (*out, requested)]
        assert decide(table, names[:-1], names[-1]).answer == "release"
    everybody = [variable.name for variable in variables[:12]]
    assert decide(table, [], everybody).answer == "refuse"


def test_named_categories_are_protected() -> None:
    table = table_of(np.array([[50, 1], [40, 30]]))
    rules = DisclosureRules(sensitive="named", named=(("A", "b"),))
    assert goals_of(table, rules).cells.tolist() == [2, 3]
    with pytest.raises(InvalidInput, match="no category"):
        goals_of(table, DisclosureRules(sensitive="named", named=(("A", "z"),)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"threshold": 1},
        {"min_width": 0},
        {"min_relative_width": -0.1},
        {"min_relative_width": float("nan")},
        {"min_relative_width": 1e9},
        {"min_width": 10**23},
        {"sensitive": "named"},
        {"named": (("A", "a"),)},
        {"sensitive": "some"},
        {"min_tables": True},
        {"min_values": 1.5},
    ],
)
def test_rules_that_cannot_be_meant_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        DisclosureRules(**wrong)  # type: ignore[arg-type]


@settings(deadline=None)
@given(tables(most=6), st.data())
def test_groups_are_those_of_the_words(table: ContingencyTable, data: st.DataObject) -> None:
    sets = data.draw(st.lists(st.sampled_from(all_sets(len(table.shape))), max_size=3))
    assert bool(disclosed_groups(table, sets)) == shows_a_group(table, sets)


SHARES = st.integers(0, 10_000).map(lambda number: number / 100)


@given(SHARES, st.integers(1, 2**53 - 1) | st.integers(1, 1000))
def test_a_share_is_the_decimal_number_that_it_is_written_as(share: float, count: int) -> None:
    table = ContingencyTable.from_dense([count], (Variable("a", ("x",)),))
    hundredths = round(share * 100)
    for given_share in (share, Decimal(hundredths) / 100, Fraction(hundredths, 100)):
        goals = goals_of(table, DisclosureRules(sensitive="all", min_width=1, min_relative_width=given_share))
        asked = -(-count * hundredths // 100)
        assert goals.width.tolist() == [max(1, asked)]
        assert goals.relative.tolist() == [asked > 1]


def test_seven_hundredths_of_a_hundred_are_seven() -> None:
    # 0.07 * 100.0 is above 7 in floating point
    table = ContingencyTable.from_dense([[100, 7], [7, 100]], (Variable("a", ("x", "y")), Variable("b", ("x", "y"))))
    rules = DisclosureRules(sensitive="all", threshold=2, min_width=1, min_relative_width=0.07, hide_small=False)
    assert decide(table, [["a"]], ["b"], rules).answer == "release"
    assert goals_of(table, rules).width.tolist() == [7, 1, 1, 7]


SPARSE = DisclosureRules(min_width=3)


def sparse_table() -> tuple[ContingencyTable, list[tuple[int, ...]]]:
    counts = np.bincount(np.random.default_rng(5).integers(0, 5**4, 260), minlength=5**4)
    return table_of(counts.reshape((5,) * 4)), list(combinations(range(4), 2))


def test_work_ends_a_decision_at_the_same_place_whatever_the_clock_says() -> None:
    table, pairs = sparse_table()
    found = []
    for second in (1e-9, 1e-3, 1.0):
        clock = count(0.0, second).__next__
        found.append(decide(table, pairs[:-1], pairs[-1], SPARSE, work_limit=5_600_000, time_limit=1e9, clock=clock))
    first = found[0]
    assert (first.answer, first.ended_by) == ("undecided", "work")
    assert first.proven is not None
    assert 0 < first.proven < first.sensitive
    for other in found[1:]:
        assert (other.answer, other.ended_by, other.proven) == (first.answer, first.ended_by, first.proven)
        assert other.unsettled == first.unsettled
    more = decide(table, pairs[:-1], pairs[-1], SPARSE, work_limit=60_000_000)
    assert more.proven is not None
    assert more.proven > first.proven


def test_a_clock_that_cuts_in_is_named() -> None:
    table, pairs = sparse_table()
    clock = count(0.0, 1.0).__next__
    decision = decide(table, pairs[:-1], pairs[-1], SPARSE, time_limit=3.0, clock=clock)
    assert (decision.answer, decision.ended_by) == ("undecided", "time")
    assert decision.proven == decision.sensitive - len(decision.unsettled)


def test_of_a_release_all_protected_cells_are_proven() -> None:
    table, pairs = sparse_table()
    decision = decide(table, [], pairs[0], SPARSE)
    assert (decision.answer, decision.ended_by, decision.proven) == ("release", None, decision.sensitive)
