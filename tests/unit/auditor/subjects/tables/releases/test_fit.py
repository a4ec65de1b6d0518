"""Marginals from several places: they fit one table, or those that contradict each other are named, no more."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.subjects.tables.releases.fit import check_fit
from graphkit.errors import InvalidInput
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.structure.released import ReleasedMarginals
from tests.support.small_tables import feasible_tables, table_of, tables

YES_NO = ("yes", "no")


def counted(names: str, *counts: int, categories: tuple[str, ...] = YES_NO) -> ContingencyTable:
    variables = [Variable(name, categories) for name in names]
    return ContingencyTable.from_dense(np.array(counts).reshape((len(categories),) * len(names)), variables)


SAME, OTHER = (40, 0, 0, 60), (10, 30, 30, 30)


@st.composite
def some_marginals(draw: st.DrawFn) -> list[ContingencyTable]:
    """Marginals of tables of equally many people, some by the same variables, in any order of these."""
    first = draw(tables(most=3))
    chosen = st.permutations(range(len(first.shape))).flatmap(
        lambda order: st.integers(1, len(order)).map(lambda size: order[:size])
    )
    found = []
    for axes in draw(st.lists(chosen, min_size=1, max_size=4)):
        people = draw(st.lists(st.integers(0, first.size - 1), min_size=first.total, max_size=first.total))
        other = table_of(np.bincount(np.array(people, dtype=np.int64), minlength=first.size).reshape(first.shape))
        marginal = other.marginal(axes)
        place = [sorted(axes).index(axis) for axis in axes]
        found.append(
            ContingencyTable.from_dense(marginal.dense().transpose(place), [marginal.variables[i] for i in place])
        )
    return found


def have_a_table(marginals: list[ContingencyTable]) -> bool:
    names = sorted({name for marginal in marginals for name in marginal.names})
    sizes = {variable.name: variable.size for marginal in marginals for variable in marginal.variables}
    released: dict[tuple[int, ...], np.ndarray] = {}
    for marginal in marginals:
        order = sorted(range(len(marginal.names)), key=lambda i: names.index(marginal.names[i]))
        counts = marginal.dense().transpose(order)
        axes = tuple(names.index(marginal.names[i]) for i in order)
        if not np.array_equal(released.setdefault(axes, counts), counts):
            return False
    found = feasible_tables(ReleasedMarginals([sizes[name] for name in names], released))
    return next(found, None) is not None


@settings(deadline=None)
@given(some_marginals())
def test_they_fit_or_no_more_than_necessary_are_named(marginals: list[ContingencyTable]) -> None:
    found = check_fit([str(i) for i in range(len(marginals))], marginals)
    assert found.fits is have_a_table(marginals)
    if found.fits:
        assert found.witness is not None
        for marginal in marginals:
            summed = found.witness.marginal(marginal.names)
            order = [marginal.names.index(name) for name in summed.names]
            assert np.array_equal(summed.dense(), marginal.dense().transpose(order))
        return
    assert (found.witness, found.irreducible) == (None, True)
    conflict = [marginals[place] for place in found.conflict]
    assert not have_a_table(conflict)
    for left_out in range(len(conflict)):
        fewer = conflict[:left_out] + conflict[left_out + 1 :]
        assert not fewer or have_a_table(fewer)


def test_three_of_which_any_two_agree() -> None:
    pairs = [counted("ab", *SAME), counted("cb", *SAME), counted("ac", *OTHER), counted("d", 1, 99)]
    found = check_fit("wxyz", pairs)
    assert (found.fits, found.conflict, found.irreducible, found.reason) == (False, (0, 1, 2), True, "together")
    assert check_fit("wxz", [pairs[0], pairs[1], pairs[3]]).fits


def test_two_that_differ_by_what_they_share() -> None:
    found = check_fit("xyz", [counted("ab", *SAME), counted("bc", *SAME), counted("cb", *OTHER)])
    assert (found.conflict, found.reason, found.shared) == ((1, 2), "shared", ("b", "c"))
    assert {"b": "yes", "c": "yes"} in found.differing
    assert len(found.differing) == 4
    found = check_fit("xy", [counted("ab", *SAME), counted("b", 41, 59)])
    assert (found.conflict, found.differing) == ((0, 1), ({"b": "yes"}, {"b": "no"}))


def test_unequal_totals_are_a_conflict_of_two() -> None:
    found = check_fit("xyz", [counted("ab", *SAME), counted("b", 40, 60), counted("c", 1, 2)])
    assert (found.fits, found.conflict, found.reason) == (False, (0, 2), "totals")


def test_categories_belong_together_by_their_names() -> None:
    found = check_fit("xy", [counted("ab", *SAME), counted("b", 60, 40, categories=("no", "yes"))])
    assert (found.fits, found.remarks) == (True, ())
    found = check_fit(
        ["one", "two"], [counted("ab", *SAME), counted("b", 60, 40, 0, categories=("no", "yes", "maybe"))]
    )
    assert found.fits
    assert found.remarks == ("one has no people with b = maybe; other files have the category",)
    assert found.witness is not None
    assert found.witness.variables[1].categories == ("yes", "no", "maybe")


def test_a_table_that_cannot_be_numbered_is_refused() -> None:
    wide = [
        ContingencyTable.from_dense(np.ones(1000, dtype=np.int64), [Variable(f"v{i}", tuple(map(str, range(1000))))])
        for i in range(7)
    ]
    with pytest.raises(InvalidInput, match="2\\^62"):
        check_fit("abcdefg", wide)
    names = tuple(map(str, range(2**14)))
    alone = np.array([0])
    large = ContingencyTable((Variable("a", names), Variable("b", names)), alone, alone + 1)
    with pytest.raises(InvalidInput, match="by a, b has 268435456 cells"):
        check_fit("xy", [large, large])
