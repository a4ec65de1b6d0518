"""What a regression of each attribute on all others finds, before and after."""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.microdata.utility.correlations import covariances
from graphkit.microdata.utility.scaling import check_alike, spreads, varying

_WORST_CONDITION = 1e8
"""Of correlations: with a larger one half of the digits of a coefficient are those of rounding."""


@dataclass(frozen=True, slots=True)
class RegressionChange:
    """One attribute explained by all others with least squares, before and after."""

    attribute: int
    """The attribute that is explained."""
    largest: float
    """Largest |change of a coefficient|; the intercept does not count."""
    mean: float
    """Mean |change of a coefficient|."""
    r2: tuple[float, float]
    """Share of its variance that the others explain, in the original and in the release."""


def regression_changes(original: Floats, published: Floats) -> tuple[RegressionChange, ...]:
    """Return how the coefficients of each attribute on all others moved.

    Parameters
    ----------
    original, published : ndarray of float, shapes (n, d) and (m, d)
        The records need not correspond.

    Returns
    -------
    tuple of RegressionChange
        One for each attribute where coefficients are determined in both: none where attributes are constant or depend
        on each other linearly, and none with fewer than two attributes that vary.

    Raises
    ------
    InvalidInput
        If the tables have other attributes.

    Notes
    -----
    Both tables are scaled by the standard deviations of the original: a coefficient says by how many standard
    deviations the attribute changes with one of the other, and units do not matter. O((n + m) d² + d⁴).

    References
    ----------
    Purdam, Elliot 2007, "A case study of the impact of statistical disclosure control on data quality in the individual
    UK Samples of Anonymised Records" (what analysts do with released records).

    Examples
    --------
    >>> before = np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 1.0], [3.0, 3.0]])
    >>> change = regression_changes(before, np.array([[0.5, 1.0], [0.5, 1.0], [2.5, 2.0], [2.5, 2.0]]))[0]
    >>> change.attribute, round(change.largest, 6), [round(share, 6) for share in change.r2]
    (0, 1.2, [0.64, 1.0])
    """
    check_alike(original, published, paired=False)
    both = np.flatnonzero(varying(original) & varying(published))
    if both.size < 2:
        return ()
    scale = spreads(original)[both]
    matrices = [covariances(records[:, both], scale) for records in (original, published)]
    found = []
    for place, attribute in enumerate(both.tolist()):
        others = np.delete(np.arange(both.size), place)
        if any(_condition(matrix[np.ix_(others, others)]) > _WORST_CONDITION for matrix in matrices):
            continue
        (before, r2), (after, r2_after) = (_explained(matrix, place, others) for matrix in matrices)
        moved = np.abs(after - before)
        found.append(RegressionChange(attribute, float(moved.max()), float(moved.mean()), (r2, r2_after)))
    return tuple(found)


def _condition(covariances: Floats) -> float:
    """Return the condition of the correlations: how near attributes are to depending on each other."""
    spread = np.sqrt(np.diag(covariances))
    return float(np.linalg.cond(covariances / np.outer(spread, spread)))


def _explained(covariances: Floats, response: int, explaining: Ints) -> tuple[Floats, float]:
    """Return the coefficients, and the share of the variance that is explained, by the normal equations."""
    shared = covariances[explaining, response]
    coefficients: Floats = np.linalg.solve(covariances[np.ix_(explaining, explaining)], shared)
    return coefficients, min(max(float(shared @ coefficients) / float(covariances[response, response]), 0.0), 1.0)
