"""Which pair of records a branch is made at."""

import numpy as np

from graphkit.arrays import Floats
from graphkit.microdata.microaggregation.column_generation._columns import Columns
from graphkit.microdata.microaggregation.column_generation._cuts import pair_weights
from graphkit.microdata.microaggregation.column_generation._demands import Pair

_WHOLE = 1e-6


def pair_to_branch_at(columns: Columns, weights: Floats, distances: Floats) -> Pair | None:
    """Return the pair that is together by a part and costs most, or None where every pair is together or apart.

    Parameters
    ----------
    columns : Columns
    weights : ndarray of float, shape (columns,)
        Of the linear program.
    distances : ndarray of float, shape (n, n)
        Squared.

    References
    ----------
    Ryan, Foster, An integer programming approach to scheduling, 1981.
    """
    used = np.flatnonzero(weights > _WHOLE)
    if not used.size:
        return None
    n = distances.shape[0]
    starts, near, together = pair_weights(columns.chosen(used), weights[used], n)
    owner = np.repeat(np.arange(n), np.diff(starts))
    open_to_choice = (owner < near) & (together > _WHOLE) & (together < 1 - _WHOLE)
    one, two, weight = owner[open_to_choice], near[open_to_choice], together[open_to_choice]
    if not one.size:
        return None
    worth = np.round(np.minimum(weight, 1 - weight), 6) * distances[one, two]
    best = int(worth.argmax())
    return int(one[best]), int(two[best])
