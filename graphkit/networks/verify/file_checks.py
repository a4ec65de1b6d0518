"""What the file says by itself: are its vertices the ids that were promised, and is it a simple graph?"""

from __future__ import annotations

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.verify.check import Check


def vertex_check(n: int, vertices: Ints) -> Check:
    """Check that the ids of a file are 0 to n − 1, each once."""
    passed = vertices.size == n and bool(np.array_equal(np.sort(vertices), np.arange(n)))
    return Check("vertices", passed, "the ids are 0 to n-1, each once" if passed else "the ids are not 0 to n-1")


def simple_check(n: int, edges: Ints) -> Check:
    """Check that edges join two different vertices below n, and no two vertices twice."""
    if edges.ndim != 2 or edges.shape[1] != 2:
        return Check("simple", False, "the edges are not pairs")
    if edges.size and (int(edges.min()) < 0 or int(edges.max()) >= n):
        return Check("simple", False, "an edge names an id that is no vertex")
    if np.any(edges[:, 0] == edges[:, 1]):
        return Check("simple", False, "there is a loop")
    keys = np.sort(edge_keys(edges, n))
    if np.any(keys[1:] == keys[:-1]):
        return Check("simple", False, "an edge occurs twice")
    return Check("simple", True, "no loop, no edge twice, every end a vertex")


def edge_keys(edges: Ints, n: int) -> Ints:
    """Return one number an edge, the same for both directions."""
    return np.minimum(edges[:, 0], edges[:, 1]) * np.int64(max(n, 1)) + np.maximum(edges[:, 0], edges[:, 1])
