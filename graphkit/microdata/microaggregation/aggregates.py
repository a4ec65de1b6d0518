"""What is published of a group: the mean, the median or the mode of each attribute."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.errors import InvalidInput
from graphkit.microdata.microaggregation.groups import group_means, members_of

Aggregate = Literal["mean", "median", "lower median", "mode"]
"""The lower median is the smaller of the two in the middle. Of equally frequent values the mode is the smallest."""


def group_values(records: Floats, labels: Ints, aggregates: Sequence[Aggregate] = ()) -> Floats:
    """Return what is published of every group, shape (groups, d).

    Parameters
    ----------
    records : ndarray of float, shape (n, d)
        An attribute that a record lacks (NaN), all records of its group lack.
    labels : ndarray of int, shape (n,)
        Group of every record, 0 to the number of groups less one.
    aggregates : sequence of str, optional
        One for each attribute; means by default.

    Notes
    -----
    O(n d log n).

    Examples
    --------
    >>> group_values(np.array([[1.0], [2.0], [6.0]]), np.array([0, 0, 0]), ["median"]).tolist()
    [[2.0]]
    """
    values = group_means(records, labels)
    for place, aggregate in enumerate(aggregates):
        if aggregate != "mean":
            values[:, place] = [aggregate_of(records[group, place], aggregate) for group in members_of(labels)]
    return values


def aggregate_of(values: Floats, aggregate: Aggregate) -> float:
    """Return the aggregate of some values.

    Raises
    ------
    InvalidInput
        If there is no such aggregate.

    Examples
    --------
    >>> aggregate_of(np.array([3.0, 1.0, 1.0, 3.0]), "mode"), aggregate_of(np.array([1.0, 4.0]), "lower median")
    (1.0, 1.0)
    """
    if aggregate == "mean":
        return float(values.mean())
    if aggregate == "median":
        return float(np.median(values))
    if aggregate == "lower median":
        return float(np.sort(values)[(values.size - 1) // 2])
    if aggregate == "mode":
        codes, counts = np.unique(values, return_counts=True)
        return float(codes[int(np.argmax(counts))])
    raise InvalidInput(f"unknown aggregate {aggregate!r}; known: mean, median, lower median, mode")


def imputed(records: Floats, strata: Ints | None, aggregates: Sequence[Aggregate]) -> Floats:
    """Return records in which each missing value is the aggregate of those that its stratum has.

    Parameters
    ----------
    records : ndarray of float, shape (n, d)
    strata : ndarray of int, shape (n,), optional
    aggregates : sequence of str
        One for each attribute.

    Raises
    ------
    InvalidInput
        If a stratum has no value of an attribute at all.
    """
    filled = records.copy()
    groups = [np.arange(records.shape[0])] if strata is None else members_of(strata)
    for place, aggregate in enumerate(aggregates):
        for group in groups:
            lacks = np.isnan(records[group, place])
            if lacks.all():
                raise InvalidInput(
                    f"attribute {place + 1} of {len(aggregates)} has no value"
                    f"{'' if strata is None else ' in a stratum'} from which to impute; leave it out"
                )
            if lacks.any():
                filled[group[lacks], place] = aggregate_of(records[group[~lacks], place], aggregate)
    return filled
