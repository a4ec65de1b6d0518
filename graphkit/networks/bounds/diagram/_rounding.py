"""Whole solutions of the program over who is on which level: whether there is one, and one near a fractional one."""

import numpy as np
from scipy.optimize import linear_sum_assignment

from graphkit.arrays import Bools, Floats, Ints


def fit(possible: Bools, places: Ints) -> bool:
    """Return whether each vertex can be on a level of its own, and each level full.

    Parameters
    ----------
    possible : ndarray of bool, shape (v, j)
        Where each can be. Levels between two others count as possible, so what does not fit does not fit anyway.
    places : ndarray of int64, shape (j,)
        As many in all as there are vertices.
    """
    if not possible.any(axis=1).all():
        return False
    levels = places.size
    first, last = possible.argmax(axis=1), levels - 1 - possible[:, ::-1].argmax(axis=1)
    # by Hall: how many need the levels from a to b, and the places that these have
    numbers = np.bincount(first * levels + last, minlength=levels**2).reshape(levels, levels)
    needing = np.cumsum(np.cumsum(numbers[::-1], axis=0)[::-1], axis=1)
    before = np.concatenate(([0], np.cumsum(places)))
    return bool((np.triu(needing) <= np.maximum(before[None, 1:] - before[:-1, None], 0)).all())


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
