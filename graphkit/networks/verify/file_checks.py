"""What the file says by itself: are its vertices the ids that were promised, and is it a simple graph?"""

from collections.abc import Iterator

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.verify.check import ids_check, simplicity_check
from graphkit.verification import Check


def vertex_check(n: int, vertices: Ints) -> Check:
    """Check that the ids of a file are 0 to n − 1, each once."""
    passed = vertices.size == n and bool(np.array_equal(np.sort(vertices), np.arange(n)))
    return ids_check(passed)


def simple_check(n: int, edges: Ints) -> Check:
    """Check that edges join two different vertices below n, and no two vertices twice."""
    if edges.ndim != 2 or edges.shape[1] != 2:
        return Check("simple", False, "the edges are not pairs")
    return simplicity_check(_faults(n, edges))


def _faults(n: int, edges: Ints) -> Iterator[bool]:
    yield edges.size > 0 and (int(edges.min()) < 0 or int(edges.max()) >= n)
    yield bool(np.any(edges[:, 0] == edges[:, 1]))
    keys = np.sort(edge_keys(edges, n))
    yield bool(np.any(keys[1:] == keys[:-1]))


def edge_keys(edges: Ints, n: int) -> Ints:
    """Return one number an edge, the same for both directions."""
    return np.minimum(edges[:, 0], edges[:, 1]) * np.int64(max(n, 1)) + np.maximum(edges[:, 0], edges[:, 1])
