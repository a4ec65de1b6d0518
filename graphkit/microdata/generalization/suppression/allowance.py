"""How many records may be left out, and what that makes of bounds on strata."""

from collections.abc import Sequence
from math import fsum

import numpy as np
from numpy.typing import ArrayLike

from graphkit.arrays import Floats, Ints
from graphkit.errors import InvalidInput
from graphkit.numbers import counted

_ROUNDING = 1e-9


def most_suppressed(share: float, sizes: Sequence[int], k: int) -> list[int]:
    """Return how many records of each stratum may be left out: a share of its own ones, and never so many that k lack.

    Parameters
    ----------
    share : float
    sizes : sequence of int
        Records of every stratum, each at least k.
    k : int

    Raises
    ------
    InvalidInput
        If the share is not within [0, 1), or leaves fewer than k of all records.

    Examples
    --------
    >>> most_suppressed(0.29, [100, 6], 5)
    [29, 1]
    """
    n = sum(sizes)
    if not 0 <= share < 1:
        raise InvalidInput(f"share of records to leave out ({share:g}) must be at least 0 and below 1, such as 0.01")
    left = n - part_of(share, n)
    if left < k:
        raise InvalidInput(
            f"of {counted(n, 'record', 'records')} {left} would be left, fewer than k ({k}); leave out a smaller share"
        )
    return [min(part_of(share, size), size - k) for size in sizes]


def least_mean(bounds: ArrayLike, least: ArrayLike, most: ArrayLike) -> float:
    """Return the least mean over all records of some strata, given a bound on the mean of each.

    Parameters
    ----------
    bounds : array_like of float, shape (s,)
        What the mean of a stratum is not below, however many of its records are published.
    least, most : array_like of int, shape (s,)
        Records of a stratum that are published, at least and at most.

    Notes
    -----
    A mean falls by more records of a stratum whose bound is below it, and by fewer of one whose bound is above it. So
    the strata with the smallest bounds count with all their records, the others with as few as may be, for some number
    of strata: all numbers are tried.

    Examples
    --------
    >>> least_mean([0.1, 0.3], [5, 4], [5, 6])
    0.18888888888888888
    """
    order = np.argsort(np.asarray(bounds, dtype=np.float64), kind="stable")
    values = np.asarray(bounds, dtype=np.float64)[order]
    few, many = np.asarray(least)[order], np.asarray(most)[order]
    return min(_mean(values, np.where(np.arange(order.size) < full, many, few)) for full in range(order.size + 1))


def _mean(values: Floats, counts: Ints) -> float:
    return fsum((values * counts).tolist()) / int(counts.sum())


def part_of(share: float, n: int) -> int:
    """Return how many of some records a share is, rounded down."""
    # a share of 0.29 is 29 of 100, not 28.999999999999996
    return int(share * n + _ROUNDING)
