"""NPN-MHM: from the record farthest from the mean on, the nearest record is next."""

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.microdata.microaggregation.tours.stitched import stitched
from graphkit.microdata.microaggregation.tours.tour2assignment import tour2assignment


def npn_tour(points: Floats) -> Ints:
    """Return the tour of nearest point next, shape (n,), in O(n² d).

    Examples
    --------
    >>> npn_tour(np.array([[0.0], [5.0], [1.0], [9.0]])).tolist()
    [3, 1, 2, 0]
    """
    return stitched(points, np.arange(points.shape[0]))


def npn_mhm(points: Floats, k: int) -> Ints:
    """Return the best groups along the tour of nearest point next, shape (n,)."""
    return tour2assignment(points, npn_tour(points), k)
