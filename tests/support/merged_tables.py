"""The sums among merged cells, in plain Python: an oracle for propagation, and inputs for it."""

from __future__ import annotations

from itertools import combinations, product
from math import prod

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from graphkit.tables.propagation.merged_cells import MergedAxis, MergedCells
from graphkit.tables.structure.hypergraph import Axes
from graphkit.tables.structure.released import ReleasedMarginals
from tests.support.small_tables import all_sets, table_of

__all__ = ["agreeing_marginals", "merged", "merged_cells", "naive_bounds", "wider_marginals"]

SHAPES = [(4,), (5,), (4, 2), (2, 4), (5, 2), (4, 3), (4, 1, 2), (2, 2, 4), (3, 2, 2, 1)]
Cell = tuple[frozenset[int], ...]


def merged_cells(shape: tuple[int, ...], single: bool = False) -> MergedCells:
    """Return all sets of categories, or single ones, complements and the total."""
    if single:
        return MergedCells(tuple(map(MergedAxis.single, shape)), complete=False)
    return MergedCells(tuple(map(MergedAxis.full, shape)), complete=True)


def merged(cells: MergedCells, table: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the counts of all merged cells."""
    for axis, sets in enumerate(cells.axes):
        table = np.moveaxis(np.tensordot(sets.members.astype(np.int64), table, axes=(1, axis)), 0, axis)
    return table


@st.composite
def wider_marginals(draw: st.DrawFn) -> ReleasedMarginals:
    """Marginals of a table whose variables have up to five categories."""
    shape = draw(st.sampled_from(SHAPES))
    people = draw(st.lists(st.integers(0, prod(shape) - 1), max_size=6))
    table = table_of(np.bincount(np.array(people, dtype=np.int64), minlength=prod(shape)).reshape(shape))
    return ReleasedMarginals.of(table, draw(st.lists(st.sampled_from(all_sets(len(shape))), max_size=4)))


@st.composite
def agreeing_marginals(draw: st.DrawFn) -> ReleasedMarginals:
    """Marginals by pairs of variables that agree on the single ones, often of no table at all.

    Everybody has a category of each variable; for every pair, who has which of the second is dealt out anew.
    """
    shape = draw(st.sampled_from([(2, 2, 2), (3, 2, 2), (3, 3, 2), (2, 2, 2, 2), (2, 4, 2)]))
    n = draw(st.integers(1, 6))
    columns = [draw(st.lists(st.integers(0, size - 1), min_size=n, max_size=n)) for size in shape]
    pairs = draw(st.lists(st.sampled_from(list(combinations(range(len(shape)), 2))), min_size=3, unique=True))
    marginals = {}
    for a, b in pairs:
        marginals[a, b] = np.zeros((shape[a], shape[b]), dtype=np.int64)
        np.add.at(marginals[a, b], (columns[a], draw(st.permutations(columns[b]))), 1)
    return ReleasedMarginals(shape, marginals)


def naive_bounds(released: ReleasedMarginals, single: bool = False) -> tuple[dict[Cell, int], dict[Cell, int]] | None:
    """Return the fixed point of all sums, cell by cell, or None where bounds cross."""
    every = [frozenset(range(size)) for size in released.shape]
    sets = [_sets(whole, single) for whole in every]
    lower: dict[Cell, int] = dict.fromkeys(product(*sets), 0)
    upper = dict.fromkeys(lower, released.total)
    lower[tuple(every)] = released.total
    for axes, counts in released.marginals.items():
        for place in product(*(range(size) for size in counts.shape)):
            cell = _cell_of(every, axes, place)
            lower[cell], upper[cell] = max(lower[cell], int(counts[place])), min(upper[cell], int(counts[place]))
    sums = [
        (cell, [(*cell[:axis], part, *cell[axis + 1 :]) for part in parts])
        for cell in lower
        for axis, whole in enumerate(every)
        for parts in _splits(cell[axis], whole, single)
    ]
    changed = True
    while changed:
        changed = False
        for whole_cell, parts in sums:
            for cell, low, high in [
                (whole_cell, sum(lower[p] for p in parts), sum(upper[p] for p in parts)),
                *(
                    (
                        part,
                        lower[whole_cell] - sum(upper[p] for p in parts if p != part),
                        upper[whole_cell] - sum(lower[p] for p in parts if p != part),
                    )
                    for part in parts
                ),
            ]:
                if low > lower[cell] or high < upper[cell]:
                    lower[cell], upper[cell] = max(low, lower[cell]), min(high, upper[cell])
                    changed = True
                if lower[cell] > upper[cell]:
                    return None
    return lower, upper


def _cell_of(every: list[frozenset[int]], axes: Axes, place: tuple[int, ...]) -> Cell:
    cell = list(every)
    for axis, category in zip(axes, place, strict=True):
        cell[axis] = frozenset([category])
    return tuple(cell)


def _sets(whole: frozenset[int], single: bool) -> set[frozenset[int]]:
    if single:
        return {whole, *(frozenset([c]) for c in whole), *(whole - {c} for c in whole if len(whole) > 1)}
    return {frozenset(c for c in whole if mask >> c & 1) for mask in range(1, 2 ** len(whole))}


def _splits(some: frozenset[int], whole: frozenset[int], single: bool) -> list[list[frozenset[int]]]:
    """Return the ways to divide a set of categories that propagation uses."""
    if not single:
        parts = _sets(frozenset(range(len(some))), False)
        order = sorted(some)
        halves = [frozenset(order[i] for i in part) for part in parts]
        return [[half, some - half] for half in halves if half != some and order[0] in half]
    if len(some) == 1:
        return []
    found = [[frozenset([c]), whole - {c}] for c in whole] if some == whole else []
    if some != whole or len(whole) == 2:
        found.append([frozenset([c]) for c in some])
    return found
