"""Marginals that no table has, and which of them are to blame."""

from __future__ import annotations

import math

import numpy as np

from graphkit.budget import Budget
from graphkit.tables.branching import best_table
from graphkit.tables.hypergraph import Axes
from graphkit.tables.outer import outer_bounds
from graphkit.tables.program import MarginalProgram
from graphkit.tables.released import ReleasedMarginals

__all__ = ["conflicting_marginals", "has_table"]

_MOST_CELLS = 2**16
_NODES = 2_000


def has_table(released: ReleasedMarginals, budget: Budget | None = None) -> bool | None:
    """Return whether a table of non-negative whole counts has the marginals; None if that could not be settled.

    Notes
    -----
    Propagation, then branch and bound without an objective: it ends with a table, or with the proof that there is none.

    Examples
    --------
    >>> same, other = [[1, 0], [0, 1]], [[0, 1], [1, 0]]
    >>> has_table(ReleasedMarginals((2, 2, 2), {(0, 1): same, (1, 2): same, (0, 2): other}))
    False
    """
    budget = budget or Budget()
    outer = outer_bounds(released, budget=budget) if math.prod(released.shape) <= _MOST_CELLS else None
    if released.inconsistent is not None or (outer is not None and outer.inconsistent):
        return False
    if outer is None:
        return None
    if outer.sharp:
        return True
    columns = np.flatnonzero(outer.upper > 0)
    program = MarginalProgram(released, columns, outer.lower[columns], outer.upper[columns])
    found = best_table(program, np.zeros(columns.size, dtype=np.int64), 0, budget, nodes=_NODES)
    if found.table is not None:
        return True
    return False if found.bound is None else None


def conflicting_marginals(released: ReleasedMarginals, *, budget: Budget | None = None) -> tuple[Axes, ...] | None:
    """Return marginals that have no common table, although they have one without any of them.

    Parameters
    ----------
    released : ReleasedMarginals
        Marginals, from wherever.
    budget : Budget, optional
        Ends the search early: then more marginals than necessary may be named.

    Returns
    -------
    tuple of tuple of int, or None
        Variables of an irreducible infeasible subset; None if there is a table, or none was proven to be missing.

    Notes
    -----
    Marginals are left out one after the other; whatever still conflicts without one does not need it (deletion filter).

    References
    ----------
    Chinneck, Dravnieks, Locating minimal infeasible constraint sets in linear programs, 1991.

    Examples
    --------
    >>> same, other = [[1, 0], [0, 1]], [[0, 1], [1, 0]]
    >>> three = {(0, 1): same, (1, 2): same, (0, 2): other, (3,): [1, 1]}
    >>> conflicting_marginals(ReleasedMarginals((2, 2, 2, 2), three))
    ((0, 1), (0, 2), (1, 2))
    """
    budget = budget or Budget()
    if released.inconsistent is not None:
        return tuple(sorted(released.inconsistent))
    if has_table(released, budget) is not False:
        return None
    kept = dict(released.marginals)
    for axes in released.sets:
        fewer = {other: counts for other, counts in kept.items() if other != axes}
        if has_table(ReleasedMarginals(released.shape, fewer, released.total), budget) is False:
            kept = fewer
    return tuple(sorted(kept))
