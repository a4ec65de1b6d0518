"""Distances between degree distributions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["earth_mover_distance", "kolmogorov_smirnov_distance"]


def kolmogorov_smirnov_distance(first: NDArray[np.int64], second: NDArray[np.int64]) -> float:
    """Return the largest difference between the cumulative distributions of two samples of degrees.

    Examples
    --------
    >>> kolmogorov_smirnov_distance(np.array([1, 1]), np.array([1, 2]))
    0.5
    """
    return float(np.abs(_cumulative_difference(first, second)).max())


def earth_mover_distance(first: NDArray[np.int64], second: NDArray[np.int64]) -> float:
    """Return the mean number of degrees by which one sample must be moved to become the other.

    Examples
    --------
    >>> earth_mover_distance(np.array([1, 1]), np.array([1, 4]))
    1.5
    """
    return float(np.abs(_cumulative_difference(first, second)).sum())


def _cumulative_difference(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.float64]:
    length = int(max(first.max(), second.max())) + 1
    shares = [np.cumsum(np.bincount(sample, minlength=length)) / sample.size for sample in (first, second)]
    return shares[0] - shares[1]
