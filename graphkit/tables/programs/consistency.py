"""A table that has some marginals, found from these alone, or the proof that there is none, and what is to blame."""

import math
from dataclasses import dataclass

import numpy as np

from graphkit.budget import Budget
from graphkit.tables.programs.branching import best_table
from graphkit.tables.programs.program import MarginalProgram
from graphkit.tables.propagation.outer_bounds import outer_bounds
from graphkit.tables.structure.contingency import SparseCounts, sparse_counts
from graphkit.tables.structure.frechet_witness import reducible_witness
from graphkit.tables.structure.hypergraph import Axes
from graphkit.tables.structure.released import ReleasedMarginals

_MOST_CELLS = 2**16


@dataclass(frozen=True, slots=True, eq=False)
class Consistency:
    """Whether there is a table that has all marginals."""

    exists: bool | None
    """None: neither was proven."""
    table: SparseCounts | None = None
    """One of them, exactly if it is known that there is one; nobody has checked it yet."""


def consistency_of(released: ReleasedMarginals, budget: Budget | None = None) -> Consistency:
    """Return a table of non-negative whole counts that has the marginals, or that there is none.

    Parameters
    ----------
    released : ReleasedMarginals
        Marginals, from wherever.
    budget : Budget, optional
        Ends the search early.

    Notes
    -----
    Component by component, as the separators between them are known: tables of the components that agree there can
    always be combined. Within one, propagation, then branch and bound without an objective: it ends with a table, or
    with the proof that there is none. A component of more than 2^16 cells that is no marginal itself is not searched.

    Examples
    --------
    >>> same, other = [[1, 0], [0, 1]], [[0, 1], [1, 0]]
    >>> consistency_of(ReleasedMarginals((2, 2, 2), {(0, 1): same, (1, 2): same, (0, 2): other})).exists
    False
    >>> found = consistency_of(ReleasedMarginals((2, 2, 2), {(0, 1): same, (1, 2): same}))
    >>> found.exists, [part.tolist() for part in found.table]
    (True, [[0, 7], [1, 1]])
    """
    budget = budget or Budget()
    if released.inconsistent is not None:
        return Consistency(False)
    tables: dict[Axes, SparseCounts] = {}
    open_components = released.decomposition.open_components
    for axes in open_components:
        part = _searched(released.restricted(axes), budget)
        if part.exists is False:
            return part
        if part.table is not None:
            tables[axes] = part.table
    if len(tables) < len(open_components):
        return Consistency(None)
    return Consistency(True, reducible_witness(released, tables, 0, "upper"))


def conflicting_marginals(released: ReleasedMarginals, *, budget: Budget | None = None) -> tuple[Axes, ...] | None:
    """Return marginals that are not consistent, although they are without any one of them.

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
    if consistency_of(released, budget).exists is not False:
        return None
    kept = dict(released.marginals)
    for axes in released.sets:
        fewer = {other: counts for other, counts in kept.items() if other != axes}
        if consistency_of(ReleasedMarginals(released.shape, fewer, released.total), budget).exists is False:
            kept = fewer
    return tuple(sorted(kept))


def _searched(part: ReleasedMarginals, budget: Budget) -> Consistency:
    """Return a table of one component."""
    if math.prod(part.shape) > _MOST_CELLS:
        return Consistency(None)
    outer = outer_bounds(part, budget=budget)
    if outer.inconsistent:
        return Consistency(False)
    program = MarginalProgram.within(part, outer.lower, outer.upper)
    found = best_table(program, np.zeros(program.size, dtype=np.int64), 0, budget)
    if found.table is not None:
        return Consistency(True, sparse_counts(program.expanded(found.table)))
    return Consistency(False if found.bound is None else None)
