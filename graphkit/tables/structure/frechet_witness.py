"""Witness tables: integer tables with the released marginals that have a Fréchet bound's value in its cell."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.parameters import is_whole
from graphkit.tables.structure.contingency import SparseCounts, projected_cells, sparse_counts
from graphkit.tables.structure.frechet import known_counts
from graphkit.tables.structure.hypergraph import Axes
from graphkit.tables.structure.released import ReleasedMarginals

Side = Literal["lower", "upper"]

SIDES: tuple[Side, Side] = ("lower", "upper")


def frechet_witness(released: ReleasedMarginals, cell: int, side: Side) -> SparseCounts:
    """Return a table with decomposable marginals whose cell has its lower or its upper bound.

    Parameters
    ----------
    released : ReleasedMarginals
        Marginals whose hypergraph is acyclic.
    cell : int
        Number of the cell in C order.
    side : {"lower", "upper"}

    Returns
    -------
    cells, counts : ndarray of int64
        Numbers of the cells that are not zero, ascending, and their counts.

    Raises
    ------
    InvalidInput
        If the marginals are not decomposable or contradict each other, or there is no such cell.

    Notes
    -----
    See :func:`reducible_witness`.

    Examples
    --------
    >>> released = ReleasedMarginals((2, 2), {(0,): [8, 2], (1,): [7, 3]})
    >>> [part.tolist() for part in frechet_witness(released, 0, "upper")]
    [[0, 1, 3], [7, 1, 2]]
    >>> [part.tolist() for part in frechet_witness(released, 0, "lower")]
    [[0, 1, 2], [5, 3, 2]]
    """
    return reducible_witness(released, {}, cell, side)


def reducible_witness(
    released: ReleasedMarginals, tables: Mapping[Axes, SparseCounts], cell: int, side: Side
) -> SparseCounts:
    """Return a table pieced together from tables of its components, with as little or as much as possible in a cell.

    Parameters
    ----------
    released : ReleasedMarginals
    tables : mapping of tuple of int to (ndarray of int64, ndarray of int64)
        For each component whose counts are not released, numbers and counts of the cells that are not zero in a table
        that has the released marginals. If all have the lower (upper) bound in their cell, the result has, too.
    cell : int
        Number of the cell in C order.
    side : {"lower", "upper"}

    Returns
    -------
    cells, counts : ndarray of int64
        Numbers of the cells that are not zero, ascending, and their counts.

    Raises
    ------
    InvalidInput
        If the table of a component is missing or has other counts by a separator, the marginals contradict each other,
        or there is no such cell.

    Notes
    -----
    The components are combined one after another. Within a cell of the separator this is a transportation problem, and
    the north-west corner rule solves it: the row of the chosen cell comes first and its column first for the upper
    bound, last for the lower one. All these problems are in one list, since their totals agree. The result has fewer
    cells that are not zero than the components' tables have together. O(s log s) for s of them.
    """
    if not is_whole(cell) or not 0 <= cell < math.prod(released.shape):
        raise InvalidInput(f"no such cell; the table has {math.prod(released.shape)}, numbered from 0")
    if side not in SIDES:
        raise InvalidInput("the side must be 'lower' or 'upper'")
    target = [int(code) for code in np.unravel_index(int(cell), released.shape)]
    # everybody is alike before the first component
    combined = _everybody(released, released.decomposition.covered, target, side)
    for axes, separator, table in component_tables(released, tables):
        combined = _combined(combined, _read(table, axes, released.shape), separator, target, side)
    cells = np.zeros(combined.counts.size, dtype=np.int64)
    for axis, size in enumerate(released.shape):
        cells = cells * size + combined.codes[axis]
    order = np.argsort(cells)
    return cells[order], combined.counts[order]


def component_tables(
    released: ReleasedMarginals, tables: Mapping[Axes, SparseCounts]
) -> Iterator[tuple[Axes, Axes, SparseCounts]]:
    """Yield every component, what it shares with those before it, and its table: released or given.

    Raises
    ------
    InvalidInput
        If neither is there, or the marginals contradict each other.
    """
    parts = released.decomposition
    for axes, known, separator in zip(parts.components, parts.known, parts.separators, strict=True):
        if known:
            yield axes, separator, sparse_counts(known_counts(released, axes).reshape(-1))
        elif axes in tables:
            yield axes, separator, tables[axes]
        else:
            raise InvalidInput(f"the marginals by variables {list(axes)} are not decomposable; give a table of them")


@dataclass(frozen=True, slots=True, eq=False)
class _Groups:
    """Groups of records that are alike in some variables: a category for each variable, and how many they are."""

    codes: dict[int, Ints]
    counts: Ints

    def order(self, separator: Axes, target: list[int], last: bool) -> Ints:
        """Return an order by the separator; in its cell, the group like the target comes first, or last."""
        alike = np.ones(self.counts.size, dtype=bool)
        for axis, code in self.codes.items():
            alike &= code == target[axis]
        return np.lexsort((alike if last else ~alike, *(self.codes[axis] for axis in reversed(separator))))


def _everybody(released: ReleasedMarginals, covered: frozenset[int], target: list[int], side: Side) -> _Groups:
    """Return all records, with a category of every variable that no component has."""
    codes = {}
    for axis, size in enumerate(released.shape):
        if axis not in covered:
            # nothing says how many are in the target's category: nobody for the lower bound, if there is another
            code = target[axis] if side == "upper" else (target[axis] + 1) % size
            codes[axis] = np.array([code], dtype=np.int64)
    if not released.total:
        codes = {axis: code[:0] for axis, code in codes.items()}
    return _Groups(codes, np.array([released.total] if released.total else [], dtype=np.int64))


def _read(table: SparseCounts, axes: Axes, shape: tuple[int, ...]) -> _Groups:
    """Return the groups that a component's table counts."""
    cells, counts = table
    inner = tuple(shape[axis] for axis in axes)
    return _Groups({axis: projected_cells(cells, inner, (place,)) for place, axis in enumerate(axes)}, counts)


def _combined(rows: _Groups, columns: _Groups, separator: Axes, target: list[int], side: Side) -> _Groups:
    """Return groups by all variables of two tables that have the same counts by the separator."""
    row_order, column_order = rows.order(separator, target, False), columns.order(separator, target, side == "lower")
    row_ends, column_ends = np.cumsum(rows.counts[row_order]), np.cumsum(columns.counts[column_order])
    if rows.counts.sum() != columns.counts.sum():
        raise InvalidInput("tables to be combined have different totals")
    # the two orders cut the same line of records: a piece between two cuts is in one row and one column
    ends = np.union1d(row_ends, column_ends)
    row = row_order[np.searchsorted(row_ends, ends)]
    column = column_order[np.searchsorted(column_ends, ends)]
    if any((rows.codes[axis][row] != columns.codes[axis][column]).any() for axis in separator):
        raise InvalidInput(f"tables to be combined have different counts by variables {list(separator)}")
    codes = {axis: code[row] for axis, code in rows.codes.items()}
    codes |= {axis: code[column] for axis, code in columns.codes.items()}
    return _Groups(codes, np.diff(ends, prepend=0))
