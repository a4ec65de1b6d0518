"""How well a generalized version answers what analysts ask first: how many records have these values?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import csr_array

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
    shares = [
        shares_among(attribute, extents[:, offsets[place] : offsets[place + 1]])
        for place, attribute in enumerate(attributes)
    ]
    errors = np.empty(queries)
    for query in range(queries):
        asked = rng.choice(d, size=rng.integers(1, min(d, _MOST_ATTRIBUTES) + 1), replace=False)
        right, expected = np.ones(n, dtype=np.bool_), np.ones(len(extents))
        for place in np.sort(asked).tolist():
            values = _asked_values(attributes[place], rng)
            right &= values[codes[:, place]]
            expected *= shares[place](values)
        count = int(right.sum())
        errors[query] = abs(float(expected.sum()) - count) / max(count, _LEAST_SHARE * n)
    return CountQueries(queries, float(np.median(errors)), float(np.quantile(errors, 0.9)))


def shares_among(attribute: Attribute, extents: Ints) -> Callable[[Bools], Floats]:
    """Return what gives, for some of the values, which share of those that each extent stands for is among them.

    Parameters
    ----------
    attribute : Attribute
    extents : ndarray of int, shape (n, width of the attribute)
        They are looked through once, whatever is asked then.

    Returns
    -------
    callable
        Of an array of bool, shape (values of the attribute,), gives shares, shape (n,).
    """
    if attribute.kind == "range":
        return partial(_share_of_ranges, extents[:, 0], extents[:, 1])
    if attribute.kind == "set":
        words, which = np.unique(extents, axis=0, return_inverse=True)
        held = _held(words, attribute.size)
        return partial(_share_of_sets, held, held.sum(axis=1), which.reshape(-1))
    return partial(_share_of_nodes, attribute, extents[:, 0])


def _share_of_ranges(first: Ints, last: Ints, values: Bools) -> Floats:
    before = np.concatenate(([0], np.cumsum(values)))
    return np.asarray((before[last + 1] - before[first]) / (last - first + 1))


def _share_of_sets(held: Any, sizes: Ints, which: Ints, values: Bools) -> Floats:
    return np.asarray((held @ values.astype(np.int64) / sizes)[which])


def _held(words: Ints, size: int) -> Any:
    """Return which values each of some sets has, as a sparse matrix: of thousands of values a set has few."""
    found = [np.nonzero((words >> np.int64(bit)) & 1) for bit in range(WORD)]
    rows = np.concatenate([row for row, _ in found])
    columns = np.concatenate([word * WORD + bit for bit, (_, word) in enumerate(found)])
    return csr_array((np.ones(rows.size, dtype=np.int64), (rows, columns)), shape=(words.shape[0], size))


def _share_of_nodes(attribute: Attribute, nodes: Ints, values: Bools) -> Floats:
    below = np.zeros(attribute.parents.size, dtype=np.int64)
    climbing = np.flatnonzero(values)
    while climbing.size:
        below += np.bincount(climbing, minlength=below.size)
        climbing = attribute.parents[climbing[attribute.parents[climbing] != climbing]]
    return np.asarray((below / attribute.leaves)[nodes])


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
