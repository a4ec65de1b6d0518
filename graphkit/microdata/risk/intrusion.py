"""Data intrusion simulation (DIS): how likely a unique match is right; and SUDA scores on that scale (DIS-SUDA)."""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.errors import InvalidInput
from graphkit.microdata.risk.classes import EquivalenceClasses
from graphkit.microdata.risk.special_uniques import SpecialUniqueRisk, SpecialUniques
from graphkit.presentation import Presentable

MOST_ATTRIBUTES = 27
"""Quasi-identifiers for which the exponent of the scores is positive."""
_THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True, kw_only=True)
class IntrusionRisk(Presentable):
    """How likely the matches of an attacker are right, of a file and of its records. Figures only."""

    n: int
    fraction: float
    """Share of the population that the file samples."""
    unique_records: int
    """Records that are alone with all quasi-identifiers."""
    records_in_pairs: int
    """Records in classes of two."""
    match_probability: float
    """DIS: the chance that a record of the file that alone matches somebody of the population is that person's."""
    scored_records: int
    """Records with a minimal sample unique, which therefore have a score."""
    largest_score: float
    mean_score: float
    """Mean over all records; 0 without records."""
    above: tuple[tuple[float, int], ...]
    """Thresholds from 0.1 to 0.9, each with the records whose score is above it."""
    is_complete: bool
    """Whether all combinations were searched; else the scores are those of the ones that were."""

    _figures = ("n", "fraction", "match_probability", "scored_records", "largest_score", "mean_score", "is_complete")


def match_probability(classes: EquivalenceClasses, fraction: float) -> float:
    """Return DIS: the chance that a unique match between the population and the file is correct.

    Parameters
    ----------
    classes : EquivalenceClasses
        On all quasi-identifiers that the attacker knows.
    fraction : float
        Share of the population that the file samples, above 0 and at most 1.

    Returns
    -------
    float
        ``U f / (U f + P (1 − f))`` for U records that are alone, P records in pairs and a share f; 0 where no record is
        alone.

    Raises
    ------
    InvalidInput
        If the share is none.

    Notes
    -----
    The simulation that the formula replaces takes a record from the file and puts it back with probability f. Then a
    unique match is right if it was a sample unique and was put back, and wrong if it was one of a pair and was not. No
    model of the population is needed. Skinner and Elliot (2002) show that it is consistent for Bernoulli samples.

    References
    ----------
    Elliot, M. J. (2001). Data intrusion simulation: advances and a vision for the future of disclosure control. UNECE
    work session on statistical data confidentiality, Skopje.
    Skinner, C. J. and Elliot, M. J. (2002). A measure of disclosure risk for microdata. JRSS B 64(4), 855-867.

    Examples
    --------
    >>> from graphkit.microdata.risk.classes import equivalence_classes
    >>> from graphkit.microdata.risk.coded import code_records
    >>> classes = equivalence_classes(code_records({"age": [41, 35, 28, 28]}), ["age"])
    >>> match_probability(classes, 0.5), match_probability(classes, 1.0)
    (0.5, 1.0)
    """
    check_fraction(fraction)
    return _right(_alone(classes), _paired(classes), fraction)


def dis_suda_scores(found: SpecialUniques, classes: EquivalenceClasses, fraction: float) -> Floats:
    """Return the DIS-SUDA score of each record: its SUDA score as a chance, so that all together agree with DIS.

    Parameters
    ----------
    found : SpecialUniques
        With the SUDA scores.
    classes : EquivalenceClasses
        On the same quasi-identifiers.
    fraction : float
        Share of the population that the file samples, above 0 and at most 1.

    Returns
    -------
    array of float, shape (n,)
        From 0 (no minimal sample unique) to 1. Protected.

    Raises
    ------
    InvalidInput
        If the share is none, or there are more than :data:`MOST_ATTRIBUTES` quasi-identifiers.

    Notes
    -----
    With the SUDA score s of a record, the exponent ``q = 1 + (8 − m) / 20`` for m quasi-identifiers, and A the sum of
    ``s^−q`` over all records that have a score, the DIS-SUDA score is ``1 / (1 + (U / DIS − U) / (s^q A))``. As
    ``U / DIS − U`` is ``P (1 − f) / f``, it is 1 for each scored record where there are no pairs or all of the
    population is in the file. The same as `disScore` of sdcMicro's ``suda2(…, original_scores = TRUE)`` with its
    argument ``DisFraction``, but for three things: sdcMicro searches combinations of all sizes; it overlooks sample
    uniques that share a hash with other records, which lowers U and DIS but cancels out of the scores; and from 28
    quasi-identifiers on its exponent is no longer positive, so that here they are refused. O(n) time.

    References
    ----------
    Elliot, M. J., Manning, A., Mayes, K., Gurd, J. and Bane, M. (2005). SUDA: a program for detecting special uniques.
    UNECE work session on statistical data confidentiality, Geneva.
    Templ, M., Kowarik, A. and Meindl, B. (2015). Statistical disclosure control for micro-data using the R package
    sdcMicro. Journal of Statistical Software 67(4).
    """
    values, of, records = np.unique(found.scores, return_inverse=True, return_counts=True)
    chances = _chances(values, records, len(found.risk.quasi_identifiers), _paired(classes), fraction)
    return np.asarray(chances[of.reshape(-1)], dtype=np.float64)


