"""Whether a table has the marginals that are out, and whether changes of it keep them; imports no engine."""

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graphkit.arrays import Ints
from graphkit.kernels import kernel

_MOST_TOTAL = 2**53
# so many changes of counts below 2^53 add up within 64 bits
_MOST_CHANGES = 512


def has_marginals(
    shape: tuple[int, ...], marginals: Mapping[tuple[int, ...], ArrayLike], total: int, counts: ArrayLike
) -> bool:
    """Whether counts are non-negative whole numbers and add up to every marginal and the total.

    Parameters
    ----------
    shape : tuple of int
        Number of categories of every variable.
    marginals : mapping of tuple of int to array_like of int
        Counts by positions of variables, ascending.
    total : int
        Sum of all counts.
    counts : array_like of int
        The table's counts, of its shape or in C order.

    Notes
    -----
    Everything is summed in 64-bit integers: totals are below 2^53. O(m·c) for m marginals and c cells.

    Examples
    --------
    >>> has_marginals((2, 2), {(0,): [3, 4], (1,): [5, 2]}, 7, [[2, 1], [3, 1]])
    True
    >>> has_marginals((2, 2), {(0,): [3, 4], (1,): [5, 2]}, 7, [[4, -1], [1, 3]])
    False
    """
    array = np.asarray(counts)
    if array.dtype.kind not in "iu" or array.shape not in (tuple(shape), (math.prod(shape),)):
        return False
    flat = array.reshape(-1).astype(np.int64)
    # a sum of floating point numbers does not wrap around
    if flat.min(initial=0) < 0 or flat.sum(dtype=np.float64) > _MOST_TOTAL or int(flat.sum()) != total:
        return False
    cells = np.flatnonzero(flat)
    codes = np.unravel_index(cells, shape)
    return all(_adds_up(shape, codes, flat[cells], axes, np.asarray(expected)) for axes, expected in marginals.items())


def _adds_up(
    shape: tuple[int, ...], codes: tuple[NDArray[np.intp], ...], counts: Ints, axes: tuple[int, ...], expected: Ints
) -> bool:
    sums = np.zeros(tuple(shape[axis] for axis in axes), dtype=np.int64)
    np.add.at(sums, tuple(codes[axis] for axis in axes), counts)
    return bool(np.array_equal(sums, expected))


def keeps_marginals(shape: Ints, sets: Ints, table: Ints, cells: Ints, changes: Ints) -> bool:
    """Whether a table that has marginals has them, too, and no negative count, once some counts are changed.

    Parameters
    ----------
    shape : ndarray of int64, shape (k,)
        Number of categories of every variable.
    sets : ndarray of int64, shape (m, s)
        Positions of the variables of each marginal, ascending, filled up with −1. The total is kept in any case.
    table : ndarray of int64, shape (n,)
        Counts in C order, of a table that was held to the marginals (:func:`has_marginals`).
    cells : ndarray of int64, shape (c,)
        Numbers of the cells that are changed, ascending.
    changes : ndarray of int64, shape (c,)
        By how much.

    Returns
    -------
    bool
        False, too, where there are more changes than can be summed safely in 64-bit integers.

    Notes
    -----
    A difference of two tables with the same marginals has marginals of zero. O(m·c log c), however large the table is.

    Examples
    --------
    >>> shape, sets, table = np.array([2, 2]), np.array([[0], [1]]), np.array([2, 1, 3, 1])
    >>> keeps_marginals(shape, sets, table, np.arange(4), np.array([1, -1, -1, 1]))
    True
    >>> keeps_marginals(shape, sets, table, np.arange(4), np.array([2, -2, -2, 2]))
    False
    >>> keeps_marginals(shape, sets, table, np.array([0, 2]), np.array([1, -1]))
    False
    """
    if not cells.shape == changes.shape == (cells.size,) or cells.size > _MOST_CHANGES:
        return False
    return bool(_keeps(shape, sets, table.reshape(-1), cells, changes))


@kernel
def _keeps(shape: Ints, sets: Ints, table: Ints, cells: Ints, changes: Ints) -> bool:
    number, most = cells.size, np.int64(_MOST_TOTAL)
    total = np.int64(0)
    for i in range(number):
        cell, change = cells[i], changes[i]
        if cell < 0 or cell >= table.size or (i > 0 and cell <= cells[i - 1]):
            return False
        if change < -most or change > most or table[cell] + change < 0:
            return False
        total += change
    if total != 0:
        return False
    codes = np.empty((shape.size, number), np.int64)
    for i in range(number):
        rest = cells[i]
        for axis in range(shape.size - 1, -1, -1):
            codes[axis, i] = rest % shape[axis]
            rest //= shape[axis]
    keys = np.empty(number, np.int64)
    for s in range(sets.shape[0]):
        keys[:] = 0
        for axis in sets[s]:
            if axis >= 0:
                for i in range(number):
                    keys[i] = keys[i] * shape[axis] + codes[axis, i]
        order = np.argsort(keys)
        found = np.int64(0)
        for i in range(number):
            if i > 0 and keys[order[i]] != keys[order[i - 1]]:
                if found != 0:
                    return False
                found = np.int64(0)
            found += changes[order[i]]
        if found != 0:
            return False
    return True
