"""API of the package: every record generalized so that it covers k, and is covered k times, at little loss."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from graphkit.arrays import Ints, Rng
from graphkit.budget import Budget
from graphkit.effort import SECOND, units_of
from graphkit.errors import BrokenClaim, InvalidInput
from graphkit.microdata.demand import Demand
from graphkit.microdata.generalization._records import records_of
from graphkit.microdata.generalization.attribute import Attribute
from graphkit.microdata.generalization.bounding.lower_bound import lower_bound
from graphkit.microdata.generalization.constructing import constructed
from graphkit.microdata.generalization.covering import is_regular, ring
from graphkit.microdata.generalization.diverse.demands import Sensitive, check_possible, of_some, sensitive_of
from graphkit.microdata.generalization.diverse.searching import diverse_covering, is_met
from graphkit.microdata.generalization.extents import check_codes, layout_of
from graphkit.microdata.generalization.registry import METHODS, Method
from graphkit.microdata.generalization.result import Generalization, Status
from graphkit.microdata.generalization.rounds.hungarian import best_pairs
from graphkit.microdata.generalization.standing import Standing
from graphkit.microdata.generalization.strata import means_of, of_strata
from graphkit.microdata.microaggregation.strata import members_of_strata
from graphkit.microdata.progress import Progress, silent
from graphkit.parameters import check_least_size, generator_of

DEFAULT_METHOD = "search"
PAIRS_UP_TO = 10_000
"""Records up to which the best covering for k = 2 is proven: all their pairs are priced some times."""
_BOUND_SHARE = 4
"""One unit in so many proves; it tells how much more work could gain."""
_LEAST_TIME = 1e-3
# of the default effort, where there are more records than that for which it was made
_UNITS_A_RECORD = 3_000


def generalize(
    codes: ArrayLike,
    attributes: Sequence[Attribute],
    k: int,
    *,
    method: str = DEFAULT_METHOD,
    demands: Sequence[Demand] = (),
    sensitive: Sequence[ArrayLike] = (),
    strata: ArrayLike | None = None,
    seed: int | np.random.Generator = 0,
    effort: float | None = None,
    time_limit: float | None = None,
    gap: float | None = None,
    clock: Callable[[], float] | None = None,
    progress: Progress | None = None,
) -> Generalization:
    """Return which k records each recoded tuple covers.

    Parameters
    ----------
    codes : array_like of int, shape (n, d)
        Number of the value of every record in the domain of every attribute.
    attributes : sequence of Attribute
        d of them.
    k : int
        How many records every tuple covers, and tuples every record; at least 2 and at most n.
    method : str, optional
        A name in :data:`~graphkit.microdata.generalization.registry.METHODS`.
    demands : sequence of Demand, optional
        What every original is to see: the sensitive values published with the k tuples that cover it, under each of
        the k matchings of the result. The bound stays that on all coverings, whether they meet the demands or not.
    sensitive : sequence of array_like of int, shape (n,), optional
        Of each demand, the category of every record: numbers from 0 on, by rank. Shares of the whole file, for
        t-closeness, are those of all these records, also where there are strata.
    strata : array_like of int, shape (n,), optional
        Every tuple covers records of one stratum only. Strata are done one after the other, each with a share of the
        effort and the time by its records; progress is told when one is done.
    seed : int or numpy.random.Generator, optional
        Same codes, k, method, seed, effort and version: the same covering, as long as there is no time limit.
    effort : float, optional
        How much work is done, about seconds of one core on the machine of docs/performance.md. 20 by default, and 90
        for 30 000 records, in proportion, where that is more.
    time_limit : float, optional
        Seconds after which the best covering so far is taken; needs `clock`.
    gap : float, optional
        Share by which the loss may lie above the proven bound and still be good enough to stop.
    clock : callable, optional
        Returns seconds, such as ``time.monotonic``; the engines have none. Without one no phase is timed.
    progress : callable, optional
        Called with phase, loss of the best covering so far and proven bound, both as GCP.

    Returns
    -------
    Generalization
        Always valid; with its matchings, where there are demands.

    Raises
    ------
    InvalidInput
        If the codes are no table of values of the domains, `k` is no whole number, below 2 or above the number of
        records, there is not a stratum for each record or one has fewer than k, `seed` is neither a whole number from 0
        on nor a generator, the method is unknown, there is a time limit without a clock, or `gap` is not within [0, 1);
        or if it is proven that no covering meets the demands, or the method knows none.
    LimitReached
        If there are demands, and no covering was found that meets them.

    Examples
    --------
    >>> from graphkit.microdata import nominal, numeric
    >>> result = generalize([[0, 0], [3, 1], [1, 0], [2, 1]], [numeric([20, 21, 40, 41]), nominal(2)], k=2)
    >>> result.covered.tolist(), result.status
    ([[0, 2], [1, 3], [2, 0], [3, 1]], 'optimal')
    """
    units = units_of(effort, prove=False, time_limit=time_limit)
    budget = Budget(clock, time_limit, 0.0 if gap is None else gap)
    table = _table(codes, attributes)
    n = table.shape[0]
    check_least_size(k, n)
    if method not in METHODS:
        raise InvalidInput(f"unknown method {method!r}; known: {', '.join(sorted(METHODS))}")
    rng = generator_of(seed)
    if effort is None:
        units = max(units, _UNITS_A_RECORD * n)
    members = members_of_strata(strata, n, k)
    wanted = _wanted(demands, sensitive, members, k, method)
    if len(members) == 1:
        return _generalized(table, attributes, k, method, rng, units, budget, progress or silent, wanted[0])
    found = []
    for done, (own, values) in enumerate(zip(members, wanted, strict=True)):
        left = sum(map(len, members[done:]))
        limit = None if time_limit is None else max(_LEAST_TIME, budget.remaining() * len(own) / left)
        share = max(1, units * len(own) // n)
        part = Budget(clock, limit, budget.gap)
        found.append(_generalized(table[own], attributes, k, method, rng, share, part, silent, values))
        if progress is not None:
            progress("stratum", *means_of(found))
    return of_strata(found, members)


def _generalized(
    table: Ints,
    attributes: Sequence[Attribute],
    k: int,
    method: str,
    rng: Rng,
    units: int,
    budget: Budget,
    progress: Progress,
    sensitive: Sensitive | None,
) -> Generalization:
    records = records_of(layout_of(attributes), table)
    seconds = {"read": budget.elapsed()}
    if sensitive is not None:
        return _diverse(
            Standing(records, ring(table, k), budget, progress), sensitive, attributes, k, rng, units, seconds
        )
    chosen = METHODS[method]
    standing = Standing(records, constructed(chosen.construct, records, k, rng, budget), budget, progress)
    seconds["first"] = budget.elapsed() - sum(seconds.values())
    _prove_at_once(standing, attributes, k, chosen, units)
    seconds["bound"] = budget.elapsed() - sum(seconds.values())
    if chosen.improve is not None and not standing.is_done:
        chosen.improve(standing, k, rng, max(1, units - budget.work))
    seconds["search"] = budget.elapsed() - sum(seconds.values())
    if not is_regular(standing.covered):
        raise BrokenClaim(f"method {method} returned tuples or records that do not cover {k}")
    if standing.loss < standing.bound:
        raise BrokenClaim(f"method {method} lost less than the proven bound")
    status: Status = "optimal" if standing.loss <= standing.bound else "feasible"
    return Generalization(
        k, method, status, standing.covered, standing.loss, standing.bound, seconds, budget.work
    )  # fmt: skip


def _diverse(
    standing: Standing,
    sensitive: Sensitive,
    attributes: Sequence[Attribute],
    k: int,
    rng: Rng,
    units: int,
    seconds: dict[str, float],
) -> Generalization:
    budget, bound = standing.budget, 0.0
    share = max(1, units // _BOUND_SHARE)
    if budget.time_limit is not None:
        share = min(share, max(1, int(budget.remaining() * SECOND / _BOUND_SHARE)))
    if k < len(standing.covered):
        bound = lower_bound(standing.records.codes, attributes, k, units=share)
        budget.charge(share)
    seconds["bound"] = budget.elapsed() - sum(seconds.values())
    rows = diverse_covering(standing.records, sensitive, k, rng, budget, max(1, units - share))
    standing = Standing(standing.records, rows, budget, standing.report)
    # all tuples cover all records where there are no more than k
    standing.prove(bound if k < len(rows) else standing.loss, "bound")
    seconds["search"] = budget.elapsed() - sum(seconds.values())
    if not (is_regular(standing.covered) and is_met(rows, sensitive)):
        raise BrokenClaim("a covering misses what is demanded of sensitive values")
    if standing.loss < standing.bound:
        raise BrokenClaim("a covering with demands lost less than the proven bound")
    status: Status = "optimal" if standing.loss <= standing.bound else "feasible"
    return Generalization(
        k,
        DEFAULT_METHOD,
        status,
        standing.covered,
        standing.loss,
        standing.bound,
        seconds,
        budget.work,
        np.ascontiguousarray(rows.T),
    )


def _wanted(
    demands: Sequence[Demand], sensitive: Sequence[ArrayLike], members: Sequence[Ints], k: int, method: str
) -> list[Sensitive | None]:
    """Return what is demanded in each stratum."""
    if not demands and not sensitive:
        return [None] * len(members)
    if method != DEFAULT_METHOD:
        raise InvalidInput(f"method {method!r} knows no demands on sensitive values; use {DEFAULT_METHOD!r}")
    values = [np.asarray(column) for column in sensitive]
    n = sum(map(len, members))
    if len(values) != len(demands) or any(column.shape != (n,) for column in values):
        raise InvalidInput(f"there must be a sensitive value for each of the {n} records and each demand")
    whole = sensitive_of(demands, values)
    found: list[Sensitive | None] = []
    for own in members:
        part = of_some(whole, own)
        check_possible(demands, part, k)
        found.append(part)
    return found


def _prove_at_once(standing: Standing, attributes: Sequence[Attribute], k: int, method: Method, units: int) -> None:
    """Prove what costs little, before anything is improved; the optimum, where there is only one choice or round."""
    n = standing.covered.shape[0]
    if k == n:
        # all tuples cover all records
        standing.prove(standing.loss, "one covering")
    elif k == 2 and n <= PAIRS_UP_TO and method.improve is not None and not standing.is_done:
        pairs, proven = best_pairs(standing.records, standing.budget)
        standing.offer(pairs, "assignment")
        if proven:
            standing.prove(standing.loss, "assignment")
    elif method.improve is not None and not standing.is_done:
        share = max(1, units // _BOUND_SHARE)
        standing.prove(lower_bound(standing.records.codes, attributes, k, units=share), "bound")
        standing.budget.charge(share)


def _table(codes: Any, attributes: Sequence[Attribute]) -> Ints:
    """Return codes as a table of whole numbers within the domains."""
    table = np.asarray(codes)
    if table.ndim != 2 or not table.shape[1] or not table.shape[0]:
        raise InvalidInput("records must be a table: one row a record, at least one row and one column")
    if not np.issubdtype(table.dtype, np.integer):
        raise InvalidInput("records must be whole numbers: the numbers of their values in the domains of attributes")
    checked = np.ascontiguousarray(table, dtype=np.int64)
    check_codes(attributes, checked)
    return checked