def intrusion_risk(found: SpecialUniques, classes: EquivalenceClasses, fraction: float) -> IntrusionRisk:
    """Return the figures of :func:`match_probability` and :func:`dis_suda_scores`, whose parameters these are.

    Raises
    ------
    InvalidInput
        As :func:`dis_suda_scores`.
    """
    values, records = np.unique(found.scores, return_counts=True)
    return counted_intrusion(found.risk, values, records, _alone(classes), _paired(classes), fraction)


def counted_intrusion(
    found: SpecialUniqueRisk, values: Ints, records: Ints, alone: int, paired: int, fraction: float
) -> IntrusionRisk:
    """Return the same figures where it is known how many records have which SUDA score.

    Parameters
    ----------
    found : SpecialUniqueRisk
    values : ndarray of int, shape (m,)
        Different scores, rising.
    records : ndarray of int, shape (m,)
        How many records have each; together no more than there are, those that are not counted have none.
    alone, paired : int
        Records that are alone with all quasi-identifiers, and in classes of two.
    fraction : float

    Raises
    ------
    InvalidInput
        As :func:`dis_suda_scores`.
    """
    chances = _chances(values, records, len(found.quasi_identifiers), paired, fraction)
    return IntrusionRisk(
        n=found.n,
        fraction=float(fraction),
        unique_records=alone,
        records_in_pairs=paired,
        match_probability=_right(alone, paired, fraction),
        scored_records=int(records[values > 0].sum()),
        largest_score=float(chances.max(initial=0.0)),
        mean_score=float((chances * records).sum() / found.n) if found.n else 0.0,
        above=tuple((threshold, int(records[chances > threshold].sum())) for threshold in _THRESHOLDS),
        is_complete=found.is_complete,
    )


def check_fraction(fraction: float) -> None:
    """Refuse what is no share of a population.

    Raises
    ------
    InvalidInput
        If it is not above 0 and at most 1.
    """
    if not 0 < fraction <= 1:
        raise InvalidInput("the sampled share of the population must be above 0 and at most 1")


def _right(alone: int, paired: int, fraction: float) -> float:
    """Return how likely a unique match is right."""
    return alone * fraction / (alone * fraction + paired * (1 - fraction)) if alone else 0.0


def _chances(values: Ints, records: Ints, attributes: int, paired: int, fraction: float) -> Floats:
    """Return the DIS-SUDA score of every different SUDA score."""
    check_fraction(fraction)
    if attributes > MOST_ATTRIBUTES:
        raise InvalidInput(f"scores need at most {MOST_ATTRIBUTES} quasi-identifiers; there are {attributes}")
    scored = values > 0
    powers = values[scored].astype(np.float64) ** (1 + (8 - attributes) / 20)
    wrong = paired * (1 - fraction) / fraction
    chances = np.zeros(values.size)
    chances[scored] = 1 / (1 + wrong / (powers * (records[scored] / powers).sum()))
    return chances


def _alone(classes: EquivalenceClasses) -> int:
    return int(np.count_nonzero(classes.sizes == 1))


def _paired(classes: EquivalenceClasses) -> int:
    return 2 * int(np.count_nonzero(classes.sizes == 2))
