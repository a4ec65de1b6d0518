"""The linear program of what a set can weigh when pairs inside it count against it."""

from typing import Any

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.bounds._set_question import SetQuestion
from graphkit.solver import linear_program, new_solver


def pairs_of(question: SetQuestion) -> Ints:
    """Return the adjacent pairs, the lower number first, shape (e, 2)."""
    return np.argwhere(np.triu(question.adjacent, 1))


def pair_program(question: SetQuestion, pairs: Ints) -> Any:
    """Return a solver with the program: least ``Σ_e x_e − Σ_u w_u z_u`` with ``x_e ≥ z_u + z_v − 1``.

    Parameters
    ----------
    question : SetQuestion
        Its spare vertices are of one weight.
    pairs : ndarray of int64, shape (e, 2)
        The adjacent pairs.

    Notes
    -----
    Columns are the z of every vertex, one for all spare ones together if there are any, and the x of every pair. Rows
    are those of the pairs, and last that of the size.
    """
    edges, weights, most = pairs.shape[0], question.weights.astype(np.float64), np.ones(question.n)
    if question.spares.size:
        weights, most = np.append(weights, question.spares[0]), np.append(most, question.spares.size)
    vertices, infinite = weights.size, np.full(edges, np.inf)
    row_ends = np.column_stack((pairs, vertices + np.arange(edges)))
    model = linear_program(
        np.concatenate((-weights, np.ones(edges))),
        (np.zeros(vertices + edges), np.concatenate((most, infinite))),
        (np.append(-np.ones(edges), question.size), np.append(infinite, question.size)),
        (
            np.append(3 * np.arange(edges + 1), 3 * edges + vertices),
            np.concatenate((row_ends.ravel(), np.arange(vertices))),
            np.concatenate((np.tile([-1.0, -1.0, 1.0], edges), np.ones(vertices))),
        ),
        by_rows=True,
    )
    solver = new_solver(presolve="off")
    solver.passModel(model)
    return solver
