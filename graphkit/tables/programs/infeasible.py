"""Marginals that no table has, and which of them are to blame."""

from graphkit.budget import Budget
from graphkit.tables.programs.consistency import consistency_of
from graphkit.tables.structure.hypergraph import Axes
from graphkit.tables.structure.released import ReleasedMarginals


def has_table(released: ReleasedMarginals, budget: Budget | None = None) -> bool | None:
    """Return whether a table of non-negative whole counts has the marginals; None if that could not be settled.

    See Also
    --------
    graphkit.tables.programs.consistency.consistency_of : the same, with the table.

    Examples
    --------
    >>> same, other = [[1, 0], [0, 1]], [[0, 1], [1, 0]]
    >>> has_table(ReleasedMarginals((2, 2, 2), {(0, 1): same, (1, 2): same, (0, 2): other}))
    False
    """
    return consistency_of(released, budget).exists


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
    if has_table(released, budget) is not False:
        return None
    kept = dict(released.marginals)
    for axes in released.sets:
        fewer = {other: counts for other, counts in kept.items() if other != axes}
        if has_table(ReleasedMarginals(released.shape, fewer, released.total), budget) is False:
            kept = fewer
    return tuple(sorted(kept))
