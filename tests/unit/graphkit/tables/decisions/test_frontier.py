"""The frontier against every marginal decided alone, and against all tables that have the marginals."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.tables.decisions.decision import Answer, decide
from graphkit.tables.decisions.frontier import Frontier, find_frontier
from graphkit.tables.decisions.frontier_order import most_informative, related
from graphkit.tables.decisions.rules import DisclosureRules
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.structure.hypergraph import Axes, mask_of
from graphkit.tables.structure.lattice import MarginalStatus
from tests.support.small_tables import all_sets, autoworkers, table_of, tables

RULES = st.builds(
    DisclosureRules,
    sensitive=st.sampled_from(["small", "all"]),
    min_width=st.integers(1, 4),
    hide_small=st.booleans(),
    min_tables=st.sampled_from([0, 3]),
    group_disclosure=st.booleans(),
)


def status_of(found: Frontier, axes: Axes) -> str:
    number = mask_of(axes)
    if found.releasable[number]:
        return "release"
    status = MarginalStatus(int(found.lattice.statuses[number]))
    return {"UNRELEASABLE": "refuse", "UNDECIDED": "undecided"}.get(status.name, "out")


@given(data=st.data(), table=tables(most=7), rules=RULES)
@settings(max_examples=60, deadline=None)
def test_every_marginal_has_the_answer_that_it_has_alone(
    data: st.DataObject, table: ContingencyTable, rules: DisclosureRules
) -> None:
    sets = all_sets(len(table.shape))
    out = data.draw(st.lists(st.sampled_from(sets), max_size=2))
    found = find_frontier(table, out, rules)
    for axes in sets:
        alone = decide(table, out, axes, rules)
        if alone.implied:
            assert status_of(found, axes) == "out"
        elif alone.answer != "undecided":
            assert status_of(found, axes) == alone.answer
    assert sum(found.counts().values()) == 2 ** len(table.shape)
    assert found.complete == (found.counts()["undecided"] == 0)


@given(data=st.data(), table=tables(most=7), rules=RULES)
@settings(max_examples=30, deadline=None)
def test_below_one_marginal_nothing_else_is_decided(
    data: st.DataObject, table: ContingencyTable, rules: DisclosureRules
) -> None:
    sets = all_sets(len(table.shape))
    out, chosen = data.draw(st.lists(st.sampled_from(sets), max_size=2)), data.draw(st.sampled_from(sets))
    tried: set[Axes] = set()
    whole = find_frontier(table, out, rules)
    found = find_frontier(table, out, rules, within=chosen, also=lambda axes, budget: tried.add(axes) or "release")
    assert all(set(axes) <= set(chosen) for axes in tried)
    for axes in sets:
        if set(axes) <= set(chosen) and status_of(whole, axes) != "undecided":
            assert status_of(found, axes) == status_of(whole, axes)


@pytest.mark.parametrize("out", [[], ["AB", "CD"], ["ABC", "BCD", "CE", "EF"]])
def test_the_workers_frontier_takes_few_decisions(out: list[str]) -> None:
    table = autoworkers()
    rules = DisclosureRules(min_width=8, threshold=8)
    found = find_frontier(table, out, rules)
    for axes in all_sets(6):
        alone = decide(table, out, axes, rules)
        assert status_of(found, axes) == ("out" if alone.implied else alone.answer)
    assert found.complete
    assert found.decisions < 40
    assert set(found.maximal_releasable) == {
        axes
        for axes in all_sets(6)
        if status_of(found, axes) == "release"
        and not any(set(axes) < set(other) and status_of(found, other) == "release" for other in all_sets(6))
    }
    assert set(found.minimal_unreleasable) == {
        axes
        for axes in all_sets(6)
        if status_of(found, axes) == "refuse"
        and not any(set(other) < set(axes) and status_of(found, other) == "refuse" for other in all_sets(6))
    }


def test_nothing_more_goes_out_where_what_is_out_is_too_much() -> None:
    table = table_of(np.array([[1, 0, 2], [4, 9, 1]]))
    found = find_frontier(table, ["AB"])
    assert (found.out_is_safe, found.counts()["out"], found.decisions) == (False, 4, 0)
    cube = table_of(np.array([1, 6, 7, 8, 9, 10, 5, 1]).reshape(2, 2, 2))
    found = find_frontier(cube, ["AB", "AC"], DisclosureRules(min_width=9))
    assert (found.out_is_safe, found.decisions) == (False, 0)
    assert found.minimal_unreleasable == ((1, 2),)
    assert not found.releasable.any()


def test_the_total_alone_may_be_too_much() -> None:
    found = find_frontier(table_of(np.array([1, 0])))
    assert found.out_is_safe is False
    assert found.counts() == {"out": 1, "unreleasable": 1, "releasable": 0, "undecided": 0}


def test_what_time_does_not_allow_is_undecided_and_the_rest_is_right() -> None:
    table = autoworkers()
    whole = find_frontier(table, [], DisclosureRules(min_width=8, threshold=8))
    seen: list[tuple[int, int]] = []
    for limit in (1, 40, 200):
        ticks = count(step=1)
        found = find_frontier(
            table,
            [],
            DisclosureRules(min_width=8, threshold=8),
            time_limit=limit,
            clock=lambda ticks=ticks: next(ticks),
            report=lambda done, all: seen.append((done, all)),
        )
        for axes in all_sets(6):
            assert status_of(found, axes) in (status_of(whole, axes), "undecided")
    assert all(done < all == 64 for done, all in seen)
    assert not find_frontier(table, time_limit=1, clock=count(step=5).__next__).complete


def test_the_next_marginal_settles_most_whatever_the_answer() -> None:
    # the total is public
    undecided = np.arange(16) > 0
    sizes = np.bitwise_count(np.arange(16)).astype(float)
    none: dict[Answer, list[int]] = {"release": [], "refuse": [], "undecided": []}
    # with no answer yet, the middle
    assert int(most_informative(undecided, undecided, sizes, none)).bit_count() == 2
    # after a no, fewer variables than it has; after a yes, more
    for answer, sizes_then in (("no", {1, 2}), ("yes", {2, 3, 4})):
        left, answered = undecided.copy(), []
        for number in (3, 12):
            left &= ~related(number, 4, upward=answer == "no")
            answered.append(number)
        decided = {**none, "release" if answer == "yes" else "refuse": answered}
        assert int(most_informative(left, left, sizes, decided)).bit_count() in sizes_then
    # one that could not be settled keeps others of its size from being tried at once
    assert int(most_informative(undecided, undecided, sizes, {**none, "undecided": [3, 5]})).bit_count() != 2
    only = np.zeros(16, dtype=bool)
    only[11] = True
    assert most_informative(only, undecided, sizes, none) == 11


@pytest.mark.parametrize("upward", [False, True])
def test_what_follows_from_an_answer(upward: bool) -> None:
    for number in range(16):
        follows = related(number, 4, upward=upward)
        for other in range(16):
            within = number & other == number if upward else number & other == other
            assert follows[other] == within


def test_wrong_input_is_said() -> None:
    with pytest.raises(InvalidInput, match="no variable 'Z'"):
        find_frontier(autoworkers(), ["AZ"])
    with pytest.raises(InvalidInput, match="clock"):
        find_frontier(autoworkers(), time_limit=1)
