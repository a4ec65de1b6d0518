"""API of the package: records in groups of at least k, at little loss, with a proven bound on what that must be."""

from collections.abc import Callable
from functools import partial
from math import fsum

import numpy as np
from numpy.typing import ArrayLike

from graphkit.arrays import Floats, Rng
from graphkit.budget import Budget
from graphkit.effort import units_of
from graphkit.errors import BrokenClaim, InvalidInput
from graphkit.microdata.microaggregation.column_generation.generating import prove
from graphkit.microdata.microaggregation.groups import around_mean, canonical, group_sizes
from graphkit.microdata.microaggregation.households.keeping import (
    check_household_method,
    check_households,
    keep_together,
)
from graphkit.microdata.microaggregation.lower_bound import lower_bound, units_of_bound
from graphkit.microdata.microaggregation.registry import METHODS, Method
from graphkit.microdata.microaggregation.result import Microaggregation, Status
from graphkit.microdata.microaggregation.scaling import STANDARD, Preparation, prepared
from graphkit.microdata.microaggregation.standing import Standing
from graphkit.microdata.microaggregation.strata import members_of_strata, numbered, patterns
from graphkit.microdata.microaggregation.univariate import univariate
from graphkit.microdata.progress import Progress
from graphkit.parameters import check_least_size, generator_of

DEFAULT_METHOD = "search"
_PRECISION = 1e-9
# of the default effort, where there are more records than that for which it was made
UNITS_A_RECORD = 120


def microaggregate(
    records: ArrayLike,
    k: int,
    *,
    method: str = DEFAULT_METHOD,
    strata: ArrayLike | None = None,
    households: ArrayLike | None = None,
    preparation: Preparation = STANDARD,
    seed: int | np.random.Generator = 0,
    effort: float | None = None,
    time_limit: float | None = None,
    gap: float | None = None,
    clock: Callable[[], float] | None = None,
    progress: Progress | None = None,
) -> Microaggregation:
    """Return groups of at least k similar records each.

    Parameters
    ----------
    records : array_like of float, shape (n, d)
        Attributes of every record, a column each.
    k : int
        Least number of records of a group, at least 2 and at most n.
    method : str, optional
        A name in :data:`~graphkit.microdata.microaggregation.registry.METHODS`.
    strata : array_like of int, shape (n,), optional
        Stratum of every record: no group has records of two.
    households : array_like of int, shape (n,), optional
        Household of every record: all its records are in one group. Only some methods can do that
        (:data:`~graphkit.microdata.microaggregation.households.keeping.HOUSEHOLD_METHODS`).
    preparation : Preparation, optional
        Scaling and weights of the columns, which of them are categories, and whether values may be missing. By default
        the columns are standardized: mean 0, standard deviation 1.
    seed : int or numpy.random.Generator, optional
        Same records, k, method, seed, effort and version: the same groups, as long as there is no time limit.
    effort : float, optional
        How much work is done, about seconds of one core on the machine of docs/performance.md. 20 by default, and 120
        for a million records, in proportion, where that is more.
    time_limit : float, optional
        Seconds after which the best partition so far is taken; needs `clock`.
    gap : float, optional
        Share by which the loss may lie above the proven bound and still be good enough to stop.
    clock : callable, optional
        Returns seconds, such as ``time.monotonic``; the engines have none. Without one no phase is timed.
    progress : callable, optional
        Called with phase, loss of the best partition so far and proven bound, both as SSE.

    Returns
    -------
    Microaggregation
        Always valid.

    Raises
    ------
    InvalidInput
        If the records are no table of finite numbers, `k` is no whole number, below 2 or above the number of records or
        of those of a stratum, there is not a stratum or household for each record, a household is in two strata or the
        method cannot keep it together, the preparation is not one of these columns, `seed` is neither a whole number
        from 0 on nor a generator, the method is unknown, there is a time limit without a clock, or `gap` is not within
        [0, 1).

    Examples
    --------
    >>> result = microaggregate([[0.0], [5.2], [0.1], [5.0]], k=2)
    >>> result.labels.tolist(), result.status
    ([0, 1, 0, 1], 'optimal')
    """
    units = units_of(effort, prove=False, time_limit=time_limit)
    budget = Budget(clock, time_limit, 0.0 if gap is None else gap)
    points = prepared(records, preparation)
    check_least_size(k, points.shape[0])
    if effort is None:
        units = max(units, UNITS_A_RECORD * points.shape[0])
    if method not in METHODS:
        raise InvalidInput(f"unknown method {method!r}; known: {', '.join(sorted(METHODS))}")
    rng = generator_of(seed)
    lacking = patterns(np.asarray(records, dtype=np.float64)) if preparation.missing == "group" else None
    parts = members_of_strata(strata, points.shape[0], k, lacking)
    together = None if households is None else numbered(households, points.shape[0], "household")
    if together is not None:
        check_household_method(method)
        check_households(together, parts)
    seconds = {"read": budget.elapsed(), "first": 0.0, "bound": 0.0, "search": 0.0}
    labels = np.empty(points.shape[0], dtype=np.int64)
    losses, bounds = [around_mean(points[part]) for part in parts], [0.0] * len(parts)

    def report(phase: str, loss: float, bound: float) -> None:
        losses[at], bounds[at] = loss, bound
        if progress is not None:
            progress(phase, fsum(losses), fsum(bounds))

    for at, part in enumerate(parts):
        share = units * part.size // labels.size
        if together is None:
            standing = _grouped(points[part], k, METHODS[method], rng, budget, share, seconds, report)
        else:
            begin = partial(Standing, points[part], budget=budget, report=report)
            standing = keep_together(points[part], together[part], k, method, begin, rng, max(1, share))
            seconds["search"] += budget.elapsed() - sum(seconds.values())
        losses[at], bounds[at] = standing.loss, standing.bound
        labels[part] = standing.labels + at * labels.size
    if group_sizes(canonical(labels)).min() < k:
        raise BrokenClaim(f"method {method} returned a group of fewer than {k} records")
    loss, bound = fsum(losses), fsum(bounds)
    if loss < bound * (1 - _PRECISION):
        raise BrokenClaim(f"method {method} lost less than the proven bound")
    status: Status = "optimal" if loss <= bound else "feasible"
    return Microaggregation(
        k, method, status, canonical(labels), loss, around_mean(points), bound, seconds, budget.work
    )


