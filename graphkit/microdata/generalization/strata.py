"""Coverings of strata, each found for itself, as one covering of all records."""

from collections.abc import Sequence
from math import fsum

import numpy as np

from graphkit.arrays import Ints
from graphkit.microdata.generalization.covering import canonical
from graphkit.microdata.generalization.result import Generalization


def of_strata(found: Sequence[Generalization], members: Sequence[Ints]) -> Generalization:
    """Return coverings of strata as one; its bound is that on coverings that keep strata apart.

    Parameters
    ----------
    found : sequence of Generalization
        Of every stratum.
    members : sequence of ndarray of int
        The records of every stratum, rising; all records, each once.

    Notes
    -----
    A covering that keeps strata apart is one of each stratum, so that the mean of the bounds, by the records of the
    strata, is proven. O(n k log k).
    """
    loss, bound = means_of(found)
    is_optimal = all(one.status == "optimal" for one in found)
    covered = np.concatenate([own[one.covered] for own, one in zip(members, found, strict=True)])
    order = np.argsort(np.concatenate(members), kind="stable")
    return Generalization(
        found[0].k,
        found[0].method,
        "optimal" if is_optimal else "feasible",
        canonical(covered[order]),
        loss,
        loss if is_optimal else bound,
        {phase: fsum(one.seconds[phase] for one in found) for phase in found[0].seconds},
        sum(one.work for one in found),
        _matchings(found, members),
    )


def _matchings(found: Sequence[Generalization], members: Sequence[Ints]) -> Ints | None:
    matchings = np.empty((found[0].k, sum(map(len, members))), dtype=np.int64)
    for own, one in zip(members, found, strict=True):
        if one.matchings is None:
            return None
        matchings[:, own] = own[one.matchings]
    return matchings


def means_of(found: Sequence[Generalization]) -> tuple[float, float]:
    """Return loss and bound of all records of some strata."""
    n = sum(one.records for one in found)
    return fsum(one.records * one.loss for one in found) / n, fsum(one.records * one.lower_bound for one in found) / n
