"""The largest eigenvalues of the adjacency matrix: how fast things spread, and between what."""

import numpy as np
from scipy.sparse.linalg import ArpackNoConvergence, eigsh

from graphkit.arrays import Floats
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.utility.aspect import Aspect, Differences
from graphkit.networks.utility.measure import Distance, Measure

_NUMBER = 10
_DENSE = 400
"""Number of vertices up to which all eigenvalues are computed at once."""
_DIGITS = 8
"""Significant digits that the iteration finds whatever its start."""


def largest_eigenvalues(graph: SimpleGraph, number: int = _NUMBER) -> Floats | None:
    """Return the algebraically largest eigenvalues of the adjacency matrix, descending; None if they were not found.

    Parameters
    ----------
    graph : SimpleGraph
        The graph.
    number : int, optional
        How many; fewer where the graph has fewer vertices.

    Notes
    -----
    Dense up to 400 vertices, O(n³); otherwise Lanczos with a fixed start vector and restarts, O(m + n) an iteration.

    Examples
    --------
    >>> largest_eigenvalues(SimpleGraph.from_edges([(0, 1), (1, 2), (0, 2)]), 2).tolist()
    [2.0, -1.0]

    References
    ----------
    Lehoucq, Sorensen, Yang 1998, "ARPACK users' guide".
    """
    n = graph.n
    if graph.m == 0:
        return np.zeros(min(n, number))
    matrix = graph.to_scipy().astype(np.float64)
    if n <= max(_DENSE, number + 1):
        found = np.linalg.eigvalsh(matrix.toarray())[-number:]
    else:
        # all ones would lie in an eigenspace of a regular graph
        start = np.random.default_rng(0).random(n)
        try:
            found = eigsh(matrix, number, which="LA", v0=start, return_eigenvectors=False, maxiter=1000)
        except ArpackNoConvergence:
            return None
    # ARPACK keeps a random state from call to call for its restarts; digits that depend on it are left out
    scale = 10.0 ** (_DIGITS - 1 - np.floor(np.log10(max(float(np.abs(found).max()), 1.0))))
    rounded: Floats = np.round(np.sort(found)[::-1] * scale) / scale + 0.0
    return rounded


def _figures(found: Floats | None) -> tuple[Measure, ...]:
    note = "the iteration did not end" if found is None else "too few vertices"
    values = [] if found is None else found[:2].tolist()
    names = ("largest eigenvalue", "second largest eigenvalue")
    return tuple(
        Measure(name, values[i]) if i < len(values) else Measure(name, None, note=note) for i, name in enumerate(names)
    )


def _differences(before: Floats | None, after: Floats | None, paired: bool) -> Differences:
    if before is None or after is None or before.size != after.size or not before.any():
        return Differences()
    distance = float(np.linalg.norm(after - before) / np.linalg.norm(before))
    return Differences((Distance(f"{before.size} largest eigenvalues, relative", distance),))


SPECTRUM = Aspect(lambda subject: largest_eigenvalues(subject.graph), _figures, _differences)
