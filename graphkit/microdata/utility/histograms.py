"""The distribution of an attribute before and after, in classes that tell nothing of single values."""

import math
from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Floats

CLASSES = 16


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many records have values in each class, before and after.

    The borders come from the published values alone: whoever has the release knows these, so the borders tell nothing
    of the original. The first class has no lower end and the last no upper one, so no extreme value shows.
    """

    attribute: str
    borders: tuple[float, ...]
    """Round numbers, rising; class i holds values from border i − 1 up to below border i."""
    before: tuple[int, ...]
    """Records of the original in each class. Protected."""
    after: tuple[int, ...]
    """Records of the release in each class."""


def histogram(attribute: str, original: Floats, published: Floats, classes: int = CLASSES) -> Histogram:
    """Return the classes of one attribute.

    Parameters
    ----------
    attribute : str
        Its name.
    original, published : ndarray of float, shapes (n,) and (m,)
        The records need not correspond.
    classes : int, optional
        About how many classes there are to be.

    Notes
    -----
    Borders lie at multiples of a round step over the middle 90 percent of the published values, so that a few large
    values do not push all others into one class. O((n + m) log m).

    Examples
    --------
    >>> found = histogram("age", np.array([18.0, 22.0, 61.0, 97.0]), np.array([20.0, 20.0, 79.0, 79.0]), classes=4)
    >>> found.borders, found.before, found.after
    ((40.0, 60.0), (2, 0, 2), (2, 0, 2))
    """
    low, high = (float(value) for value in np.quantile(published, (0.05, 0.95), method="inverted_cdf"))
    if low == high:
        # a single value lies between the round numbers beside it
        step = 10.0 ** math.floor(math.log10(abs(low))) / 10 if low else 1.0
        first, last = math.floor(low / step), math.floor(low / step) + 1
    else:
        step = _round_step((high - low) / classes)
        # the first border lies above the lowest values, the last below the highest
        first, last = math.floor(low / step) + 1, math.ceil(high / step) - 1
    borders = np.array([place * step for place in range(first, max(first, last) + 1)], dtype=np.float64)
    counts = [
        np.bincount(np.searchsorted(borders, x, side="right"), minlength=borders.size + 1)
        for x in (original, published)
    ]
    return Histogram(attribute, tuple(borders.tolist()), *(tuple(found.tolist()) for found in counts))


def _round_step(least: float) -> float:
    """Return the smallest of 1, 2, 5 times a power of ten that is no less."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least * (1 - 1e-9))
