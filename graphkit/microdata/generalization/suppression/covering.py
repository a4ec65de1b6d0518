"""Coverings without the records that cost most: cover, leave out, cover the others, and so on."""

from dataclasses import replace

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.budget import Budget
from graphkit.microdata.generalization._records import records_of
from graphkit.microdata.generalization.bounding.lower_bound import lower_bound
from graphkit.microdata.generalization.constructing import constructed
from graphkit.microdata.generalization.extents import layout_of
from graphkit.microdata.generalization.registry import METHODS
from graphkit.microdata.generalization.result import Generalization
from graphkit.microdata.generalization.spending import budget_of_phase
from graphkit.microdata.generalization.standing import Standing
from graphkit.microdata.generalization.stratum import Task, finished, proving_units
from graphkit.microdata.generalization.suppression.leaving_out import left_out
from graphkit.microdata.progress import Progress

# of the work after the bound: while all records are there, after each round that leaves some out, and at last
_ALL, _ROUNDS, _ROUND = 0.25, 4, 0.05
# of the mean loss: what a record saves at least, before the others are searched anew
_LEAST = 0.5


def covered_without(
    table: Ints, task: Task, rng: Rng, units: int, budget: Budget, progress: Progress
) -> Generalization:
    """Return a covering of all records but some, of which there are no more than the task allows.

    Parameters
    ----------
    table, task, rng, units, budget, progress
        As for :func:`~graphkit.microdata.generalization.stratum.covered`.

    Notes
    -----
    Leaving out a record changes what the others cost, and what they would lose in a better covering is not known
    before it is looked for. So a part leaves in each round, and the search goes on with the others from the covering
    that remains. The best covering of all rounds counts.
    """
    k, chosen, layout = task.k, METHODS[task.method], layout_of(task.attributes)
    records = records_of(layout, table)
    seconds = {"read": budget.elapsed()}
    standing = Standing(records, constructed(chosen.construct, records, k, rng, budget), budget, progress)
    seconds["first"] = budget.elapsed() - sum(seconds.values())
    if chosen.improve is not None and not standing.is_done:
        proving = proving_units(units, budget)
        found = lower_bound(records.codes, task.attributes, k, suppressed=task.suppressed, units=proving)
        standing.prove(found, "bound")
        budget.charge(proving)
    seconds["bound"] = budget.elapsed() - sum(seconds.values())
    left, kept = max(1, units - budget.work), np.arange(len(table))
    rounds = min(_ROUNDS, task.suppressed)
    shares = (_ALL, *(_ROUND,) * (rounds - 1), 1 - _ALL - (rounds - 1) * _ROUND)
    time_left = 1.0
    best = standing, kept
    for number, share in enumerate(shares):
        if number:
            most = task.suppressed - (len(table) - kept.size)
            count = -(-most // (rounds + 1 - number))
            own, rows = left_out(standing.records, standing.covered, count, _LEAST)
            if own.size < kept.size:
                kept, records = kept[own], records_of(layout, table[kept[own]])
                standing = Standing(records, np.searchsorted(own, rows), budget, progress, standing.bound)
        if chosen.improve is not None and not standing.is_done:
            # as much of the time as of the work
            standing.budget = budget_of_phase(budget, min(1.0, share / time_left))
            chosen.improve(standing, k, rng, max(1, int(left * share)))
            budget.charge(standing.budget.work)
            standing.budget = budget
        time_left -= share
        if standing.loss < best[0].loss:
            best = standing, kept
    standing, kept = best
    seconds["search"] = budget.elapsed() - sum(seconds.values())
    gone = np.setdiff1d(np.arange(len(table)), kept)
    return replace(finished(standing, task, seconds, budget, kept), suppressed=gone)
