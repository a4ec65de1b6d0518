"""Bounds from duals, safe in floating point."""

from math import fsum

import numpy as np

from graphkit.microdata.microaggregation.column_generation._prices import Prices
from graphkit.microdata.microaggregation.column_generation._pricing import Priced

MARGIN = 1e-11
"""Share of the duals by which a bound is lowered."""


def bound_of(prices: Prices, found: Priced, most_groups: int) -> float:
    """Return what no partition loses less than, from the duals that the groups were priced with.

    Notes
    -----
    A partition has one group at most whose first record is a given one, and a cut charges one of its groups at most.
    So it loses at least the duals of its records, less the charges (that of a group as often as there are
    groups at most), plus what the groups of every first record cost at
    least where that is negative (Lagrange, Farley).

    *Rounding.* A squared distance is a sum of squares of differences, so its relative error is about d·2⁻⁵³; so is that
    of an SSE, a sum of such distances. A group matters only if its SSE is below its duals, and what was computed of it
    is off by some hundred times 2⁻⁵³ of these. Groups of a partition share no records: all of them together are off by
    that much of all duals, which the margin exceeds a hundredfold.
    """
    lacking = np.minimum(0.0, found.least)
    size = float(np.abs(prices.records).sum() + prices.cuts.sum() + most_groups * prices.group - lacking.sum())
    charged = fsum(prices.cuts) + most_groups * prices.group
    return fsum(prices.records) - charged + fsum(lacking) - MARGIN * size
