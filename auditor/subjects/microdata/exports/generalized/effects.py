"""What generalized records keep of the original: distributions, counts, and what other k would cost."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from auditor.subjects.microdata.exports.generalized.domains import CodedDomains, Domain
from graphkit.arrays import Floats, Ints
from graphkit.budget import Budget
from graphkit.microdata import generalize
from graphkit.microdata.generalization.baselines.global_recoding import global_recoding, recoded_extents
from graphkit.microdata.generalization.baselines.mondrian import mondrian
from graphkit.microdata.generalization.baselines.partition import class_extents
from graphkit.microdata.generalization.extents import joined, losses_of
from graphkit.microdata.utility.counting import CountQueries, count_queries, shares_among
from graphkit.microdata.utility.histograms import Histogram, histogram

MOST_CATEGORIES = 9
"""Categories with a bar of their own; the others share one."""
_CURVE, _CURVE_EFFORT = (2, 3, 5, 10, 20, 50), 0.5
_FEWEST_QUERIES, _MOST_QUERIES, _COUNTED = 50, 500, 20_000_000
# of the records, by global recoding; and what its search may do: some seconds
_SUPPRESSED, _MOST_RECODED = 0.05, 4_000_000
# a range is drawn as so many of its values
_SPREAD = 8


@dataclass(frozen=True, slots=True)
class CategoryShares:
    """How many records have a category, before and after; after it, all that a record may be count in equal parts."""

    attribute: str
    categories: tuple[str, ...]
    """The most frequent ones; `others` is the last, if there are more, or rare ones."""
    before: tuple[float, ...]
    """Records of the original. Protected."""
    after: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class LossPoint:
    """What a k costs."""

    k: int
    gcp: float
    queries: CountQueries


@dataclass(frozen=True, slots=True)
class OtherMethod:
    """What another method makes of the same records with the same k."""

    name: str
    gcp: float
    queries: CountQueries
    suppressed: float = 0.0
    """Share of the records that it leaves out."""
    is_optimal: bool = True
    """Whether it is the best of its kind, or the best that was found with little work."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What a generalized version keeps. Protected."""

    histograms: tuple[Histogram, ...]
    """Of numbers."""
    categories: tuple[CategoryShares, ...]
    """Of categories."""
    others: tuple[OtherMethod, ...]
    """What users of other tools would have got."""
    curve: tuple[LossPoint, ...]
    """By rising k; none where it was not asked for."""


def random_counts(coded: CodedDomains, extents: Ints) -> CountQueries:
    """Return how far random counts are off; fewer of them where there are many records."""
    queries = max(_FEWEST_QUERIES, min(_MOST_QUERIES, _COUNTED // len(extents)))
    return count_queries(coded.attributes, coded.codes, extents, queries=queries)


def what_is_kept(coded: CodedDomains, extents: Ints, k: int, times: Sequence[str]) -> Kept:
    """Return what pictures show.

    Parameters
    ----------
    coded : CodedDomains
    extents : ndarray of int, shape (n, width)
        What was published, in any order.
    k : int
        Categories of fewer records stand among the others.
    times : sequence of str
        Attributes that are dates, which are not drawn: their numbers mean nothing to a reader.
    """
    histograms, categories = [], []
    for (domain, own), codes in zip(coded.own_extents(extents), coded.codes.T, strict=True):
        if domain.numbers is None:
            categories.append(_category_shares(domain, codes, own, k))
        elif domain.name not in times:
            histograms.append(_histogram(domain.name, domain.numbers, codes, own))
    # other methods would mix strata
    others = _other_methods(coded, k) if coded.strata is None else ()
    return Kept(tuple(histograms), tuple(categories), others, ())


def _other_methods(coded: CodedDomains, k: int) -> tuple[OtherMethod, ...]:
    attributes, layout, codes = coded.attributes, coded.layout, coded.codes
    classes = class_extents(layout, codes, mondrian(codes, attributes, k))
    budget = Budget(work_limit=_MOST_RECODED)
    recoding = global_recoding(codes, attributes, k, suppressed=_SUPPRESSED, budget=budget)
    recoded = recoded_extents(attributes, codes, recoding)
    lost = [float(losses_of(layout, extents).mean()) for extents in (classes, recoded)]
    left_out = float((recoding.classes < 0).mean())
    return (
        OtherMethod("Mondrian", lost[0], random_counts(coded, classes)),
        OtherMethod("global recoding", lost[1], random_counts(coded, recoded), left_out, recoding.is_optimal),
    )


def loss_curve(coded: CodedDomains, k: int, extents: Ints, gcp: float, suppress: float = 0.0) -> tuple[LossPoint, ...]:
    """Return what other k would cost where as many may be left out, found with little work: they may cost less."""
    points = [LossPoint(k, gcp, random_counts(coded, extents))]
    strata = coded.stratum_codes
    n = len(coded.codes)
    most = n // 2 if strata is None else int(np.bincount(strata).min())
    most = min(most, n - int(n * suppress) - (suppress > 0))
    for other in _CURVE:
        if other != k and other <= most:
            answer = generalize(
                coded.codes, coded.attributes, other, strata=strata, suppressed=suppress, effort=_CURVE_EFFORT
            )
            found = joined(coded.layout, coded.codes, answer.covered)
            points.append(LossPoint(other, answer.loss, random_counts(coded, found)))
    return tuple(sorted(points, key=lambda point: point.k))


def _histogram(name: str, numbers: Floats, codes: Ints, extents: Ints) -> Histogram:
    """Return the classes of numbers, of records that have one; every value of a range is as likely."""
    steps = (np.arange(_SPREAD) + 0.5) / _SPREAD
    spread = extents[:, :1] + np.floor((extents[:, 1:] - extents[:, :1] + 1) * steps).astype(np.int64)
    before, after = numbers[codes], numbers[spread.reshape(-1)]
    found = histogram(name, before[~np.isnan(before)], after[~np.isnan(after)])
    return replace(found, after=tuple(round(count / _SPREAD) for count in found.after))


def _category_shares(domain: Domain, codes: Ints, extents: Ints, k: int) -> CategoryShares:
    counts = np.bincount(codes, minlength=len(domain.values))
    order = [int(code) for code in np.argsort(-counts, kind="stable")[:MOST_CATEGORIES] if counts[code] >= k]
    # few others would be counted by what is missing in the rest
    while order and 0 < codes.size - int(counts[order].sum()) < k:
        order.pop()
    attribute, after = domain.attribute, []
    share_of = shares_among(attribute, extents)
    for code in order:
        asked = np.zeros(attribute.size, dtype=np.bool_)
        asked[code] = True
        after.append(float(share_of(asked).sum()))
    names = ["missing" if domain.values[code] is None else str(domain.values[code]) for code in order]
    before = [float(counts[code]) for code in order]
    if sum(before) < codes.size:
        names.append("others")
        before, after = [*before, codes.size - sum(before)], [*after, len(extents) - sum(after)]
    return CategoryShares(domain.name, tuple(names), tuple(before), tuple(after))
