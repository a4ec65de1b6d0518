"""Coverings that meet demands without the records that cost most, where the others lose less so."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.budget import Budget
from graphkit.errors import InvalidInput, LimitReached
from graphkit.microdata.demand import Demand
from graphkit.microdata.generalization._records import records_of
from graphkit.microdata.generalization.diverse.demands import (
    Sensitive,
    check_possible,
    of_some,
    published_values,
    sensitive_of,
)
from graphkit.microdata.generalization.extents import layout_of
from graphkit.microdata.generalization.result import Generalization
from graphkit.microdata.generalization.spending import budget_of_phase
from graphkit.microdata.generalization.strata import found_in_each, means_of
from graphkit.microdata.generalization.stratum import Task, diversely_covered
from graphkit.microdata.generalization.suppression.leaving_out import left_out
from graphkit.microdata.progress import Progress, silent

_FIRST = 0.4
"""Share of the work on all records; the rest is for those that stay."""


def diversely_covered_without(
    tables: Sequence[Ints],
    tasks: Sequence[Task],
    demands: Sequence[Demand],
    values: Sequence[Sequence[Ints]],
    rng: Rng,
    units: int,
    budget: Budget,
    progress: Progress,
) -> list[Generalization]:
    """Return coverings of strata, without some records where that lowers the loss, that meet demands.

    Parameters
    ----------
    tables : sequence of ndarray of int
        Codes of the records of every stratum.
    tasks : sequence of Task
        Of every stratum.
    demands : sequence of Demand
    values : sequence of sequence of ndarray of int
        Of every stratum and demand, the category of every record.
    rng, units, budget, progress
        As for :func:`~graphkit.microdata.generalization.stratum.covered`.

    Raises
    ------
    InvalidInput
        If it is proven that the demands cannot be met for all records.
    LimitReached
        If no covering of all records was found that meets them.

    Notes
    -----
    All records are covered first. The shares for t-closeness are those of all records that are published, so
    those that leave are chosen in every stratum before the others are covered anew. Where these cannot meet the
    demands, or lose no less, nothing is left out.
    """
    sizes = [len(table) for table in tables]
    every = [np.arange(size) for size in sizes]
    sensitive = _demanded(demands, values, every, tasks[0].k)
    part = max(1, int(units * _FIRST))
    first = _covered(tables, tasks, sensitive, rng, part, budget_of_phase(budget, _FIRST), progress)
    kept = [
        left_out(records_of(layout_of(task.attributes), table), found.covered, task.suppressed)[0]
        for table, task, found in zip(tables, tasks, first, strict=True)
    ]
    if [one.size for one in kept] == sizes:
        return first
    try:
        sensitive = _demanded(demands, values, kept, tasks[0].k)
        stay = [table[one] for table, one in zip(tables, kept, strict=True)]
        bounds = [found.lower_bound for found in first]
        then = _covered(stay, tasks, sensitive, rng, units - part, budget_of_phase(budget, 1.0), progress, bounds)
    except (InvalidInput, LimitReached):
        return first
    if means_of(then)[0] >= means_of(first)[0]:
        return first
    return [_numbered(*one) for one in zip(then, first, kept, strict=True)]


def _covered(
    tables: Sequence[Ints],
    tasks: Sequence[Task],
    sensitive: Sequence[Sensitive],
    rng: Rng,
    units: int,
    budget: Budget,
    progress: Progress,
    bounds: Sequence[float] | None = None,
) -> list[Generalization]:
    def find(place: int, work: int, part: Budget) -> Generalization:
        bound = None if bounds is None else bounds[place]
        own = tables[place], tasks[place], sensitive[place]
        return diversely_covered(*own, rng, work, part, progress if len(tables) == 1 else silent, bound)

    told = silent if len(tables) == 1 else progress
    return found_in_each([len(table) for table in tables], units, budget, told, find)


def _demanded(
    demands: Sequence[Demand], values: Sequence[Sequence[Ints]], kept: Sequence[Ints], k: int
) -> list[Sensitive]:
    """Return the demands on the records that stay in each stratum; shares are those of all of these.

    Raises
    ------
    InvalidInput
        If it is proven that these cannot meet them.
    """
    columns = [
        np.concatenate([own[place][stay] for own, stay in zip(values, kept, strict=True)])
        for place in range(len(demands))
    ]
    whole = sensitive_of(demands, published_values(columns))
    ends = np.cumsum([0, *(stay.size for stay in kept)])
    parts = [of_some(whole, np.arange(ends[at], ends[at + 1])) for at in range(len(kept))]
    for part in parts:
        check_possible(demands, part, k)
    return parts


def _numbered(then: Generalization, first: Generalization, kept: Ints) -> Generalization:
    """Return a covering of the records that stay, with their numbers among all of the stratum."""
    assert then.matchings is not None
    return replace(
        then,
        covered=kept[then.covered],
        matchings=kept[then.matchings],
        suppressed=np.setdiff1d(np.arange(first.records), kept),
        work=first.work + then.work,
        seconds={phase: seconds + then.seconds[phase] for phase, seconds in first.seconds.items()},
    )
