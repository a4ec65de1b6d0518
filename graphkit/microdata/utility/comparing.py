"""Hold a release of records against the original."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from graphkit.arrays import Floats, Ints
from graphkit.errors import InvalidInput
from graphkit.frames import check_names
from graphkit.microdata.utility.comparison import AttributeChange, Comparison
from graphkit.microdata.utility.correlations import correlation_change
from graphkit.microdata.utility.distributions import kolmogorov_distances, transport_distances
from graphkit.microdata.utility.eigenvalues import eigenvalue_change
from graphkit.microdata.utility.il1s import absolute_loss
from graphkit.microdata.utility.interval_disclosure import WIDTH, rank_disclosure, spread_disclosure
from graphkit.microdata.utility.linkage import SAMPLE, record_linkage
from graphkit.microdata.utility.moments import mean_shifts, variance_ratios
from graphkit.microdata.utility.noise import cleared, without_noise
from graphkit.microdata.utility.regressions import regression_changes
from graphkit.microdata.utility.scaling import check_alike, checked_records
from graphkit.microdata.utility.squared_loss import information_loss
from graphkit.microdata.utility.uniques import unique_share

_SOON = 200_000
"""Records that are linked, and told apart, within a few seconds."""


def compare(
    original: ArrayLike,
    published: ArrayLike,
    *,
    rows: Ints | None = None,
    names: Sequence[str] | None = None,
    thorough: bool = True,
    width: float = WIDTH,
    sample: int | None = SAMPLE,
    seed: int | np.random.Generator = 0,
) -> Comparison:
    """Return how much of the original a release keeps, and how much it tells of single records.

    Parameters
    ----------
    original, published : array_like of float, shapes (n, d) and (m, d)
        The attributes before and after.
    rows : ndarray of int, shape (m,), optional
        Row of the original of every published record. Without it means, variances, distributions, correlations and
        regressions are compared; with it also record by record: losses, linkage, interval disclosure.
    names : sequence of str, optional
        Of the attributes; their numbers by default.
    thorough : bool, optional
        Whether to measure what takes longer, too: distributions, regressions, disclosure by ranks; and of more than
        200 000 records linkage and how many are alone.
    width : float, optional
        Half of the intervals of interval disclosure: 0.05 is five percent of a standard deviation, or of the ranks.
    sample, seed : optional
        As :func:`~graphkit.microdata.utility.linkage.record_linkage`.

    Raises
    ------
    InvalidInput
        If the tables are no tables of finite numbers with the same attributes, or `rows` does not map the records one
        to one.

    Notes
    -----
    O((n + m) d (d + log(n + m))), and the cost of record linkage.

    Examples
    --------
    >>> people = [[20, 1.0], [22, 3.0], [60, 7.0], [64, 9.0]]
    >>> found = compare(people, [[62, 8.0], [21, 2.0], [21, 2.0], [62, 8.0]], rows=np.array([3, 0, 1, 2]))
    >>> round(found.information_loss, 2), found.linkage.correct
    (5.3, 0.5)
    """
    check_names(names)
    before, after = checked_records(original, "the original"), checked_records(published, "the release")
    check_alike(before, after, paired=False)
    called = tuple(map(str, range(before.shape[1]))) if names is None else tuple(names)
    changes = _attribute_changes(called, before, after, thorough)
    explained = tuple(map(cleared, regression_changes(before, after))) if thorough else ()
    correlated, spectrum = correlation_change(before, after), eigenvalue_change(before, after)
    relations = (
        None if correlated is None else cleared(correlated),
        explained,
        None if spectrum is None else without_noise(spectrum),
    )
    soon = thorough or before.shape[0] <= _SOON
    alone = (unique_share(before), unique_share(after)) if soon else None
    if rows is None:
        return Comparison(changes, alone, *relations, paired=False)
    paired = _in_original_order(before, after, rows)
    return Comparison(
        changes,
        alone,
        *relations,
        paired=True,
        information_loss=information_loss(before, paired),
        absolute_loss=absolute_loss(before, paired),
        linkage=record_linkage(before, paired, sample=sample, seed=seed) if soon else None,
        spread_disclosure=spread_disclosure(before, paired, width),
        rank_disclosure=rank_disclosure(before, paired, width) if thorough else None,
    )


def _in_original_order(original: Floats, published: Floats, rows: Ints) -> Floats:
    check_alike(original, published)
    if rows.shape != (original.shape[0],) or not np.array_equal(np.sort(rows), np.arange(rows.size)):
        raise InvalidInput("the rows do not map the records of the release to those of the original")
    if (rows[1:] > rows[:-1]).all():
        return published
    paired = np.empty_like(published)
    paired[rows] = published
    return paired


def _attribute_changes(
    names: Sequence[str], before: Floats, after: Floats, thorough: bool
) -> tuple[AttributeChange, ...]:
    measures = (mean_shifts, variance_ratios, *((kolmogorov_distances, transport_distances) if thorough else ()))
    figures = np.stack([measure(before, after) for measure in measures], axis=1).tolist()
    return tuple(
        AttributeChange(name, *(None if np.isnan(value) else without_noise(value) for value in values))
        for name, values in zip(names, figures, strict=True)
    )
