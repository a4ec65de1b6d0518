"""A whole solution near one of the linear program over who is on which level."""

import numpy as np
from scipy.optimize import linear_sum_assignment

from graphkit.arrays import Floats, Ints


def rounded_places(vertex: Ints, level: Ints, places: Ints, values: Floats) -> Ints | None:
    """Return the level of each position that keeps most of the shares; None where not all of them find a place.

    Parameters
    ----------
    vertex, level : ndarray of int64, shape (m,)
        Which positions can be on which levels.
    places : ndarray of int64, shape (j,)
        How many positions each level has; all are full then.
    values : ndarray of float, shape (m,)
        Shares.

    Returns
    -------
    ndarray of int64, shape (Σ places,), or None

    Notes
    -----
    O(b³) for b positions, with a small constant.
    """
    number = int(places.sum())
    shares = np.full((number, places.size), -1.0 - number)
    shares[vertex, level] = values
    of_place = np.repeat(np.arange(places.size), places)
    by_place = shares[:, of_place]
    positions, chosen = linear_sum_assignment(by_place, maximize=True)
    if (by_place[positions, chosen] < -1).any():
        return None
    found: Ints = of_place[chosen]
    return found
