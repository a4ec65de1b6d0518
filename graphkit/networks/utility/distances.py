"""Distances between distributions of a figure over the vertices."""

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.networks.utility.measure import Distance

Values = Ints | Floats


def kolmogorov_smirnov_distance(first: Values, second: Values) -> float:
    """Return the largest difference between the cumulative distributions of two samples.

    Examples
    --------
    >>> kolmogorov_smirnov_distance(np.array([1, 1]), np.array([1, 2]))
    0.5
    """
    return float(np.abs(_cumulative_difference(first, second)[1]).max())


def earth_mover_distance(first: Values, second: Values) -> float:
    """Return by how much the values of one sample must be moved, on average, to become the other.

    Examples
    --------
    >>> earth_mover_distance(np.array([1, 1]), np.array([1, 4]))
    1.5
    """
    values, difference = _cumulative_difference(first, second)
    return float((np.abs(difference[:-1]) * np.diff(values)).sum())


def distribution_distances(name: str, first: Values, second: Values) -> tuple[Distance, ...]:
    """Return how far two distributions are apart by both distances; nothing where one is empty."""
    if not (first.size and second.size):
        return ()
    return (
        Distance(f"{name}, Kolmogorov–Smirnov", kolmogorov_smirnov_distance(first, second)),
        Distance(f"{name}, earth mover", earth_mover_distance(first, second)),
    )


def _cumulative_difference(first: Values, second: Values) -> tuple[Floats, Floats]:
    """Return every value that occurs, ascending, and the difference of the cumulative shares up to it."""
    values = np.unique(np.concatenate((first, second)).astype(np.float64))
    shares = [np.searchsorted(np.sort(sample), values, side="right") / sample.size for sample in (first, second)]
    return values, shares[0] - shares[1]
