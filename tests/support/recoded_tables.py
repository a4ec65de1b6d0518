"""Marginals with merged categories of tiny tables, and all tables that have them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from graphkit.hierarchies.grouping import Grouping
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.structure.contingency import ContingencyTable
from tests.support.small_tables import table_of, tables_with

__all__ = ["feasible_recoded", "recoded_cases"]

SHAPES = [(3,), (4,), (3, 2), (4, 2), (2, 3), (3, 3), (2, 2, 2), (3, 2, 2), (4, 1, 2)]


@st.composite
def groupings(draw: st.DrawFn, size: int) -> list[Grouping]:
    """Nested groupings of the categories of a variable, all categories last."""
    chain = [tuple(range(size))]
    while max(chain[0]) > 1:
        groups = max(chain[0]) + 1
        if draw(st.booleans()):
            break
        one, other = draw(st.permutations(range(groups)))[:2]
        merged = [min(one, other) if group in (one, other) else group for group in chain[0]]
        numbers: dict[int, int] = {}
        chain.insert(0, tuple(numbers.setdefault(group, len(numbers)) for group in merged))
    return chain


@st.composite
def recoded_cases(draw: st.DrawFn, most: int = 6) -> tuple[ContingencyTable, list[RecodedMarginal]]:
    """A tiny table, and one to four of its marginals with nested groupings."""
    shape = draw(st.sampled_from(SHAPES))
    people = draw(st.lists(st.integers(0, int(np.prod(shape)) - 1), max_size=most))
    table = table_of(np.bincount(np.array(people, dtype=np.int64), minlength=int(np.prod(shape))).reshape(shape))
    chains = [draw(groupings(size)) for size in shape]
    marginals = []
    for _ in range(draw(st.integers(1, 4))):
        axes = sorted(draw(st.sets(st.integers(0, len(shape) - 1), min_size=1)))
        marginals.append(RecodedMarginal(tuple(axes), tuple(draw(st.sampled_from(chains[axis])) for axis in axes)))
    return table, marginals


def feasible_recoded(table: ContingencyTable, marginals: list[RecodedMarginal]) -> Iterator[NDArray[np.int64]]:
    """Yield every table with the marginals, by trying all counts cell by cell."""
    counts = table.dense().reshape(-1)
    codes = np.array(np.unravel_index(np.arange(counts.size), table.shape)).T
    sums: dict[tuple[object, ...], int] = {("total",): table.total}
    uses: list[list[tuple[object, ...]]] = [[("total",)] for _ in range(counts.size)]
    for number, marginal in enumerate(marginals):
        for cell in range(counts.size):
            groups = zip(marginal.axes, marginal.groupings, strict=True)
            key = (number, tuple(grouping[codes[cell, axis]] for axis, grouping in groups))
            sums[key] = sums.get(key, 0) + int(counts[cell])
            uses[cell].append(key)
    return tables_with(sums, uses, table.shape)
