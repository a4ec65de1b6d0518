"""A covering of the records of one stratum: constructed, bounded, improved; with demands or without."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.budget import Budget
from graphkit.effort import SECOND
from graphkit.errors import BrokenClaim
from graphkit.microdata.generalization._records import records_of
from graphkit.microdata.generalization.attribute import Attribute
from graphkit.microdata.generalization.bounding.lower_bound import lower_bound
from graphkit.microdata.generalization.constructing import constructed
from graphkit.microdata.generalization.covering import is_regular, ring
from graphkit.microdata.generalization.diverse.demands import Sensitive
from graphkit.microdata.generalization.diverse.searching import diverse_covering, is_met
from graphkit.microdata.generalization.extents import layout_of
from graphkit.microdata.generalization.registry import METHODS, Method
from graphkit.microdata.generalization.result import Generalization, Status
from graphkit.microdata.generalization.rounds.hungarian import best_pairs
from graphkit.microdata.generalization.standing import Standing
from graphkit.microdata.progress import Progress

DEFAULT_METHOD = "search"
PAIRS_UP_TO = 10_000
"""Records up to which the best covering for k = 2 is proven: all their pairs are priced some times."""
BOUND_SHARE = 4
"""One unit in so many proves; it tells how much more work could gain."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be made of the records of a stratum."""

    attributes: Sequence[Attribute]
    k: int
    method: str
    """A name in :data:`~graphkit.microdata.generalization.registry.METHODS`."""
    suppressed: int = 0
    """Records that may be left out, at most; a bound is that on all choices of them."""


def covered(table: Ints, task: Task, rng: Rng, units: int, budget: Budget, progress: Progress) -> Generalization:
    """Return a covering of all records, shape (n, k).

    Parameters
    ----------
    table : ndarray of int, shape (n, d)
        Codes of at least k records.
    task : Task
    rng : Generator
    units : int
        Work.
    budget : Budget
        Charged.
    progress : callable
    """
    k, chosen = task.k, METHODS[task.method]
    records = records_of(layout_of(task.attributes), table)
    seconds = {"read": budget.elapsed()}
    standing = Standing(records, constructed(chosen.construct, records, k, rng, budget), budget, progress)
    seconds["first"] = budget.elapsed() - sum(seconds.values())
    _prove_at_once(standing, task, chosen, units)
    seconds["bound"] = budget.elapsed() - sum(seconds.values())
    if chosen.improve is not None and not standing.is_done:
        chosen.improve(standing, k, rng, max(1, units - budget.work))
    seconds["search"] = budget.elapsed() - sum(seconds.values())
    return finished(standing, task, seconds, budget)


def diversely_covered(
    table: Ints,
    task: Task,
    sensitive: Sensitive,
    rng: Rng,
    units: int,
    budget: Budget,
    progress: Progress,
    bound: float | None = None,
) -> Generalization:
    """Return a covering of all records with matchings under each of which demands are met.

    Parameters
    ----------
    table, task, rng, units, budget, progress
        As for :func:`covered`.
    sensitive : Sensitive
        What is demanded.
    bound : float, optional
        What is proven already; otherwise a bound is proven first.

    Raises
    ------
    LimitReached
        If no such covering was found.
    """
    k, n = task.k, len(table)
    records = records_of(layout_of(task.attributes), table)
    seconds = {"read": budget.elapsed()}
    standing = Standing(records, ring(table, k), budget, progress)
    share = 0
    if bound is None:
        share = proving_units(units, budget)
        if k < n:
            bound = lower_bound(records.codes, task.attributes, k, suppressed=task.suppressed, units=share)
            budget.charge(share)
    seconds["bound"] = budget.elapsed() - sum(seconds.values())
    rows = diverse_covering(standing.records, sensitive, k, rng, budget, max(1, units - share))
    standing = Standing(standing.records, rows, budget, standing.report)
    # all tuples cover all records where there are no more than k
    standing.prove(bound if bound is not None else standing.loss, "bound")
    seconds["search"] = budget.elapsed() - sum(seconds.values())
    if not is_met(rows, sensitive):
        raise BrokenClaim("a covering misses what is demanded of sensitive values")
    return replace(finished(standing, task, seconds, budget), matchings=np.ascontiguousarray(rows.T))


def finished(
    standing: Standing, task: Task, seconds: Mapping[str, float], budget: Budget, kept: Ints | None = None
) -> Generalization:
    """Return the best covering as an answer.

    Parameters
    ----------
    standing : Standing
    task : Task
    seconds : mapping of str to float
        Time of each phase.
    budget : Budget
        Tells the work that was done.
    kept : ndarray of int, optional
        Numbers of the records that were not left out, among all of the stratum; `standing` is about them.

    Raises
    ------
    BrokenClaim
        If it is no covering, or loses less than was proven.
    """
    if not is_regular(standing.covered):
        raise BrokenClaim(f"method {task.method} returned tuples or records that do not cover {task.k}")
    if standing.loss < standing.bound:
        raise BrokenClaim(f"method {task.method} lost less than the proven bound")
    status: Status = "optimal" if standing.loss <= standing.bound else "feasible"
    covered = standing.covered if kept is None else kept[standing.covered]
    return Generalization(
        task.k, task.method, status, covered, standing.loss, standing.bound, seconds, budget.work
    )  # fmt: skip


def proving_units(units: int, budget: Budget) -> int:
    """Return the work that goes into a bound: a share of all, and of what there is time for."""
    if budget.time_limit is not None:
        units = min(units, int(budget.remaining() * SECOND))
    return max(1, units // BOUND_SHARE)


def _prove_at_once(standing: Standing, task: Task, method: Method, units: int) -> None:
    """Prove what costs little, before anything is improved; the optimum, where there is only one choice or round."""
    n, k = standing.covered.shape
    if k == n:
        # all tuples cover all records
        standing.prove(standing.loss, "one covering")
    elif k == 2 and n <= PAIRS_UP_TO and method.improve is not None and not standing.is_done:
        pairs, proven = best_pairs(standing.records, standing.budget)
        standing.offer(pairs, "assignment")
        if proven:
            standing.prove(standing.loss, "assignment")
    elif method.improve is not None and not standing.is_done:
        share = proving_units(units, standing.budget)
        standing.prove(lower_bound(standing.records.codes, task.attributes, k, units=share), "bound")
        standing.budget.charge(share)
