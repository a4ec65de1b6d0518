"""How covariances and correlations of pairs of attributes changed."""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Floats
from graphkit.microdata.utility.scaling import check_alike, spreads, varying

_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True)
class CorrelationChange:
    """What became of the relations between attributes, over all pairs that vary in original and release."""

    pairs: int
    mean_covariance: float
    """Mean of |change of the covariance|, of attributes scaled to standard deviation 1 in the original."""
    mean_correlation: float
    """Mean of |change of Pearson's correlation|."""
    largest_correlation: float
    """Largest |change of the correlation|."""
    attributes: tuple[int, int]
    """The pair of which that is; the first of several."""


def correlation_change(original: Floats, published: Floats) -> CorrelationChange | None:
    """Return how far covariances and correlations moved; None with fewer than two attributes that vary in both.

    Parameters
    ----------
    original, published : ndarray of float, shapes (n, d) and (m, d)
        The records need not correspond.

    Raises
    ------
    InvalidInput
        If the tables have other attributes.

    Notes
    -----
    O((n + m) d²).

    References
    ----------
    Domingo-Ferrer, Torra 2001, "Disclosure control methods and information loss for microdata" (variations of
    covariance and correlation matrices).

    Examples
    --------
    >>> change = correlation_change(np.array([[0.0, 1], [1, 0], [2, 2]]), np.array([[0.5, 0.5], [0.5, 0.5], [2, 2]]))
    >>> change.attributes, round(change.largest_correlation, 3)
    ((0, 1), 0.5)
    """
    check_alike(original, published, paired=False)
    both = np.flatnonzero(varying(original) & varying(published))
    if both.size < 2:
        return None
    first, second = np.triu_indices(both.size, 1)
    scale = spreads(original)[both]
    before, after = (covariances(records[:, both], scale) for records in (original, published))
    moved_covariances = after - before
    moved = np.abs(correlations(after) - correlations(before))[first, second]
    worst = int(np.argmax(moved))
    return CorrelationChange(
        int(first.size),
        float(np.abs(moved_covariances[first, second]).mean()),
        float(moved.mean()),
        float(moved[worst]),
        (int(both[first[worst]]), int(both[second[worst]])),
    )


def correlations(shared: Floats) -> Floats:
    """Return Pearson's correlations from covariances of attributes that vary, shape (d, d)."""
    spread = np.sqrt(np.diag(shared))
    found: Floats = np.clip(shared / np.outer(spread, spread), -1.0, 1.0)
    return found


def covariances(records: Floats, scale: Floats) -> Floats:
    """Return the covariances of attributes over n, shape (d, d), each divided by its scale first.

    Notes
    -----
    Block by block: no copy of all records is made.
    """
    mean = records.mean(axis=0)
    found = np.zeros((records.shape[1], records.shape[1]))
    for start in range(0, records.shape[0], _BLOCK):
        centred = (records[start : start + _BLOCK] - mean) / scale
        found += centred.T @ centred
    found /= records.shape[0]
    return found
