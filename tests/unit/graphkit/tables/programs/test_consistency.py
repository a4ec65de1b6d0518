"""A table that has marginals from anywhere: found and right, or proven not to be there."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.hierarchies.variable import Variable
from graphkit.tables.programs.consistency import consistency_of
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.structure.released import ReleasedMarginals
from graphkit.tables.verify import has_marginals
from tests.support.small_tables import all_sets, feasible_tables, table_of, tables


@st.composite
def marginals_of_several(draw: st.DrawFn) -> ReleasedMarginals:
    """Marginals of tables with the same total, which may contradict each other."""
    first = draw(tables(most=3))
    sets = draw(st.lists(st.sampled_from(all_sets(len(first.shape))), min_size=1, unique=True))
    marginals = {}
    for axes in sets:
        people = draw(st.lists(st.integers(0, first.size - 1), min_size=first.total, max_size=first.total))
        other = table_of(np.bincount(np.array(people, dtype=np.int64), minlength=first.size).reshape(first.shape))
        marginals[axes] = other.marginal(axes).dense()
    return ReleasedMarginals(first.shape, marginals, first.total)


def written_out(released: ReleasedMarginals) -> np.ndarray | None:
    found = consistency_of(released)
    if found.table is None:
        assert found.exists is False
        return None
    variables = tuple(Variable(str(axis), tuple(map(str, range(size)))) for axis, size in enumerate(released.shape))
    return ContingencyTable(variables, *found.table).dense()


@settings(deadline=None)
@given(marginals_of_several())
def test_it_is_found_exactly_if_there_is_one(released: ReleasedMarginals) -> None:
    table = written_out(released)
    assert (table is not None) is (next(feasible_tables(released), None) is not None)
    if table is not None:
        assert has_marginals(released.shape, released.marginals, released.total, table)


def triangle(first: int, different: bool) -> dict[tuple[int, ...], list[list[int]]]:
    """Three pairs of three variables: the same category in two of them, in the third the other one."""
    same, other = [[4, 0], [0, 4]], [[0, 4], [4, 0]]
    a, b, c = first, first + 1, first + 2
    return {(a, b): same, (b, c): same, (a, c): other if different else same}


def test_components_are_searched_one_by_one() -> None:
    # together 2^21 cells, which no search could hold
    shape = (2,) * 21
    pieces = {axes: counts for first in range(0, 21, 3) for axes, counts in triangle(first, different=False).items()}
    found = consistency_of(ReleasedMarginals(shape, pieces))
    assert found.exists
    assert found.table is not None
    assert int(found.table[1].sum()) == 8
    assert consistency_of(ReleasedMarginals(shape, pieces | triangle(18, different=True))).exists is False


def test_what_is_not_proven_is_not_said() -> None:
    shape = (300, 300, 2)
    rng = np.random.default_rng(1)
    table = rng.integers(0, 2, shape)
    pairs = {(0, 1): table.sum(2), (0, 2): table.sum(1), (1, 2): table.sum(0)}
    found = consistency_of(ReleasedMarginals(shape, pairs))
    assert (found.exists, found.table) == (None, None)
    ticks = iter(range(10**6))
    spent = Budget(lambda: float(next(ticks)), 0.5)
    assert consistency_of(ReleasedMarginals((2, 2, 2), triangle(0, different=False)), spent).exists is not False
