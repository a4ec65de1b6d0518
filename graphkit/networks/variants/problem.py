"""The one problem behind all variants: classes that are k-anonymous by themselves, fixed vertices, forbidden pairs."""

from dataclasses import dataclass, replace

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.networks.constraints import Constraints
from graphkit.networks.graphs.graph_view import GraphView


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """A graph seen through its constraints.

    Notes
    -----
    A *class* is a set of protected vertices that an attacker cannot tell apart by anything but their degree: all of
    them, those of a subset, or those with one list of degrees over earlier versions. Within a class every degree that
    occurs must occur at least k times. Vertices of no class may end with any degree.

    A vertex is *fixed* when it is forbidden, or when every pair that could be added at it is forbidden or an edge
    already (and no edge at it may be deleted).
    """

    view: GraphView
    k: int
    constraints: Constraints
    deletions: bool
    degrees: Ints
    classes: Ints
    """Class of each vertex, −1 for vertices that are not protected."""
    class_count: int
    fixed: Bools
    capacity: Ints
    """By how much a degree can grow at most: partners that are allowed, and the largest increase."""
    blocked: frozenset[tuple[int, int]]
    """Forbidden pairs, low index first."""

    @classmethod
    def of(cls, view: GraphView, k: int, constraints: Constraints, *, deletions: bool) -> "Problem":
        """Return the problem of a graph; `constraints` as :meth:`Constraints.checked` returns them."""
        n = view.vertex_count
        degrees = view.degrees(np.arange(n))
        forbidden = _or_empty(constraints.forbidden_vertices)
        near = np.zeros(n, dtype=np.int64)
        for neighbours in view.neighbours(forbidden) if forbidden.size else ():
            near[neighbours] += 1
        free_partners = n - 1 - degrees - (forbidden.size - near)
        pairs = constraints.forbidden_edges
        if pairs is not None and pairs.size:
            touched = np.isin(pairs, forbidden).any(axis=1)
            ends = np.unique(pairs)
            present = {(a, b) for a, b in view.edges_among(ends).tolist()}
            absent = [pair for pair in pairs[~touched].tolist() if tuple(pair) not in present]
            np.subtract.at(free_partners, np.array(absent, dtype=np.int64).ravel(), 1)
        capacity = np.maximum(free_partners, 0)
        if constraints.max_increase is not None:
            capacity = np.minimum(capacity, constraints.max_increase)
        capacity[forbidden] = 0
        fixed = capacity == 0
        if deletions:
            fixed &= degrees - near == 0
        fixed[forbidden] = True
        classes, class_count = _classes(n, constraints)
        blocked = frozenset() if pairs is None else frozenset((a, b) for a, b in pairs.tolist())
        return cls(view, k, constraints, deletions, degrees, classes, class_count, fixed, capacity, blocked)

    @property
    def n(self) -> int:
        """Number of vertices."""
        return int(self.degrees.size)

    @property
    def helpers(self) -> Ints:
        """Vertices that may get any degree: neither protected nor fixed."""
        return np.flatnonzero((self.classes < 0) & ~self.fixed)

    def largest_increase(self) -> int | None:
        """Return a bound on the growth of every vertex, or None where none is worth knowing."""
        if self.deletions:
            return self.constraints.max_increase
        return int(self.capacity.max(initial=0))

    def most_partners_inside(self) -> int | None:
        """Return how many new edges to other protected vertices one of them can have at most; None where all can grow.

        Only where some vertices need no protection and nothing is deleted does this say more than the capacity.
        """
        if self.constraints.subset is None or self.deletions:
            return None
        inside = np.flatnonzero((self.classes >= 0) & ~self.fixed)
        present = np.bincount(self.view.edges_among(inside).ravel(), minlength=self.n)[inside]
        return int((inside.size - 1 - present).max(initial=0))

    def grown(self, degrees: Ints, capacity: Ints) -> "Problem":
        """Return the same problem with other degrees and room left; what has no room is fixed."""
        return replace(self, degrees=degrees, capacity=capacity, fixed=self.fixed | (capacity <= 0))

    def small_classes(self) -> int:
        """Return how many classes have fewer than k vertices: nothing can hide those."""
        sizes = np.bincount(self.classes[self.classes >= 0], minlength=self.class_count)
        return int((sizes < self.k).sum())

    def block_keys(self, classes: Ints, degrees: Ints) -> Ints:
        """Return a number for each pair of a class and a degree, ascending by class, then degree."""
        return classes * np.int64(self.n + 1) + degrees

    def is_anonymous(self, degrees: Ints) -> bool:
        """Whether every class is k-anonymous with these degrees."""
        protected = self.classes >= 0
        if not protected.any():
            return True
        keys = self.block_keys(self.classes[protected], degrees[protected])
        return int(np.unique(keys, return_counts=True)[1].min()) >= self.k

    def blocked_among(self, vertices: Ints) -> Ints:
        """Return the forbidden pairs with both ends in `vertices`, shape (f, 2)."""
        pairs = self.constraints.forbidden_edges
        if pairs is None or pairs.size == 0:
            return np.empty((0, 2), dtype=np.int64)
        return pairs[np.isin(pairs, vertices).all(axis=1)]

    def respects(self, added: Ints, deleted: Ints) -> bool:
        """Whether a change touches nothing that it must not touch, and leaves every class k-anonymous.

        That the added pairs are no edges of the graph, and the deleted ones are, is left to the verifier.
        """
        gain = np.bincount(added.ravel(), minlength=self.n) - np.bincount(deleted.ravel(), minlength=self.n)
        forbidden = _or_empty(self.constraints.forbidden_vertices)
        bound = self.constraints.max_increase
        return (
            not any((a, b) in self.blocked for a, b in added.tolist())
            and not np.isin(added, forbidden).any()
            and not np.isin(deleted, forbidden).any()
            and (bound is None or int(gain.max(initial=0)) <= bound)
            and self.is_anonymous(self.degrees + gain)
        )


def pair_of(a: int, b: int) -> tuple[int, int]:
    """Return an edge, low index first."""
    return (a, b) if a < b else (b, a)


def _or_empty(vertices: Ints | None) -> Ints:
    return np.empty(0, dtype=np.int64) if vertices is None else vertices


def _classes(n: int, constraints: Constraints) -> tuple[Ints, int]:
    """Return the class of every vertex and how many there are."""
    members = np.arange(n) if constraints.subset is None else constraints.subset
    classes = np.full(n, -1, dtype=np.int64)
    if constraints.earlier_degrees is None or members.size == 0:
        classes[members] = 0
        return classes, 1 if members.size else 0
    trails, inverse = np.unique(constraints.earlier_degrees[members], axis=0, return_inverse=True)
    classes[members] = inverse.ravel()
    return classes, int(trails.shape[0])
