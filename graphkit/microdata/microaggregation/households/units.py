"""Households as what is moved between groups: how many records each has, and their mean."""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.microdata.microaggregation.groups import compact, group_means, within_groups


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Households of some records."""

    of: Ints
    """Household of every record, shape (n,), from 0 on."""
    sizes: Ints
    """Records of every household, shape (m,)."""
    means: Floats
    """Mean of every household, shape (m, d)."""
    inner: float
    """What every partition loses within households: SSE = inner + Σ sizes |mean − mean of the group|²."""


def units_of_households(points: Floats, households: Ints) -> Units:
    """Return the households of records.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
    households : ndarray of int, shape (n,)
        Household of every record.
    """
    of = compact(households)
    return Units(of, np.bincount(of), group_means(points, of), within_groups(points, of))
