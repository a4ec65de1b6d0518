"""Tables for tests: tiny ones with every table that has the same marginals, and the data of the papers."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.structure.hypergraph import Axes
from graphkit.tables.structure.released import ReleasedMarginals

__all__ = [
    "all_groupings",
    "all_sets",
    "autoworkers",
    "brute_force_bounds",
    "feasible_tables",
    "released_marginals",
    "rochdale",
    "table_of",
    "tables",
    "tables_with",
]

DATA = Path(__file__).resolve().parents[1] / "data" / "tables"
SHAPES = [
    (1,), (2,), (3,), (1, 1), (2, 2), (2, 1), (1, 3), (2, 3), (3, 3), (2, 2, 2), (1, 2, 2), (2, 1, 3), (3, 2, 2),
    (2, 2, 1, 2), (2, 1, 2, 3), (1, 2, 1, 2), (2, 2, 1, 3), (2, 2, 2, 2),
]  # fmt: skip


def all_groupings(size: int) -> list[tuple[int, ...]]:
    """Return all ways to merge categories, each numbered by its first."""
    found: list[tuple[int, ...]] = [()]
    for _ in range(size):
        found = [(*one, group) for one in found for group in range(max(one, default=-1) + 2)]
    return found


def table_of(counts: NDArray[np.int64]) -> ContingencyTable:
    """Return a table of an array of counts; variables and categories get letters."""
    return ContingencyTable.from_dense(
        counts, [Variable("ABCDEFGH"[axis], tuple("abcdefgh"[:size])) for axis, size in enumerate(counts.shape)]
    )


def autoworkers() -> ContingencyTable:
    """Return the 2^6 table of 1841 workers."""
    return _read("autoworkers.csv")


def rochdale() -> ContingencyTable:
    """Return the 2^8 table of 665 households."""
    return _read("rochdale.csv")


def _read(name: str) -> ContingencyTable:
    with (DATA / name).open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = [name for name in rows[0] if name != "count"]
    variables = [Variable(name, tuple(dict.fromkeys(row[name] for row in rows))) for name in names]
    counts = np.zeros([variable.size for variable in variables], dtype=np.int64)
    for row in rows:
        counts[tuple(v.categories.index(row[v.name]) for v in variables)] = int(row["count"])
    return ContingencyTable.from_dense(counts, variables)


def all_sets(k: int) -> list[Axes]:
    """Return all sets of k variables but the empty one."""
    return [axes for size in range(1, k + 1) for axes in combinations(range(k), size)]


@st.composite
def tables(draw: st.DrawFn, most: int = 5) -> ContingencyTable:
    """Tables of one to four variables, some with one category, and at most `most` people, perhaps none."""
    shape = draw(st.sampled_from(SHAPES))
    people = draw(st.lists(st.integers(0, int(np.prod(shape)) - 1), max_size=most))
    return table_of(np.bincount(np.array(people, dtype=np.int64), minlength=int(np.prod(shape))).reshape(shape))


@st.composite
def released_marginals(draw: st.DrawFn) -> ReleasedMarginals:
    """Some marginals of a tiny table, from none to all."""
    table = draw(tables())
    return ReleasedMarginals.of(table, draw(st.lists(st.sampled_from(all_sets(len(table.shape))), max_size=5)))


def feasible_tables(released: ReleasedMarginals) -> Iterator[NDArray[np.int64]]:
    """Yield every table with the released marginals, by trying all counts cell by cell."""
    size = int(np.prod(released.shape))
    codes = np.array(np.unravel_index(np.arange(size), released.shape)).T
    left: dict[tuple[object, ...], int] = {("total",): released.total}
    uses: list[list[tuple[object, ...]]] = [[("total",)] for _ in range(size)]
    for axes, counts in released.marginals.items():
        for cell in range(size):
            key = (axes, tuple(codes[cell, list(axes)]))
            left[key] = int(counts[key[1]])
            uses[cell].append(key)
    return tables_with(left, uses, released.shape)


def tables_with(
    sums: dict[tuple[object, ...], int], uses: list[list[tuple[object, ...]]], shape: tuple[int, ...]
) -> Iterator[NDArray[np.int64]]:
    """Yield every table whose cells add up to some sums; `uses` says which ones each cell is in."""
    size, left = len(uses), dict(sums)
    last = {key: cell for cell in range(size) for key in uses[cell]}
    table = np.zeros(size, dtype=np.int64)

    def fill(cell: int) -> Iterator[NDArray[np.int64]]:
        if cell == size:
            yield table.reshape(shape).copy()
            return
        for count in range(min(left[key] for key in uses[cell]) + 1):
            if any(left[key] != count for key in uses[cell] if last[key] == cell):
                continue
            for key in uses[cell]:
                left[key] -= count
            table[cell] = count
            yield from fill(cell + 1)
            for key in uses[cell]:
                left[key] += count

    return fill(0)


def brute_force_bounds(released: ReleasedMarginals) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the least and the largest count of every cell over all feasible tables."""
    found = np.array(list(feasible_tables(released)))
    return found.min(axis=0), found.max(axis=0)
