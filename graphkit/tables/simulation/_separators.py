"""Exact draws: records behind a separator are matched at random with those before it who agree on it."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from graphkit.arrays import Ints, Rng
from graphkit.tables.structure.contingency import SparseCounts, projected_cells
from graphkit.tables.structure.frechet_witness import component_tables
from graphkit.tables.structure.hypergraph import Axes
from graphkit.tables.structure.released import ReleasedMarginals


def combine_at_random(released: ReleasedMarginals, tables: Mapping[Axes, SparseCounts], rng: Rng) -> SparseCounts:
    """Return a table drawn from those that have the components' tables, hypergeometrically.

    Parameters
    ----------
    released : ReleasedMarginals
    tables : mapping of tuple of int to (ndarray of int64, ndarray of int64)
        For each component whose counts are not released, numbers and counts of the cells that are not zero.
    rng : numpy.random.Generator

    Notes
    -----
    All matchings of records across the separators are alike. A table n comes from ``Π n_C! / Π n!`` of them, the first
    product over the cells of all components C, and there are as many matchings whatever the tables of the components
    are. So the draw has probabilities as 1 over Π n!, and components may be drawn by themselves, each with
    probabilities as 1 over ``Π n_C!``. A category of a variable that no marginal names is drawn for every person.
    O(kn log n) for n records and k variables.
    """
    codes: dict[int, NDArray[np.int32]] = {}
    for axes, separator, (cells, counts) in component_tables(released, tables):
        shape = tuple(released.shape[axis] for axis in axes)
        records = np.repeat(cells, counts)
        shared = tuple(axes.index(axis) for axis in separator)
        records = records[np.argsort(projected_cells(records, shape, shared), kind="stable")]
        order = _shuffled_by(released, separator, codes, rng)
        for place, axis in enumerate(axes):
            if axis not in codes:
                codes[axis] = np.empty(released.total, dtype=np.int32)
                codes[axis][order] = projected_cells(records, shape, (place,))
    whole = np.zeros(released.total, dtype=np.int64)
    for axis, size in enumerate(released.shape):
        whole *= size
        whole += codes[axis] if axis in codes else rng.integers(size, size=released.total)
    cells, counts = np.unique(whole, return_counts=True)
    return cells, counts.astype(np.int64)


def _shuffled_by(
    released: ReleasedMarginals, separator: Axes, codes: Mapping[int, NDArray[np.int32]], rng: Rng
) -> Ints:
    """Return records ordered by a separator, at random where they agree on it."""
    order = rng.permutation(released.total)
    group = np.zeros(released.total, dtype=np.int64)
    for axis in separator:
        group = group * released.shape[axis] + codes[axis]
    return order[np.argsort(group[order], kind="stable")]
