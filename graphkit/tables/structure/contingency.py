"""Contingency tables of counts, with named variables; sparse, so that their size does not matter."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.hypergraph import axes_named

MOST_TOTAL = 2**53 - 1
"""The largest total: every whole number up to it is a floating point number, too."""

MOST_DENSE = 2**27
"""The most cells whose counts are written out in an array."""

MOST_TOGETHER = 2**22
"""The most cells that an engine works on together, with several arrays of them."""

SparseCounts = tuple[Ints, Ints]
"""Numbers of the cells that are not zero, ascending, and their counts: as :class:`ContingencyTable` holds them."""

_MOST_SIZE = 2**62


@dataclass(frozen=True, slots=True, eq=False)
class ContingencyTable:
    """Counts by the categories of some variables.

    A cell is numbered in C order of the variables: the last one changes fastest.

    Parameters
    ----------
    variables : tuple of Variable
        At least one, with different names.
    cells : ndarray of int64, shape (c,)
        Numbers of the cells that are not zero, ascending.
    counts : ndarray of int64, shape (c,)
        Their counts, positive.

    Raises
    ------
    InvalidInput
        If names are there twice, a cell is outside the table, there twice or not in order, a count is not positive, or
        the total is above :data:`MOST_TOTAL`.

    Examples
    --------
    >>> sex = Variable("sex", ("f", "m"))
    >>> ill = Variable("ill", ("no", "yes"))
    >>> table = ContingencyTable.from_dense([[5, 1], [4, 0]], (sex, ill))
    >>> table.total, table.cells.tolist(), table.counts.tolist()
    (10, [0, 1, 2], [5, 1, 4])
    >>> table.marginal(["ill"]).dense().tolist()
    [9, 1]
    """

    variables: tuple[Variable, ...]
    cells: Ints
    counts: Ints

    def __post_init__(self) -> None:
        if not self.variables:
            raise InvalidInput("a table needs at least one variable")
        if len(set(self.names)) < len(self.names):
            raise InvalidInput("a table has two variables of one name")
        if self.size > _MOST_SIZE:
            raise InvalidInput(f"a table may have at most 2^62 cells, this one would have {self.size}")
        if self.cells.shape != self.counts.shape or self.cells.ndim != 1:
            raise InvalidInput("a table needs as many counts as cells")
        if self.cells.size and not (
            self.cells[0] >= 0 and self.cells[-1] < self.size and (np.diff(self.cells) > 0).all()
        ):
            raise InvalidInput("the cells of a table must be numbered upwards, each once, within the table")
        if (self.counts <= 0).any():
            raise InvalidInput("the counts of a table's cells must be positive; leave cells of zero out")
        # a sum of floating point numbers does not wrap around
        if self.counts.sum(dtype=np.float64) > MOST_TOTAL:
            raise InvalidInput("the total of a table must be below 2^53")

    @classmethod
    def from_dense(cls, counts: ArrayLike, variables: Sequence[Variable]) -> "ContingencyTable":
        """Return the table of an array of counts, one axis a variable.

        Raises
        ------
        InvalidInput
            If the shape does not fit the variables, or a count is negative or no whole number.
        """
        array = np.asarray(counts)
        shape = tuple(variable.size for variable in variables)
        if array.shape != shape:
            raise InvalidInput(f"counts have shape {array.shape}, the variables' categories ask for {shape}")
        whole = np.asarray(array, dtype=np.int64) if array.dtype.kind in "iu" else _whole(array)
        if (whole < 0).any():
            raise InvalidInput("a count is negative")
        flat = np.ascontiguousarray(whole).reshape(-1)
        return cls(tuple(variables), *sparse_counts(flat))

    @classmethod
    def from_records(
        cls,
        frame: Any,
        names: Sequence[str] | None = None,
        *,
        count: str | None = None,
        orders: Mapping[str, Sequence[Any]] | None = None,
    ) -> "ContingencyTable":
        """Return the counts of a frame of records; see :func:`~graphkit.tables.structure.frames.counted_records`."""
        from graphkit.tables.structure.frames import counted_records

        return cls._of_rows(*counted_records(frame, names, count, orders or {}))

    @classmethod
    def from_crosstab(cls, frame: Any) -> "ContingencyTable":
        """Return the counts of a cross table; see :func:`~graphkit.tables.structure.frames.crossed_counts`."""
        from graphkit.tables.structure.frames import crossed_counts

        return cls._of_rows(*crossed_counts(frame))

    @classmethod
    def _of_rows(cls, variables: tuple[Variable, ...], places: tuple[Ints, ...], counts: Ints) -> "ContingencyTable":
        none = np.empty(0, dtype=np.int64)
        # refused there, where it has too many cells to be numbered
        empty = cls(variables, none, none)
        some = counts > 0
        strides = strides_of(empty.shape)
        numbers = np.zeros(int(some.sum()), dtype=np.int64)
        for place, stride in zip(places, strides.tolist(), strict=True):
            numbers += place[some] * stride
        return cls(variables, *summed_counts(numbers, counts[some]))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the variables."""
        return tuple(variable.name for variable in self.variables)

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of categories of every variable."""
        return tuple(variable.size for variable in self.variables)

    @property
    def size(self) -> int:
        """Number of cells, zero or not."""
        return math.prod(self.shape)

    @property
    def total(self) -> int:
        """Sum of all counts."""
        return int(self.counts.sum())

    def dense(self) -> Ints:
        """Return all counts, one axis a variable.

        Raises
        ------
        InvalidInput
            If there are more than 2^27 cells.
        """
        if self.size > MOST_DENSE:
            raise InvalidInput(f"a table of {self.size} cells is too large to be written out")
        return dense_counts(self.cells, self.counts, self.size).reshape(self.shape)

    def axes(self, names: Iterable[str | int]) -> tuple[int, ...]:
        """Return the positions of variables, ascending: the same for every order of the names.

        Raises
        ------
        InvalidInput
            If there is no such variable, or one is there twice.

        Examples
        --------
        >>> ContingencyTable.from_dense([[1]], (Variable("a", ("x",)), Variable("b", ("y",)))).axes(["b", "a"])
        (0, 1)
        """
        return axes_named(names, self.names)

    def codes(self) -> Ints:
        """Return the category of every non-zero cell by variable, shape (k, c)."""
        return np.array(np.unravel_index(self.cells, self.shape), dtype=np.int64).reshape(len(self.shape), -1)

    def marginal(self, names: Iterable[str | int]) -> "ContingencyTable":
        """Return the counts by some of the variables, in the table's order.

        Notes
        -----
        O(c log c) for c non-zero cells.

        Raises
        ------
        InvalidInput
            If there is no such variable, one is there twice, or none is given: that is :attr:`total`.
        """
        axes = self.axes(names)
        if not axes:
            raise InvalidInput("a marginal needs a variable; without any it is the total")
        kept = tuple(self.variables[axis] for axis in axes)
        return ContingencyTable(kept, *summed_counts(projected_cells(self.cells, self.shape, axes), self.counts))


def dense_counts(cells: Ints, counts: Ints, size: int) -> Ints:
    """Return the counts of all cells, given those of some; the others are zero.

    Examples
    --------
    >>> dense_counts(np.array([1, 3]), np.array([7, 2]), 5).tolist()
    [0, 7, 0, 2, 0]
    """
    flat = np.zeros(size, dtype=np.int64)
    flat[cells] = counts
    return flat


def sparse_counts(flat: Ints) -> SparseCounts:
    """Return the cells that are not zero, and their counts.

    Examples
    --------
    >>> [part.tolist() for part in sparse_counts(np.array([0, 7, 0, 2, 0]))]
    [[1, 3], [7, 2]]
    """
    cells = np.flatnonzero(flat).astype(np.int64)
    return cells, flat[cells]


def summed_counts(cells: Ints, counts: Ints) -> SparseCounts:
    """Return each cell once, ascending, with the sum of its counts. O(c log c).

    Examples
    --------
    >>> [part.tolist() for part in summed_counts(np.array([4, 1, 4]), np.array([2, 5, 3]))]
    [[1, 4], [5, 5]]
    """
    different, place = np.unique(cells, return_inverse=True)
    sums = np.zeros(different.size, dtype=np.int64)
    np.add.at(sums, place.reshape(-1), counts)
    return different.astype(np.int64), sums


def projected_cells(cells: Ints, shape: tuple[int, ...], axes: Iterable[int]) -> Ints:
    """Return the number of each cell of a table in the marginal by some of its variables.

    Examples
    --------
    >>> projected_cells(np.arange(6), (2, 3), (1,))
    array([0, 1, 2, 0, 1, 2])
    """
    number, strides = np.zeros(np.shape(cells), dtype=np.int64), strides_of(shape)
    for axis in axes:
        number = number * shape[axis] + cells // strides[axis] % shape[axis]
    return number


def strides_of(shape: Sequence[int]) -> Ints:
    """Return by how much the number of a cell grows with the category of each variable.

    Examples
    --------
    >>> strides_of((2, 3, 4)).tolist()
    [12, 4, 1]
    """
    return np.array([math.prod(shape[axis + 1 :]) for axis in range(len(shape))], dtype=np.int64)


def _whole(array: NDArray[np.generic]) -> Ints:
    """Return numbers that are whole as integers."""
    if array.dtype.kind != "f" or not np.isfinite(array).all() or (array != np.floor(array)).any():
        raise InvalidInput("counts must be whole numbers")
    if np.abs(array).max(initial=0) > MOST_TOTAL:
        raise InvalidInput("the total of a table must be below 2^53")
    return array.astype(np.int64)
