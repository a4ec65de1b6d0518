"""Individual risk with sampling weights: how likely a record is the respondent who is looked for."""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Floats
from graphkit.errors import InvalidInput
from graphkit.microdata.risk.classes import EquivalenceClasses
from graphkit.presentation import Presentable

_RECURRED = 30
_TERMS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedRisk(Presentable):
    """Exposure of a sample to an attacker who looks for one respondent in the population. Figures only."""

    n: int
    threshold: float
    records_above: int
    """Records whose risk is above the threshold."""
    largest_risk: float
    mean_risk: float
    """Global risk: the expected share of re-identified records; 0 without records."""
    expected_reidentifications: float
    households: int | None = None
    """Households, where the risk is theirs: that at least one member is re-identified."""

    _figures = ("n", "threshold", "records_above", "largest_risk", "mean_risk", "expected_reidentifications")


def individual_risk(classes: EquivalenceClasses, weights: Floats | None = None) -> Floats:
    """Return the risk that each record is re-identified.

    Parameters
    ----------
    classes : EquivalenceClasses
        On the quasi-identifiers that the attacker knows.
    weights : array of float, shape (n,), optional
        Sampling weights: how many of the population a record stands for. Without them the file is the population.

    Returns
    -------
    array of float, shape (n,)
        Posterior mean of 1/F for a class of F people in the population, of whom f are in the sample. Protected.

    Raises
    ------
    InvalidInput
        If there is not one weight a record, or one is not positive and finite.

    Notes
    -----
    F given f is negative binomial with p = f / (sum of the weights of the class), at most 1. Then the mean of 1/F is
    ``p/q log(1/p)`` for f = 1, ``p/q (1 − p/q log(1/p))`` for f = 2, ``p/q (1/2 − r₂)`` for f = 3, where q = 1 − p, and
    ``p/f ₂F₁(1, 1; f + 1; q)`` in general. All are computed to the precision of the machine; sdcMicro takes
    ``p / (f − q)`` from f = 3 on, which is close for large f. O(n) time.

    References
    ----------
    Benedetti, R. and Franconi, L. (1998). Statistical and technological solutions for controlled data dissemination.
    NTTS.
    Franconi, L. and Polettini, S. (2004). Individual risk estimation in μ-Argus: a review. PSD 2004, LNCS 3050.

    Examples
    --------
    >>> from graphkit.microdata.risk.classes import equivalence_classes
    >>> from graphkit.microdata.risk.coded import code_records
    >>> classes = equivalence_classes(code_records({"age": [41, 35, 35]}), ["age"])
    >>> individual_risk(classes, np.array([10.0, 10.0, 10.0])).round(4).tolist()
    [0.2558, 0.0827, 0.0827]
    """
    frequency = classes.sizes
    if weights is None:
        return (1.0 / frequency)[classes.class_of]
    if weights.shape != classes.class_of.shape:
        raise InvalidInput("there must be one weight a record")
    if not (np.isfinite(weights).all() and (weights > 0).all()):
        raise InvalidInput("a weight is missing, not positive or not finite; correct the column of weights")
    population = np.bincount(classes.class_of, weights, minlength=frequency.size)
    return mean_of_inverse(frequency.astype(np.float64), np.minimum(frequency / population, 1.0))[classes.class_of]


def weighted_risk(risk: Floats, *, threshold: float = 0.05, households: int | None = None) -> WeightedRisk:
    """Return the figures of the risks of all records.

    Raises
    ------
    InvalidInput
        If `threshold` is not from 0 to 1.

    Examples
    --------
    >>> weighted_risk(np.array([0.5, 0.01]), threshold=0.1).records_above
    1
    """
    if not 0 <= threshold <= 1:
        raise InvalidInput("the threshold of the individual risk must be from 0 to 1, such as 0.05")
    return WeightedRisk(
        n=risk.size,
        threshold=threshold,
        records_above=int((risk > threshold).sum()),
        largest_risk=float(risk.max()) if risk.size else 0.0,
        mean_risk=float(risk.mean()) if risk.size else 0.0,
        expected_reidentifications=float(risk.sum()),
        households=households,
    )


def mean_of_inverse(frequency: Floats, p: Floats) -> Floats:
    """Return the mean of 1/F for F negative binomial with `frequency` successes of probability `p` (0 < p ≤ 1)."""
    risk = np.empty(p.size)
    # r_f = p/q (1/(f − 1) − r_{f−1}) is stable where p < q, and the series is short elsewhere
    few = (frequency <= _RECURRED) & (p < 0.5)
    risk[few] = _by_recursion(frequency[few], p[few])
    risk[~few] = _by_series(frequency[~few], p[~few])
    return risk


def _by_recursion(frequency: Floats, p: Floats) -> Floats:
    odds = p / (1 - p)
    risk = -odds * np.log(p)
    rest = np.flatnonzero(frequency > 1)
    for f in range(2, _RECURRED + 1):
        risk[rest] = odds[rest] * (1 / (f - 1) - risk[rest])
        rest = rest[frequency[rest] > f]
        if not rest.size:
            break
    return risk


def _by_series(frequency: Floats, p: Floats) -> Floats:
    """Sum ``p/f (1 + q/(f+1) + 2 q²/((f+1)(f+2)) + …)``."""
    q, term, total = 1 - p, np.ones(p.size), np.ones(p.size)
    for j in range(1, _TERMS):
        term = term * q * j / (frequency + j)
        total += term
        if not (term > 1e-17 * total).any():
            break
    return p / frequency * total
