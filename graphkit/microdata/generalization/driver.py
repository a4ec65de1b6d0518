"""API of the package: every record generalized so that it covers k, and is covered k times, at little loss."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from graphkit.arrays import Ints, Rng
from graphkit.budget import Budget
from graphkit.effort import units_of
from graphkit.errors import InvalidInput
from graphkit.microdata.demand import Demand
from graphkit.microdata.generalization.attribute import Attribute
from graphkit.microdata.generalization.diverse.demands import (
    Sensitive,
    check_possible,
    of_some,
    published_values,
    sensitive_of,
)
from graphkit.microdata.generalization.extents import check_codes
from graphkit.microdata.generalization.registry import METHODS
from graphkit.microdata.generalization.result import Generalization
from graphkit.microdata.generalization.strata import found_in_each, of_strata
from graphkit.microdata.generalization.stratum import DEFAULT_METHOD, Task, covered, diversely_covered
from graphkit.microdata.generalization.suppression.allowance import most_suppressed
from graphkit.microdata.generalization.suppression.covering import covered_without
from graphkit.microdata.generalization.suppression.diverse import diversely_covered_without
from graphkit.microdata.microaggregation.strata import members_of_strata
from graphkit.microdata.progress import Progress, silent
from graphkit.parameters import check_least_size, generator_of

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
    totals: Sequence[ArrayLike | None] | None = None,
    strata: ArrayLike | None = None,
    suppressed: float = 0.0,
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
        Of each demand, the category of every record: numbers from 0 on, by rank; without totals, a number that none
        has is no category. Shares of the whole file, for t-closeness, are those of all these records that are not left
        out, also where there are strata.
    totals : sequence of array_like of int or None, optional
        Of each demand, how often each category is in the whole file, where these records are a part of it.
    strata : array_like of int, shape (n,), optional
        Every tuple covers records of one stratum only. Strata are done one after the other, each with a share of the
        effort and the time by its records; progress is told when one is done.
    suppressed : float, optional
        Share of the records of each stratum that may be left out, at most, where that lowers the mean loss of the
        others. No stratum is left with fewer than k. The bound is that on all choices of up to as many.
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
        if it is proven that no covering of all records meets the demands, or the method knows none; or if `suppressed`
        is not within [0, 1), or leaves fewer than k records, or records are left out of a part of a file.
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
    members, told = members_of_strata(strata, n, k), progress or silent
    most = most_suppressed(suppressed, [len(own) for own in members], k)
    tasks = [Task(attributes, k, method, count) for count in most]
    values = _sensitive_values(demands, sensitive, n, method)
    wholes = None if totals is None else [None if one is None else np.asarray(one) for one in totals]
    if wholes is None:
        # a number that no record has would make ranks farther apart than they are, and distances smaller
        values = published_values(values)
    if demands and any(most):
        if wholes is not None and any(one is not None for one in wholes):
            raise InvalidInput("records left out elsewhere change the whole file that t is about; leave out none")
        tables = [table[own] for own in members]
        parts = [[column[own] for column in values] for own in members]
        found = diversely_covered_without(tables, tasks, demands, parts, rng, units, budget, told)
        return found[0] if len(members) == 1 else of_strata(found, members, most)
    wanted = _wanted(demands, values, wholes, members, k)
    if len(members) == 1:
        return _covered(table, tasks[0], wanted[0], rng, units, budget, told)

    def find(number: int, work: int, part: Budget) -> Generalization:
        return _covered(table[members[number]], tasks[number], wanted[number], rng, work, part, silent)

    return of_strata(found_in_each([len(own) for own in members], units, budget, told, find), members, most)


def _covered(
    table: Ints, task: Task, sensitive: Sensitive | None, rng: Rng, units: int, budget: Budget, progress: Progress
) -> Generalization:
    if sensitive is not None:
        return diversely_covered(table, task, sensitive, rng, units, budget, progress)
    return (covered_without if task.suppressed else covered)(table, task, rng, units, budget, progress)


def _sensitive_values(demands: Sequence[Demand], sensitive: Sequence[ArrayLike], n: int, method: str) -> list[Ints]:
    """Return the values that are demanded of, an array for each demand."""
    if not demands and not sensitive:
        return []
    if method != DEFAULT_METHOD:
        raise InvalidInput(f"method {method!r} knows no demands on sensitive values; use {DEFAULT_METHOD!r}")
    values = [np.asarray(column) for column in sensitive]
    if len(values) != len(demands) or any(column.shape != (n,) for column in values):
        raise InvalidInput(f"there must be a sensitive value for each of the {n} records and each demand")
    # checks them, too
    sensitive_of(demands, values)
    return values


def _wanted(
    demands: Sequence[Demand],
    values: Sequence[Ints],
    totals: Sequence[Ints | None] | None,
    members: Sequence[Ints],
    k: int,
) -> list[Sensitive | None]:
    """Return what is demanded in each stratum."""
    if not demands:
        return [None] * len(members)
    whole = sensitive_of(demands, values, totals)
    found: list[Sensitive | None] = []
    for own in members:
        part = of_some(whole, own)
        check_possible(demands, part, k)
        found.append(part)
    return found


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
