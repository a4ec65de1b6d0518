"""An upper bound on what a set of given size can weigh when edges inside it count against it."""

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.solver import linear_program, new_solver

# multipliers are rounded to this grid, so that the bound is computed in integers and proven whatever the solver returns
_GRID = 256


def best_set_bound(
    weights: Ints, adjacent: Bools, size: int, *, most_edges: int, spare: int | None = None
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
        Where more pairs than this are adjacent, the edges are left out of account.
    spare : int, optional
        Weight of others that are adjacent to nobody, of which there are as many as are wanted.

    Returns
    -------
    bound : int
        The upper bound.
    edges : int
        Edges in the linear program that was solved; 0 where none was needed.

    Notes
    -----
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
    weights = weights[kept]
    pairs = np.argwhere(np.triu(adjacent[np.ix_(kept, kept)], 1))
    if pairs.shape[0] > most_edges or pairs.shape[0] == 0:
        return int(heaviest[:size].sum()), 0
    if spare is None and kept.size == size:
        return int(weights.sum()) - pairs.shape[0], 0
    multipliers = _multipliers(weights, pairs, size, spare)
    loads = np.zeros(kept.size, dtype=np.int64)
    np.add.at(loads, pairs.ravel(), np.repeat(multipliers, 2))
    terms = np.sort(_GRID * np.concatenate((weights, spares)) - np.concatenate((loads, np.zeros_like(spares))))
    return int((multipliers.sum() + terms[::-1][:size].sum()) // _GRID), pairs.shape[0]


def _multipliers(weights: Ints, pairs: Ints, size: int, spare: int | None) -> Ints:
    """Return the multipliers of the pairs from the linear program, in units of the grid."""
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
    solver = new_solver()
    solver.passModel(model)
    solver.run()
    duals = np.abs(np.array(solver.getSolution().row_dual[:edges]))
    if duals.size != edges or not np.isfinite(duals).all():
        return np.zeros(edges, dtype=np.int64)
    multipliers: Ints = np.clip(np.rint(duals * _GRID), 0, _GRID).astype(np.int64)
    return multipliers
