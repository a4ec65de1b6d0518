"""Do two lists of figures about the same vertices put them into the same order?"""

from __future__ import annotations

import numpy as np

from graphkit.arrays import Floats

__all__ = ["rank_correlation", "settled", "top_overlap"]

_DIGITS = 10


def settled(values: Floats) -> Floats:
    """Return values without the noise of floating-point sums, so that what is equal in theory ties.

    Examples
    --------
    >>> settled(np.array([0.1 + 0.2, 0.3, 1.0])).tolist()
    [0.3, 0.3, 1.0]
    """
    largest = float(np.abs(values).max(initial=0.0))
    return np.round(values / largest, _DIGITS) * largest if largest else values


def rank_correlation(first: Floats, second: Floats) -> float | None:
    """Return Spearman's rank correlation with average ranks for ties; None where one list is constant.

    Notes
    -----
    O(n log n).

    Examples
    --------
    >>> rank_correlation(np.array([1.0, 2.0, 3.0]), np.array([10.0, 30.0, 20.0]))
    0.5
    """
    ranks = [_ranks(values) - (values.size + 1) / 2 for values in (first, second)]
    norms = [float(np.sqrt((centred**2).sum())) for centred in ranks]
    if 0.0 in norms:
        return None
    return round(float((ranks[0] * ranks[1]).sum()) / (norms[0] * norms[1]), 12)


def top_overlap(first: Floats, second: Floats, size: int) -> float:
    """Return the share of the `size` largest of one list that are among the largest of the other.

    Among equals the lower index goes first, in both lists.

    Examples
    --------
    >>> top_overlap(np.array([5.0, 4.0, 1.0]), np.array([5.0, 1.0, 4.0]), 2)
    0.5
    """
    tops = [np.argsort(-values, kind="stable")[:size] for values in (first, second)]
    return float(np.isin(tops[0], tops[1]).mean())


def _ranks(values: Floats) -> Floats:
    _, position, sizes = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    average: Floats = (last - (sizes - 1) / 2)[position]
    return average
