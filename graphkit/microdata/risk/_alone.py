"""Which records are alone in their combination of categories."""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphkit.arrays import Bools, Ints
from graphkit.kernels import kernel
from graphkit.microdata.risk.classes import combined_key
from graphkit.microdata.risk.coded import CodedColumn

_LARGEST_TABLE = 1 << 27
"""Holds four columns of 100 categories and a missing value each."""
_FEW_RECORDS = 50_000
"""So many are sorted before a kernel is loaded."""
_SPARSE = 100
"""A table of so many places a record takes longer to clear than the records to sort."""


class Alone:
    """Finds records that are alone in a combination of columns.

    Parameters
    ----------
    columns : sequence of CodedColumn
    n : int
        Records.

    Notes
    -----
    Where the product of the numbers of categories is at most 2^27 (and 100 a record), records are counted in a table of
    one byte a place, in O(n + product) time; otherwise they are sorted, in O(n log n).
    """

    def __init__(self, columns: Sequence[CodedColumn], n: int) -> None:
        self._columns = columns
        self._n = n
        width = max((column.codes.dtype for column in columns), key=lambda kind: kind.itemsize, default=np.uint8)
        self._matrix: NDArray[Any] | None = None
        self._width = width
        self._table = np.zeros(0, dtype=np.uint8)

    def within(self, chosen: Sequence[int]) -> Bools:
        """Return whether each record is alone in the columns at these positions, shape (n,)."""
        places = prod(self._columns[column].size for column in chosen)
        if self._n < _FEW_RECORDS or places > min(_LARGEST_TABLE, _SPARSE * self._n):
            return self._by_sorting(chosen)
        return self._by_counting(chosen, places)

    def _by_sorting(self, chosen: Sequence[int]) -> Bools:
        key, _ = combined_key([self._columns[column] for column in chosen], self._n)
        order = np.argsort(key)
        key = key[order]
        changes = np.concatenate(([True], key[1:] != key[:-1], [True]))
        alone = np.empty(self._n, dtype=np.bool_)
        alone[order] = changes[:-1] & changes[1:]
        return alone

    def _by_counting(self, chosen: Sequence[int], places: int) -> Bools:
        if self._matrix is None:
            self._matrix = np.stack([column.codes.astype(self._width, copy=False) for column in self._columns])
        if self._table.size < places:
            self._table = np.zeros(places, dtype=np.uint8)
        sizes = np.array([self._columns[column].size for column in chosen], dtype=np.int64)
        alone = np.empty(self._n, dtype=np.bool_)
        _count(self._matrix, np.array(chosen, dtype=np.int64), sizes, self._table[:places], alone)
        return alone


@kernel
def _count(matrix: NDArray[Any], chosen: Ints, sizes: Ints, table: NDArray[np.uint8], alone: Bools) -> None:
    """Count up to 2 in a table whose places are the combinations of categories."""
    table[:] = 0
    for record in range(alone.size):
        place = np.int64(0)
        for digit in range(chosen.size):
            place = place * sizes[digit] + np.int64(matrix[chosen[digit], record])
        if table[place] < 2:
            table[place] += 1
    for record in range(alone.size):
        place = np.int64(0)
        for digit in range(chosen.size):
            place = place * sizes[digit] + np.int64(matrix[chosen[digit], record])
        alone[record] = table[place] == 1
