"""An upper bound on what a set of given size can weigh when edges inside it count against it."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.networks.bounds._convex_set import Spectrum, convex_set_bound, value_near
from graphkit.solver import linear_program, new_solver

# multipliers are rounded to this grid, so that the bound is computed in integers and proven whatever the solver returns
_GRID = 256
# with fewer the linear program is solved at once
_FEW_EDGES = 2_000
# elsewhere so near to the value of a set is near enough
_NEAR = 1
# and where it is so much less near, a convex program is asked, too
_LOOSE = 4
# a program of this share of the vertices tells nothing of other questions
_FEWER = 0.6
# with more vertices an edge takes the longer, the more they are
_SLOW = 400
# pairs that take as long to look at as an edge of a linear program
_PRODUCT = 2_000


def best_set_bound(
    weights: Ints,
    adjacent: Bools,
    size: int,
    *,
    most_edges: int,
    spare: int | None = None,
    spectrum: Callable[[], Spectrum | None] = lambda: None,
    multipliers: Ints | None = None,
    near: float = 0.0,
) -> tuple[int, int]:
    """Return an upper bound on ``Σ_{u in Y} w_u − m(Y)`` over all sets Y of the given size.

    Parameters
    ----------
    weights : ndarray of int64, shape (n,)
        Weight w_u of every candidate.
    adjacent : ndarray of bool, shape (n, n)
        Symmetric; m(Y) counts the adjacent pairs inside Y.
    size : int
        Number of vertices in Y, at most n where there are no others.
    most_edges : int
        With more pairs than this no linear program is solved.
    spare : int, optional
        Weight of others that are adjacent to nobody, of which there are as many as are wanted.
    spectrum : callable, optional
        Returns that of `adjacent`, or of more vertices, where it is needed; without one it is computed.
    multipliers : ndarray of int64, shape (n, n), optional
        Those of a similar question, all 0 at first; they are tried before a program, and changed to what one finds.
    near : float, optional
        The share of its value by which a bound may be above that of some set to be good enough, of many edges.

    Returns
    -------
    bound : int
        The upper bound.
    edges : int
        Edges in the linear program that was solved, and what the convex one took in these; 0 where none was needed.

    Notes
    -----
    With many edges the multipliers of another question are tried first. Where they are not near enough to the value of
    a set, they tell who is in all sets that are better and who is in none: a vertex whose term is so much above the
    next one, or below the last one that counts. If those are many, the linear program is about the others alone. Where
    that is far from the value as well, as it may be where edges are dense, a convex program is asked,
    :func:`~graphkit.networks.bounds._convex_set.convex_set_bound`.

    *Proof.* For any multipliers ``0 ≤ y_e ≤ 1`` and any Y: ``m(Y) ≥ Σ_e y_e·(z_u + z_v − 1)``, z the indicator of Y,
    so the value is at most ``Σ_e y_e + Σ_{u in Y} (w_u − Σ_{e at u} y_e)``, and that is largest for the `size` largest
    terms. The multipliers come from the linear program whose dual this is (``x_e ≥ z_u + z_v − 1``); they are rounded
    to a grid and the bound is summed in integers, so it does not rest on floating point. With degrees for weights the
    value is the number of edges that Y covers, and the program is nearly integral where degrees are skewed.

    A candidate with ``w_u < w_(size) − (size − 1)`` is in no best set: exchanging it for one of the `size` heaviest
    that is missing gains more than the at most size − 1 pairs that it can cost. Such candidates are left out first.
    The others of one weight are one variable, between 0 and `size`.

    Examples
    --------
    >>> triangle = np.ones((4, 4), bool) ^ np.eye(4, dtype=bool); triangle[3] = triangle[:, 3] = False
    >>> best_set_bound(np.array([2, 2, 2, 1]), triangle, 2, most_edges=9)  # one of the triangle and the loner
    (3, 3)
    """
    if size == 0:
        return 0, 0
    spares = np.full(0 if spare is None else size, spare or 0, dtype=np.int64)
    heaviest = np.sort(np.concatenate((weights, spares)))[::-1]
    least = heaviest[size - 1] - (size - 1)
    kept = np.flatnonzero(weights >= least)
    if spare is not None and spare < least:
        spare, spares = None, spares[:0]
    weights, adjacent = weights[kept], adjacent[np.ix_(kept, kept)]
    np.fill_diagonal(adjacent, False)
    edges = int(np.count_nonzero(adjacent)) // 2
    if spare is None and kept.size == size:
        return int(weights.sum()) - edges, 0
    if edges == 0:
        return int(heaviest[:size].sum()), 0
    if edges <= _FEW_EDGES:
        if edges > most_edges:
            return int(heaviest[:size].sum()), 0
        return _told(weights, _multipliers(weights, adjacent, size, spare), size, spares).bound, edges
    known = np.zeros(adjacent.shape, dtype=np.int64) if multipliers is None else multipliers[np.ix_(kept, kept)]
    bound, took, found = _bound_of_many(weights, adjacent, size, spare, most_edges, spectrum, known * adjacent, near)
    if multipliers is not None and found is not None:
        multipliers[np.ix_(kept, kept)] = found
    return bound, took


class _Told(NamedTuple):
    """What multipliers of the pairs tell."""

    bound: int
    above: int
    """How much the bound is above 0, on the grid, before it is rounded."""
    terms: Ints
    """What each vertex and each spare one adds, on the grid."""


def _told(weights: Ints, multipliers: Ints, size: int, spares: Ints) -> _Told:
    loads = multipliers.sum(axis=1, dtype=np.int64)
    terms = np.concatenate((_GRID * weights - loads, _GRID * spares))
    above = int(loads.sum() // 2 + np.partition(terms, terms.size - size)[terms.size - size :].sum())
    return _Told(above // _GRID, above, terms)


def _bound_of_many(
    weights: Ints,
    adjacent: Bools,
    size: int,
    spare: int | None,
    most_edges: int,
    spectrum: Callable[[], Spectrum | None],
    known: Ints,
    near: float,
) -> tuple[int, int, Ints | None]:
    """Return the bound, what it took, and the multipliers that a program found."""
    n = weights.size
    spares = np.full(0 if spare is None else size, spare or 0, dtype=np.int64)
    told = _told(weights, known, size, spares)
    value, bound, took = value_near(told.terms, weights, adjacent, size, spares), told.bound, n**2 // _PRODUCT
    enough = max(_NEAR, near * value)
    if bound - value <= enough:
        return bound, took, None
    # sets that are better than the known one have all of some, and none of others
    ordered, room = np.sort(told.terms)[::-1], told.above - _GRID * value
    is_in = told.terms[:n] - ordered[size] > room if size < ordered.size else np.ones(n, dtype=np.bool_)
    is_left = ~is_in & (ordered[size - 1] - told.terms[:n] <= room)
    places = size - int(np.count_nonzero(is_in))
    if not 0 < places <= np.count_nonzero(is_left) + spares.size:
        return bound, took, None
    found = None
    if np.count_nonzero(is_left) > _FEWER * n:
        edges = int(np.count_nonzero(adjacent)) // 2
        if edges <= most_edges:
            found, took = _multipliers(weights, adjacent, size, spare), took + max(edges, edges * n // _SLOW)
            bound = min(bound, _told(weights, found, size, spares).bound)
    else:
        beside = np.count_nonzero(adjacent[:, is_in], axis=1)
        inside = int(weights[is_in].sum()) - int(beside[is_in].sum()) // 2
        own, among = weights[is_left] - beside[is_left], adjacent[np.ix_(is_left, is_left)]
        took += int(np.count_nonzero(among)) // 2
        rest = _told(own, _multipliers(own, among, places, spare), places, spares[:places]).bound
        bound = min(bound, max(value, inside + rest))
    if bound - value > _LOOSE * enough:
        convex = convex_set_bound(weights, adjacent, size, spares, spectrum())
        bound, took = min(bound, convex.bound), took + convex.edges
    return bound, took, found


def _multipliers(weights: Ints, adjacent: Bools, size: int, spare: int | None) -> Ints:
    """Return the multipliers of all pairs from the linear program, in units of the grid, shape (n, n)."""
    pairs = np.argwhere(np.triu(adjacent, 1))
    found = np.zeros(adjacent.shape, dtype=np.int64)
    if not pairs.size:
        return found
    edges, most = pairs.shape[0], np.ones(weights.size)
    if spare is not None:
        weights, most = np.append(weights, spare), np.append(most, size)
    vertices = weights.size
    infinite = np.full(edges, np.inf)
    row_ends = np.column_stack((pairs, vertices + np.arange(edges)))
    model = linear_program(
        np.concatenate((-weights.astype(float), np.ones(edges))),
        (np.zeros(vertices + edges), np.concatenate((most, infinite))),
        (np.concatenate((-np.ones(edges), [size])), np.concatenate((infinite, [size]))),
        (
            np.concatenate((np.arange(edges + 1) * 3, [3 * edges + vertices])),
            np.concatenate((row_ends.ravel(), np.arange(vertices))),
            np.concatenate((np.tile([-1.0, -1.0, 1.0], edges), np.ones(vertices))),
        ),
        by_rows=True,
    )
    solver = new_solver(presolve="off")
    solver.passModel(model)
    solver.run()
    duals = np.abs(np.array(solver.getSolution().row_dual[:edges]))
    if duals.size != edges or not np.isfinite(duals).all():
        return found
    found[pairs[:, 0], pairs[:, 1]] = np.clip(np.rint(duals * _GRID), 0, _GRID).astype(np.int64)
    return found + found.T
