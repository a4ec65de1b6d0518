"""Whether a table has the marginals that are out; imports no engine."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["has_marginals"]

_MOST_TOTAL = 2**53


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
    shape: tuple[int, ...],
    codes: tuple[NDArray[np.intp], ...],
    counts: NDArray[np.int64],
    axes: tuple[int, ...],
    expected: NDArray[np.int64],
) -> bool:
    sums = np.zeros(tuple(shape[axis] for axis in axes), dtype=np.int64)
    np.add.at(sums, tuple(codes[axis] for axis in axes), counts)
    return bool(np.array_equal(sums, expected))
