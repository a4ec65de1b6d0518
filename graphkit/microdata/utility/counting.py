"""How well a generalized version answers what analysts ask first: how many records have these values?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Bools, Floats, Ints, Rng
from graphkit.microdata.generalization.attribute import Attribute
from graphkit.microdata.generalization.extents import WORD, layout_of
from graphkit.parameters import generator_of

_MOST_ATTRIBUTES = 3
_LEAST_SHARE = 0.001


@dataclass(frozen=True, slots=True)
class CountQueries:
    """Relative errors of random counts, estimated from a generalized version."""

    queries: int
    median: float
    """Half of the counts are off by no more than this share of the right one; of a thousandth of all records where that
    is more."""
    upper: float
    """Nine in ten are off by no more than this."""


def count_queries(
    attributes: Sequence[Attribute],
    codes: Ints,
    extents: Ints,
    *,
    queries: int = 500,
    seed: int | np.random.Generator = 0,
) -> CountQueries:
    """Return how far random counts by one to three attributes are off.

    A query asks for some of the values of each of its attributes, of a range for neighbouring ones, about a quarter of
    them. A reader of the version takes all values that a record stands for as equally likely, and attributes as
    independent.

    Parameters
    ----------
    attributes : sequence of Attribute
    codes : ndarray of int, shape (n, d)
        The originals. Protected.
    extents : ndarray of int, shape (published, width)
        What the published records stand for, in any order; records that were left out are counted by nobody.
    queries : int, optional
    seed : int or numpy.random.Generator, optional
        Draws the queries.

    Notes
    -----
    O(queries n). As in J. Xu, W. Wang, J. Pei and others, "Utility-based anonymization using local recoding" (2006),
    with the relative error of M. Garofalakis and A. Kumar, "Wavelet synopses for general error metrics" (2005), which
    bounds the count that it is divided by from below.

    Examples
    --------
    >>> from graphkit.microdata.generalization.attribute import nominal
    >>> from graphkit.microdata.generalization.extents import extents_of
    >>> jobs, people = [nominal(3)], np.array([[0], [1], [2], [2]])
    >>> count_queries(jobs, people, extents_of(layout_of(jobs), people)).upper
    0.0
    """
    rng, offsets = generator_of(seed), layout_of(attributes).offsets
    n, d = codes.shape
    errors = np.empty(queries)
    for query in range(queries):
        asked = rng.choice(d, size=rng.integers(1, min(d, _MOST_ATTRIBUTES) + 1), replace=False)
        right, expected = np.ones(n, dtype=np.bool_), np.ones(len(extents))
        for place in np.sort(asked).tolist():
            values = _asked_values(attributes[place], rng)
            right &= values[codes[:, place]]
            expected *= share_of(attributes[place], extents[:, offsets[place] : offsets[place + 1]], values)
        count = int(right.sum())
        errors[query] = abs(float(expected.sum()) - count) / max(count, _LEAST_SHARE * n)
    return CountQueries(queries, float(np.median(errors)), float(np.quantile(errors, 0.9)))


def share_of(attribute: Attribute, extents: Ints, values: Bools) -> Floats:
    """Return which share of the values that each extent stands for is among some values, shape (n,).

    Parameters
    ----------
    attribute : Attribute
    extents : ndarray of int, shape (n, width of the attribute)
    values : ndarray of bool, shape (values of the attribute,)
    """
    if attribute.kind == "range":
        before = np.concatenate(([0], np.cumsum(values)))
        first, last = extents[:, 0], extents[:, 1]
        return np.asarray((before[last + 1] - before[first]) / (last - first + 1))
    if attribute.kind == "set":
        words, which = np.unique(extents, axis=0, return_inverse=True)
        held = ((words[:, :, None] >> np.arange(WORD)) & 1).reshape(words.shape[0], -1)[:, : attribute.size]
        return np.asarray(((held @ values) / held.sum(axis=1))[which.reshape(-1)])
    below = np.zeros(attribute.parents.size)
    for value in np.flatnonzero(values).tolist():
        node = value
        below[node] += 1
        while attribute.parents[node] != node:
            node = int(attribute.parents[node])
            below[node] += 1
    return np.asarray((below / attribute.leaves)[extents[:, 0]])


def _asked_values(attribute: Attribute, rng: Rng) -> Bools:
    """Return some of the values of an attribute, about a quarter of them and at least one."""
    size = max(1, round(attribute.size * rng.uniform(0.05, 0.45)))
    asked = np.zeros(attribute.size, dtype=np.bool_)
    if attribute.kind == "range":
        first = int(rng.integers(0, attribute.size - size + 1))
        asked[first : first + size] = True
    else:
        asked[rng.choice(attribute.size, size, replace=False)] = True
    return asked
