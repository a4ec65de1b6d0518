"""Cells of all tables that arise by leaving out variables and merging categories, and the sums that hold among them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Bools, Ints

_MOST_CELLS = 64_000_000
_MOST_SUMS = 1_000_000_000
_MOST_FOR_ALL_SETS = 12
# the largest total times as many fits into 64 bits
_MOST_CATEGORIES = 1_000


@dataclass(frozen=True, slots=True, eq=False)
class MergedAxis:
    """Sets of categories of one variable: the single ones first, in order, all of them last."""

    members: Bools
    """Which categories are in which set, shape (m, c)."""
    whole: Ints
    """The set that a sum gives, shape (r,)."""
    first_part: Ints
    """Where the parts of every sum begin, and where the last ends, shape (r+1,)."""
    parts: Ints
    """The sets that are summed."""

    @property
    def size(self) -> int:
        """Number of sets m."""
        return int(self.members.shape[0])

    @classmethod
    def full(cls, categories: int) -> "MergedAxis":
        """Return all non-empty sets of categories, with every way to split one in two.

        Examples
        --------
        >>> axis = MergedAxis.full(3)
        >>> axis.size, axis.whole.size
        (7, 6)
        """
        masks = sorted(range(1, 2**categories), key=lambda mask: (mask.bit_count() > 1, mask))
        place = {mask: i for i, mask in enumerate(masks)}
        sums = []
        for mask in masks:
            # the part with the lowest category: every split once
            rest = mask & (mask - 1)
            part = (rest - 1) & rest if rest else 0
            while rest:
                sums.append((place[mask], [place[mask ^ rest ^ part], place[rest ^ part]]))
                if part == 0:
                    break
                part = (part - 1) & rest
        members = np.array([[bool(mask >> c & 1) for c in range(categories)] for mask in masks])
        return cls._of(members, sums)

    @classmethod
    def single(cls, categories: int) -> "MergedAxis":
        """Return the single categories, their complements and the total.

        Examples
        --------
        >>> axis = MergedAxis.single(5)
        >>> axis.size, axis.whole.size
        (11, 10)
        """
        if categories <= 3:
            return cls.full(categories)
        one = np.eye(categories, dtype=np.bool_)
        members = np.concatenate((one, ~one, np.ones((1, categories), dtype=np.bool_)))
        total = 2 * categories
        sums = [(total, [c, categories + c]) for c in range(categories)]
        sums += [(categories + c, [other for other in range(categories) if other != c]) for c in range(categories)]
        return cls._of(members, sums)

    @classmethod
    def _of(cls, members: Bools, sums: list[tuple[int, list[int]]]) -> "MergedAxis":
        return cls(
            members,
            np.array([whole for whole, _ in sums], dtype=np.int64),
            np.cumsum([0, *(len(parts) for _, parts in sums)]).astype(np.int64),
            np.array([part for _, parts in sums for part in parts], dtype=np.int64),
        )


@dataclass(frozen=True, slots=True, eq=False)
class MergedCells:
    """The set T of Dobra and Fienberg: a cell is a set of categories for every variable.

    An array over it has one axis a variable, with the sets in the order of :class:`MergedAxis`: index c of an axis is
    category c, index −1 all categories, which means that the variable is left out.
    """

    axes: tuple[MergedAxis, ...]
    complete: bool
    """Whether all sets of categories are there. Bounds that follow from fewer sums may be wider."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of sets of every variable."""
        return tuple(axis.size for axis in self.axes)

    @property
    def size(self) -> int:
        """Number of cells |T|."""
        return math.prod(self.shape)

    @property
    def base(self) -> tuple[slice, ...]:
        """Index of the cells of the table itself."""
        return tuple(slice(axis.members.shape[1]) for axis in self.axes)

    @classmethod
    def of_shape(
        cls, shape: tuple[int, ...], *, most_cells: int = _MOST_CELLS, most_sums: int = _MOST_SUMS
    ) -> "MergedCells | None":
        """Return the merged cells of a table, or None where even the fewest are too many.

        Parameters
        ----------
        shape : tuple of int
            Number of categories of every variable.
        most_cells, most_sums : int, optional
            How many cells, and sums among them, may be held.

        Notes
        -----
        All sets of categories, ``Π (2^c − 1)`` cells, where they are not too many. Otherwise the variables with the
        most categories keep single ones, complements and the total, one variable after the other; those with more than
        12 categories always do, and with more than 1000 they are too many for that, too.

        Examples
        --------
        >>> MergedCells.of_shape((2,) * 6).size
        729
        >>> cells = MergedCells.of_shape((18, 8, 5, 2))
        >>> cells.shape, cells.complete
        ((37, 255, 31, 3), False)
        """
        if max(shape) > _MOST_CATEGORIES:
            return None
        single = {axis for axis, c in enumerate(shape) if c > _MOST_FOR_ALL_SETS}
        complete = [0 if axis in single else c for axis, c in enumerate(shape)]
        while True:
            sizes = [_size(c, axis in single) for axis, c in enumerate(shape)]
            cells = math.prod(sizes)
            sums = sum(
                cells // size * _sums(c, axis in single)
                for axis, (size, c) in enumerate(zip(sizes, shape, strict=True))
            )
            if cells <= most_cells and sums <= most_sums:
                break
            largest = max(range(len(shape)), key=lambda axis: complete[axis])
            if complete[largest] <= 3:
                return None
            complete[largest] = 0
            single.add(largest)
        axes = tuple(MergedAxis.single(c) if axis in single else MergedAxis.full(c) for axis, c in enumerate(shape))
        return cls(axes, complete=not single)


def pair_sums(axes: Sequence[MergedAxis]) -> Ints:
    """Return whole and two parts of every sum among merged cells, these by their number in C order.

    Parameters
    ----------
    axes : sequence of MergedAxis
        All of them with all sets of categories.

    Examples
    --------
    >>> pair_sums([MergedAxis.full(2), MergedAxis.full(1)]).tolist()
    [[2, 0, 1]]
    """
    shape = tuple(axis.size for axis in axes)
    numbers = np.arange(math.prod(shape), dtype=np.int64).reshape(shape)
    sums = []
    for place, axis in enumerate(axes):
        along = np.moveaxis(numbers, place, 0).reshape(axis.size, -1)
        first = axis.first_part[:-1]
        columns = (along[axis.whole], along[axis.parts[first]], along[axis.parts[first + 1]])
        sums.append(np.stack(columns, axis=-1).reshape(-1, 3))
    return np.concatenate(sums)


def _size(categories: int, single: bool) -> int:
    return 2 * categories + 1 if single else 2**categories - 1


def _sums(categories: int, single: bool) -> int:
    """Return how many parts the sums of an axis have."""
    return categories * (categories + 1) if single else 3**categories - 2 ** (categories + 1) + 1
