"""Coverings of strata, each found for itself, as one covering of all records."""

from collections.abc import Callable, Sequence
from math import fsum

import numpy as np

from graphkit.arrays import Ints
from graphkit.budget import Budget
from graphkit.microdata.generalization.result import Generalization
from graphkit.microdata.generalization.spending import budget_of_part, units_of_part
from graphkit.microdata.generalization.suppression.allowance import least_mean
from graphkit.microdata.progress import Progress

Find = Callable[[int, int, Budget], Generalization]
"""Finds the covering of a stratum, given its number, the work for it and its budget."""


def found_in_each(
    sizes: Sequence[int], units: int, budget: Budget, progress: Progress, find: Find
) -> list[Generalization]:
    """Return the coverings of strata, found one after the other; each may spend a share by its records.

    Parameters
    ----------
    sizes : sequence of int
        Records of every stratum.
    units : int
        Work for all of them.
    budget : Budget
    progress : callable
        Told when a stratum is done.
    find : callable
    """
    found: list[Generalization] = []
    records = left = sum(sizes)
    for number, size in enumerate(sizes):
        found.append(find(number, units_of_part(units, size, records), budget_of_part(budget, size, left)))
        left -= size
        progress("stratum", *means_of(found))
    return found


def of_strata(
    found: Sequence[Generalization], members: Sequence[Ints], most: Sequence[int] | None = None
) -> Generalization:
    """Return coverings of strata as one; its bound is that on coverings that keep strata apart.

    Parameters
    ----------
    found : sequence of Generalization
        Of every stratum.
    members : sequence of ndarray of int
        The records of every stratum, rising; all records, each once.
    most : sequence of int, optional
        Records of every stratum that might have been left out, which its bound is about; none by default.

    Notes
    -----
    A covering that keeps strata apart is one of each stratum, so that the mean of the bounds, by the records of the
    strata, is proven; where records may be left out, the least such mean is. O(n k log k).
    """
    loss, bound = means_of(found)
    is_optimal = all(one.status == "optimal" for one in found)
    if most is not None and any(most):
        sizes = np.array([len(own) for own in members])
        bound = least_mean([one.lower_bound for one in found], sizes - np.array(most), sizes)
        is_optimal = loss <= bound
    # each tuple has its own record first, in a stratum and here
    covered = np.concatenate([own[one.covered] for own, one in zip(members, found, strict=True)])
    order = np.argsort(covered[:, 0], kind="stable")
    return Generalization(
        found[0].k,
        found[0].method,
        "optimal" if is_optimal else "feasible",
        covered[order],
        loss,
        loss if is_optimal else bound,
        {phase: fsum(one.seconds[phase] for one in found) for phase in found[0].seconds},
        sum(one.work for one in found),
        _matchings(found, members, order),
        np.sort(np.concatenate([own[one.suppressed] for own, one in zip(members, found, strict=True)])),
    )


def _matchings(found: Sequence[Generalization], members: Sequence[Ints], order: Ints) -> Ints | None:
    matchings = []
    for own, one in zip(members, found, strict=True):
        if one.matchings is None:
            return None
        matchings.append(own[one.matchings])
    return np.ascontiguousarray(np.concatenate(matchings, axis=1)[:, order])


def means_of(found: Sequence[Generalization]) -> tuple[float, float]:
    """Return loss and bound of all published records of some strata."""
    n = sum(one.records for one in found)
    return fsum(one.records * one.loss for one in found) / n, fsum(one.records * one.lower_bound for one in found) / n
