"""Independent check of a release: from the original, what was written and the claim alone.

This module imports no engine. It may only share the graph type with the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphkit.networks.graph import SimpleGraph

__all__ = ["Check", "DegreeClaim", "Verification", "verify_release"]


@dataclass(frozen=True, slots=True)
class DegreeClaim:
    """What a release promises: a simple graph on n vertices, k-anonymous in degree, that contains the original."""

    k: int
    n: int
    supergraph: bool = True
    """Whether every edge of the original must be there under the relabelling."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked, and whether it holds. The text holds no protected value."""

    name: str
    passed: bool
    text: str


@dataclass(frozen=True, slots=True)
class Verification:
    """All checks of one release."""

    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether every check holds."""
        return all(check.passed for check in self.checks)


def verify_release(
    claim: DegreeClaim,
    edges: NDArray[np.int64],
    vertices: NDArray[np.int64],
    original: SimpleGraph | None = None,
    published: NDArray[np.int64] | None = None,
) -> Verification:
    """Return the checks of a release against its claim.

    Parameters
    ----------
    claim : DegreeClaim
        What was promised.
    edges : ndarray of int64, shape (m, 2)
        Edges exactly as read back from the file: nothing sorted, dropped or merged.
    vertices : ndarray of int64
        Vertex ids exactly as read back; isolated vertices included.
    original : SimpleGraph, optional
        The graph that was protected; without it the claim of containment is not checked and fails if it was made.
    published : ndarray of int64, shape (n,)
        ``published[v]`` is the id under which vertex v of the original was published.

    Notes
    -----
    O(m log m). Degrees are counted here, anew, from the edges.

    Examples
    --------
    >>> claim = DegreeClaim(k=2, n=4)
    >>> original = SimpleGraph.from_edges([(0, 1)], n=4)
    >>> check = verify_release(claim, np.array([[0, 1], [2, 3]]), np.arange(4), original, np.array([2, 3, 0, 1]))
    >>> check.passed
    True
    """
    checks = [_vertex_check(claim, vertices), _simple_check(edges, claim.n)]
    if all(check.passed for check in checks):
        checks.append(_anonymity_check(claim, edges))
        if claim.supergraph:
            checks.append(_containment_check(claim, edges, original, published))
    return Verification(tuple(checks))


def _vertex_check(claim: DegreeClaim, vertices: NDArray[np.int64]) -> Check:
    passed = vertices.size == claim.n and bool(np.array_equal(np.sort(vertices), np.arange(claim.n)))
    return Check("vertices", passed, "the ids are 0 to n-1, each once" if passed else "the ids are not 0 to n-1")


def _simple_check(edges: NDArray[np.int64], n: int) -> Check:
    if edges.ndim != 2 or edges.shape[1] != 2:
        return Check("simple", False, "the edges are not pairs")
    if edges.size and (int(edges.min()) < 0 or int(edges.max()) >= n):
        return Check("simple", False, "an edge names an id that is no vertex")
    if np.any(edges[:, 0] == edges[:, 1]):
        return Check("simple", False, "there is a loop")
    if np.unique(_keys(edges, n)).size != edges.shape[0]:
        return Check("simple", False, "an edge occurs twice")
    return Check("simple", True, "no loop, no edge twice, every end a vertex")


def _anonymity_check(claim: DegreeClaim, edges: NDArray[np.int64]) -> Check:
    degrees = np.bincount(edges.ravel(), minlength=claim.n)
    _, sizes = np.unique(degrees, return_counts=True)
    passed = sizes.size == 0 or int(sizes.min()) >= claim.k
    text = f"every degree that occurs occurs at least {claim.k} times"
    return Check("k-anonymous", passed, text if passed else f"a degree occurs fewer than {claim.k} times")


def _containment_check(
    claim: DegreeClaim, edges: NDArray[np.int64], original: SimpleGraph | None, published: NDArray[np.int64] | None
) -> Check:
    if original is None or published is None:
        return Check("contains the original", False, "the original or the relabelling is not at hand")
    if original.n != claim.n or not np.array_equal(np.sort(published), np.arange(claim.n)):
        return Check("contains the original", False, "the relabelling does not map the vertices one to one")
    wanted = _keys(published[original.edges], claim.n)
    passed = bool(np.isin(wanted, _keys(edges, claim.n)).all())
    text = "every edge of the original is there under the relabelling"
    return Check("contains the original", passed, text if passed else "an edge of the original is missing")


def _keys(edges: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Return one number an edge, the same for both directions."""
    return np.minimum(edges[:, 0], edges[:, 1]) * np.int64(max(n, 1)) + np.maximum(edges[:, 0], edges[:, 1])
