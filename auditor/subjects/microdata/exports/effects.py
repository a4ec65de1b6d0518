"""What a protected version keeps and tells, measured before it leaves: for the answer and for reports."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.microdata.microaggregation.groups import group_means, group_sizes
from graphkit.microdata.microaggregation.result import Microaggregation
from graphkit.microdata.utility import Comparison, Histogram, compare, histogram, information_loss, record_linkage

CURVE = (2, 3, 5, 10, 20, 50)
"""Sizes of groups for which risk is held against utility."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """What groups of one size cost and what they leave to an attacker."""

    k: int
    information_loss: float
    """In percent."""
    linked: float
    """Share of published records whose nearest original record is the right one."""


@dataclass(frozen=True, slots=True, eq=False)
class Effects:
    """What the published values keep of the original, and what they tell of it. Protected."""

    comparison: Comparison
    sizes: Ints
    """Records of each group."""
    histograms: tuple[Histogram, ...] = ()
    """Of each attribute; only where pictures are wanted."""
    curve: tuple[CurvePoint, ...] = ()
    """Other sizes of groups, rising; only where that is wanted."""


def measure_effects(
    original: Floats,
    values: Floats,
    answer: Microaggregation,
    names: Sequence[str],
    *,
    pictures: bool = False,
) -> Effects:
    """Return the effects of a protected version.

    Parameters
    ----------
    original, values : ndarray of float, shape (n, d)
        The attributes before and after, in the same order.
    answer : Microaggregation
        The groups.
    names : sequence of str
        Of the attributes.
    pictures : bool, optional
        Whether a report is wanted: everything is measured then, and distributions are counted.
    """
    found = compare(original, values, rows=np.arange(original.shape[0]), names=names, thorough=pictures)
    columns = zip(names, original.T, values.T, strict=True) if pictures else ()
    return Effects(found, group_sizes(answer.labels), tuple(histogram(*column) for column in columns))


def risk_against_utility(
    original: Floats, answer: Microaggregation, most: int, grouped: Callable[[int], Microaggregation]
) -> tuple[CurvePoint, ...]:
    """Return loss and linkage for several sizes of groups, that of the answer among them.

    Parameters
    ----------
    original : ndarray of float, shape (n, d)
    answer : Microaggregation
        The groups that were found with all the work that was allowed.
    most : int
        Largest size that can be.
    grouped : callable
        Groups of another size, found with little work.
    """
    sizes = sorted({answer.k, *(k for k in CURVE if k <= most)})
    return tuple(_point(original, answer if k == answer.k else grouped(k)) for k in sizes)


def _point(original: Floats, answer: Microaggregation) -> CurvePoint:
    means = group_means(original, answer.labels)[answer.labels]
    linked = record_linkage(original, means).correct
    return CurvePoint(answer.k, information_loss(original, means), linked)
