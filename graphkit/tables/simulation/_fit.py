"""A table near to what marginals alone suggest: real counts fitted to them, and whole ones, some below zero."""

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.budget import Budget
from graphkit.tables.structure.released import ReleasedMarginals

_ROUNDS = 30
_MOST_WORK = 2**28
_NEAR = 0.25


def fitted_counts(released: ReleasedMarginals, budget: Budget) -> Floats | None:
    """Return real counts with the marginals, or nearly so, that are otherwise as even as can be.

    Parameters
    ----------
    released : ReleasedMarginals
    budget : Budget
        Ends the fit early; the counts are farther from the marginals then.

    Returns
    -------
    ndarray of float or None
        Of the table's shape; None if the marginals are too many for so many cells.

    Notes
    -----
    Iterative proportional fitting, from equal counts. A round is O(mn) for m marginals and n cells.

    Examples
    --------
    >>> fitted_counts(ReleasedMarginals((2, 2), {(0,): [8, 2], (1,): [5, 5]}), Budget()).tolist()
    [[4.0, 4.0], [1.0, 1.0]]
    """
    fit = np.full(released.shape, 1.0)
    fit *= released.total / fit.size
    rounds = min(_MOST_WORK // (fit.size * max(len(released.maximal), 1)), _ROUNDS)
    for _ in range(rounds):
        farthest = 0.0
        for axes in released.maximal:
            present = fit.sum(axis=_others(released, axes), keepdims=True)
            wanted = released.marginals[axes].reshape(present.shape)
            farthest = max(farthest, float(np.abs(present - wanted).max()))
            fit *= np.divide(wanted, present, out=np.zeros_like(present), where=present > 0)
        if farthest < _NEAR or budget.is_spent():
            break
    return fit if rounds else None


def whole_counts_near(released: ReleasedMarginals, table: Ints) -> Ints:
    """Return whole counts, some of them below zero, that have the marginals and differ from a table in few cells.

    Parameters
    ----------
    released : ReleasedMarginals
    table : ndarray of int64
        Whole counts of the table's shape.

    Notes
    -----
    What the table lacks of each marginal is put into the cells that have the most frequent category of all variables
    outside of it: these cells determine a difference of tables, given its marginals, and may be chosen freely.

    Examples
    --------
    >>> released = ReleasedMarginals((2, 2), {(0,): [8, 2], (1,): [5, 5]})
    >>> whole_counts_near(released, np.array([[4, 3], [1, 0]])).tolist()
    [[3, 5], [2, 0]]
    """
    variables = range(len(released.shape))
    frequent = released.frequent()
    # sums of the difference: the frequent category of a variable stands for all of its categories
    sums = np.zeros(released.shape, dtype=np.int64)
    sums[tuple(frequent)] = released.total - table.sum()
    for axes in released.maximal:
        lacking = released.marginals[axes] - table.sum(axis=_others(released, axes))
        for place, axis in enumerate(axes):
            lacking[(slice(None),) * place + (frequent[axis],)] = lacking.sum(axis=place)
        sums[tuple(slice(None) if axis in axes else frequent[axis] for axis in variables)] = lacking
    for axis in variables:
        at = (slice(None),) * axis + (frequent[axis],)
        sums[at] = 2 * sums[at] - sums.sum(axis=axis)
    return table + sums


def _others(released: ReleasedMarginals, axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(axis for axis in range(len(released.shape)) if axis not in axes)