def _grouped(
    points: Floats,
    k: int,
    method: Method,
    rng: Rng,
    budget: Budget,
    units: int,
    seconds: dict[str, float],
    report: Progress,
) -> Standing:
    """Return what is found and proven of the records of one stratum; adds up how long each phase took."""

    def note(phase: str) -> None:
        seconds[phase] += budget.elapsed() - sum(seconds.values())

    only_one = points.shape[0] < 2 * k
    labels = np.zeros(points.shape[0], dtype=np.int64) if only_one else method.first(points, k)
    standing = Standing(points, labels, budget, report)
    if only_one:
        standing.prove(standing.loss, "one group")
    note("first")
    if method.improve is not None and not standing.is_done:
        _prove_at_once(points, k, standing, units)
    note("bound")
    if method.improve is not None and not standing.is_done:
        method.improve(points, k, standing, rng, max(1, units))
    note("search")
    if points.shape[0] <= method.proven_up_to and not standing.is_done:
        prove(points, k, standing, max(1, units))
    note("bound")
    return standing


def _prove_at_once(points: Floats, k: int, standing: Standing, units: int) -> None:
    """Prove a bound that costs little, before anything is improved; the optimum, where only one attribute varies."""
    varying = points[:, np.ptp(points, axis=0) > 0]
    if varying.shape[1] == 1:
        standing.offer(univariate(varying, k), "one attribute")
        standing.prove(standing.loss, "one attribute")
    else:
        standing.prove(lower_bound(points, k, units=units_of_bound(units)), "bound")
