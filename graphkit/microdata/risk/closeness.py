"""t-closeness: how far the values of a sensitive column in an equivalence class are from those in the whole file."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.errors import InvalidInput
from graphkit.microdata.risk.sensitive_counts import SensitiveCounts
from graphkit.presentation import Presentable

Distance = Literal["equal", "ordered"]
"""Whether all categories are equally far from each other, or as far as their ranks."""

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosenessRisk(Presentable):
    """How far the classes are from the whole file in a sensitive column. Figures only."""

    sensitive: str
    """Name of the sensitive column."""
    distance: Distance
    t: float
    largest_distance: float
    """Distance of the class that is farthest: the smallest t for which the records are t-close; 0 without records."""
    mean_distance: float
    """Mean over the records."""
    classes_above_t: int
    records_above_t: int
    """Records in classes farther than t."""

    _figures = ("sensitive", "distance", "t", "largest_distance", "records_above_t", "is_close")
    _derived = ("is_close",)

    @property
    def is_close(self) -> bool:
        """Whether no class is farther than t."""
        return self.classes_above_t == 0


def t_closeness(counted: SensitiveCounts, t: float = 0.2, distance: Distance = "equal") -> ClosenessRisk:
    """Return how close the classes are to the whole file in a sensitive column.

    Parameters
    ----------
    counted : SensitiveCounts
        As :func:`~graphkit.microdata.risk.sensitive_counts.sensitive_counts` gives it.
    t : float
        Largest distance that is allowed, from 0 to 1.
    distance : {"equal", "ordered"}
        Ground distance of the earth mover's distance: 1 between any two categories, or the difference of their ranks
        divided by m − 1 for m categories (for numbers).

    Raises
    ------
    InvalidInput
        If `t` is not from 0 to 1, or `distance` is not known.

    Notes
    -----
    O(p log m) time for p pairs of a class and a category: the categories that a class lacks cost nothing. A missing
    value is a category, the last one in the order.

    References
    ----------
    Li, N., Li, T. and Venkatasubramanian, S. (2007). t-Closeness: privacy beyond k-anonymity and l-diversity. ICDE.
    Sections 4.1 and 4.2.

    Examples
    --------
    >>> from graphkit.microdata.risk.classes import equivalence_classes
    >>> from graphkit.microdata.risk.coded import code_records
    >>> from graphkit.microdata.risk.sensitive_counts import sensitive_counts
    >>> salaries = [3, 4, 5, 6, 11, 8, 7, 9, 10]
    >>> records = code_records({"class": [1, 1, 1, 2, 2, 2, 3, 3, 3], "salary": salaries})
    >>> counted = sensitive_counts(equivalence_classes(records, ["class"]), records.columns["salary"])
    >>> round(t_closeness(counted, t=0.2, distance="ordered").largest_distance, 9)
    0.375
    """
    if not (isinstance(t, int | float | np.number) and math.isfinite(t) and 0 <= t <= 1):
        raise InvalidInput("t must be a number from 0 to 1, such as 0.2")
    if distance not in ("equal", "ordered"):
        raise InvalidInput("the distance must be 'equal' or 'ordered'")
    far = _equal_distances(counted) if distance == "equal" else _ordered_distances(counted)
    above = far > t + _ROUNDING
    n = counted.n
    return ClosenessRisk(
        sensitive=counted.name,
        distance=distance,
        t=float(t),
        largest_distance=float(far.max()) if far.size else 0.0,
        mean_distance=float((far * counted.sizes).sum() / n) if n else 0.0,
        classes_above_t=int(above.sum()),
        records_above_t=int(counted.sizes[above].sum()),
    )


def _equal_distances(counted: SensitiveCounts) -> Floats:
    """Return half the sum of all differences of shares, which is the sum of those that are positive."""
    n = counted.n
    shares = counted.counts / counted.sizes[counted.class_of]
    shares -= counted.totals[counted.category] / max(n, 1)
    return _by_class(counted, np.maximum(shares, 0.0))


def _ordered_distances(counted: SensitiveCounts) -> Floats:
    """Return the sums of all differences of cumulated shares, divided by m − 1.

    Between two categories of a class its cumulated share is constant, and that of the whole file grows: where they
    cross is looked up, and both sides follow from sums that are cumulated once.
    """
    m, n = counted.totals.size, counted.n
    if m < 2:
        return np.zeros(counted.sizes.size)
    whole = np.cumsum(counted.totals)
    # sums[i]: of the first i cumulated counts; exact in integers as long as m n < 2^63
    sums = np.concatenate(([0], np.cumsum(whole)))
    running = np.cumsum(counted.counts)
    before = running - counted.counts
    in_class = running - before[counted.begins][counted.class_of]
    ends = np.append(counted.category[1:], m)
    # behind the last category of a class both shares add up to 1 or differ up to the end of the list
    last = np.append(counted.class_of[1:] != counted.class_of[:-1], True)
    ends[last] = m
    spans = _areas(sums, whole, counted.category, ends, in_class / counted.sizes[counted.class_of], n)
    far = _by_class(counted, spans)
    # before the first category of a class its share is 0
    far += sums[counted.category[counted.begins]] / n
    return far / (m - 1)


def _by_class(counted: SensitiveCounts, values: Floats) -> Floats:
    """Return the sums of values of pairs, class by class."""
    return np.bincount(counted.class_of, values, minlength=counted.sizes.size).astype(np.float64, copy=False)


def _areas(sums: Ints, whole: Ints, begins: Ints, ends: Ints, share: Floats, n: int) -> Floats:
    """Return for each pair the sum of ``|share - whole[i] / n|`` over the categories ``begins ≤ i < ends``."""
    cross = np.clip(np.searchsorted(whole, share * n, side="right"), begins, ends)
    below: Floats = share * (cross - begins) - (sums[cross] - sums[begins]) / n
    below -= share * (ends - cross) - (sums[ends] - sums[cross]) / n
    return below
