"""A proven bound: no k-regular generalization of the records has a smaller GCP."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.budget import Budget
from graphkit.effort import PROVING_EFFORT, SECOND
from graphkit.errors import InvalidInput
from graphkit.microdata.generalization.attribute import Attribute
from graphkit.microdata.generalization.bounding.stars import nearest, price
from graphkit.microdata.generalization.bounding.whole import UNIT, whole_losses
from graphkit.microdata.generalization.extents import Layout, check_codes, layout_of
from graphkit.parameters import check_least_size

_PAIRS_A_UNIT, _LOSSES_A_UNIT, _STEPS_A_UNIT = 50, 32, 80
# others that stars are made of: all of them, or the nearest where there are many records
_WHOLE, _NEAREST = 3_000, 500
_LARGEST_MATRIX = 4_000
# extents of one record that are looked at: twice as many where more than a share of what is hoped for remains unproven,
# as long as a round takes no more than a share of the work that is left
_FEW_EXTENTS, _MOST_EXTENTS, _UNPROVEN, _MOST_SHARE = 512, 1 << 20, 0.1, 20
_DEAREST = 4 * UNIT
_KEPT_DIRECTION, _SHORTEST, _PATIENCE = 0.7, 0.1, 4
_AFTER_SUCCESS, _FIRST_HOPE, _LEAST_HOPE = 0.8, 0.4, 2e-3
_SMALL = 100


class _Problem(NamedTuple):
    """Records, and the others that their stars are made of."""

    layout: Layout
    codes: Ints
    lists: Ints
    nears: Floats
    beyond: Floats
    """The loss that a record has at least with another one that is not in its list; infinite if all are."""
    slots: int
    """k − 1."""
    kept: int
    """Records that are published at least."""


@dataclass(slots=True)
class _Bound:
    """What was found at some prices."""

    prices: Floats
    stars: Ints
    proven: float
    """Sum that no covering by stars is below, in units."""
    hoped: float
    """The same, if these stars are the best ones."""
    published: Bools
    """Records that the sum is about, shape (n,)."""


def lower_bound(
    codes: Ints,
    attributes: Sequence[Attribute],
    k: int,
    *,
    suppressed: int = 0,
    units: int = int(PROVING_EFFORT * SECOND),
) -> float:
    """Return a GCP that no k-regular generalization is below, whichever records it leaves out.

    Parameters
    ----------
    codes : ndarray of int, shape (n, d)
        Records as numbers of values.
    attributes : sequence of Attribute
    k : int
        Records that each generalized record covers, itself among them; from 2 to n.
    suppressed : int, optional
        Records that may be left out, at most; k or more are left. GCP is the mean loss of those that are published.
    units : int, optional
        Work, :mod:`graphkit.effort`; with less of it the bound is lower.

    Returns
    -------
    float
        From 0 to 1; 0 if the work is not enough to compare all records with each other.

    Raises
    ------
    InvalidInput
        If records are not of the domains, k is not from 2 to n, or fewer than k would be left.

    Notes
    -----
    The generalized record of j covers a star: j and a set C of k − 1 others. In a k-regular graph each record is in
    k − 1 stars of others. Whatever the prices u of the records, then, the sum of losses is at least ::

        Σ_j min_C (loss({j} ∪ C) − Σ_{i ∈ C} u_i) + (k − 1) Σ_i u_i.

    The minima are found by branch and bound (or a value that is proven below them where the work ends), and prices are
    raised by subgradients with a target level. The limit is the linear program over all stars. With k = 2 the prices
    are duals of the assignment problem, so the bound is the optimum; up to 100 records they are duals of the linear
    program, by column generation.

    Where records S are published and the others left out, stars are of S, and each record of S is in k − 1 of others.
    The sum of their losses is at least ``Σ_{j ∈ S} c_j`` with ::

        c_j = min_C (loss({j} ∪ C) − Σ_{i ∈ C} u_i) + (k − 1) u_j,

    since fewer others to choose from do not lower a minimum. So the mean loss is at least the mean of the |S| smallest
    c_j. The mean of the smallest ones falls as they become fewer, so the bound is that of the n − m smallest ones, for
    m records that may be left out, and holds for whatever is left out. Without m it is the sum above.

    Losses are rounded down to whole numbers of 2^-40, prices are such numbers, and floating-point numbers hold
    sums of them exactly: what is returned is proven, not only computed. It is below the exact value by 1e-10 at most.
    Records are compared with all others up to 3000 of them; with more, those that are not among the nearest 500 count
    as much as the farthest of these. O(n² d) time, and O(n) memory.

    References
    ----------
    Held, Wolfe, Crowder: Validation of subgradient optimization, Mathematical Programming 6, 1974; Brännlund: A
    generalized subgradient method with relaxation step, Mathematical Programming 71, 1995, for the level.

    Examples
    --------
    >>> from graphkit.microdata.generalization.attribute import numeric
    >>> records = np.array([[0], [1], [2], [3]])
    >>> round(lower_bound(records, [numeric([0, 1, 8, 10])], 2), 6)
    0.15
    """
    check_codes(attributes, codes)
    n = codes.shape[0]
    check_least_size(k, n)
    if not 0 <= suppressed <= n - k:
        raise InvalidInput(f"records that may be left out ({suppressed}) must leave k ({k}) of {n}")
    if n * n // _PAIRS_A_UNIT > units:
        return 0.0
    budget = Budget(work_limit=max(1, units))
    problem = _problem(np.ascontiguousarray(codes, dtype=np.int64), layout_of(attributes), k, n - suppressed, budget)
    start = np.ascontiguousarray(problem.lists[:, : k - 1])
    if k == 2 and n <= _LARGEST_MATRIX and not suppressed:
        from graphkit.microdata.generalization.bounding.prices import assignment_prices

        best = _found(problem, assignment_prices(problem.lists, problem.nears), start, 1, budget)
    else:
        best = _ascended(problem, start, budget)
        if n <= _SMALL:
            best = _generated(problem, best, budget)
    # a rounded loss of an attribute is above the exact one by two units at most: of a range, of a product
    lost = best.proven - 2.0 * problem.kept * len(attributes)
    return float(max(0.0, lost / UNIT / problem.kept * (1 - 1e-15)))


def _problem(codes: Ints, layout: Layout, k: int, kept: int, budget: Budget) -> _Problem:
    n = codes.shape[0]
    size = n - 1 if n <= _WHOLE else max(_NEAREST, 2 * k)
    rounded = whole_losses(layout)
    lists, nears, beyond = nearest(rounded, codes, size)
    budget.charge(n * n // _PAIRS_A_UNIT)
    return _Problem(rounded, codes, lists, nears, beyond, k - 1, kept)


def _found(problem: _Problem, prices: Floats, stars: Ints, extents: int, budget: Budget) -> _Bound:
    """Return the bound at some prices, by no more than a number of extents for each record."""
    n, size = problem.lists.shape
    stars, lows, highs = stars.copy(), np.empty(n), np.empty(n)
    work = price(problem.layout, problem.codes, problem.lists, problem.nears, prices, stars, extents, lows, highs)
    budget.charge(work // _LOSSES_A_UNIT + n * size // _STEPS_A_UNIT + 1)
    # a star with one that is not in the list has at least that loss, and at most the largest prices
    dearest = float(np.sort(prices)[n - problem.slots :].sum())
    lows = np.minimum(lows, problem.beyond - dearest)
    if problem.kept == n:
        paid = problem.slots * float(prices.sum())
        return _Bound(prices, stars, float(lows.sum()) + paid, float(highs.sum()) + paid, np.ones(n, dtype=np.bool_))
    # of each record published, whole numbers that are too many to be summed exactly as floating-point ones
    whole = [values.astype(np.int64) + problem.slots * prices.astype(np.int64) for values in (lows, highs)]
    published = np.zeros(n, dtype=np.bool_)
    published[np.argsort(whole[1], kind="stable")[: problem.kept]] = True
    least = [float(sum(np.sort(values)[: problem.kept].tolist())) for values in whole]
    return _Bound(prices, stars, least[0], least[1], published)


def _ascended(problem: _Problem, stars: Ints, budget: Budget) -> _Bound:
    """Raise prices towards a level above the best proven value, which comes closer when it is reached or is not."""
    n = problem.codes.shape[0]
    extents = _FEW_EXTENTS
    best = at = _found(problem, np.zeros(n), stars, extents, budget)
    hope = _FIRST_HOPE * max(best.proven, 1.0)
    level, failures, direction, least = best.proven + hope, 0, np.zeros(n), _LEAST_HOPE * hope
    while not budget.is_spent() and hope > least:
        covered = np.bincount(at.stars[at.published].ravel(), minlength=n)
        slope = (problem.slots * at.published - covered).astype(np.float64)
        if not slope.any():
            break
        direction = slope + _KEPT_DIRECTION * direction
        if not direction.any():
            direction = slope
        length = max(level - at.hoped, _SHORTEST * hope) / float(direction @ direction)
        # sums of prices that are larger than that would not be exact
        prices = np.clip(np.round(at.prices + length * direction), -_DEAREST, _DEAREST)
        before = budget.work
        at = _found(problem, prices, at.stars, extents, budget)
        if at.hoped - at.proven > _UNPROVEN * hope and budget.work - before < budget.work_left() / _MOST_SHARE:
            extents = min(2 * extents, _MOST_EXTENTS)
        failures = 0 if at.proven > best.proven else failures + 1
        best = max(best, at, key=_proven)
        if failures >= _PATIENCE or best.proven > level - hope / 2:
            hope *= _AFTER_SUCCESS
            if failures:
                hope, failures, at, direction = hope / 2, 0, best, np.zeros(n)
            level = best.proven + hope
    return best


def _generated(problem: _Problem, best: _Bound, budget: Budget) -> _Bound:
    """Take prices from the linear program over the stars met so far, until no star is better than what it says."""
    from graphkit.microdata.generalization.bounding.prices import StarProgram

    program = StarProgram(problem.layout, problem.codes, problem.slots, problem.kept)
    program.add(best.stars)
    stars = best.stars
    while not budget.is_spent():
        value, prices = program.solved()
        at = _found(problem, np.round(prices), stars, _MOST_EXTENTS, budget)
        stars = at.stars
        best = max(best, at, key=_proven)
        if not program.add(stars) or value <= best.proven + 1:
            break
    return best


def _proven(bound: _Bound) -> float:
    return bound.proven
