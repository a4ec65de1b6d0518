"""The vertices below the hubs, by degree and by how many hubs of each set they can be joined to."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.networks.graphs.graph_view import GraphView

MEMBER = -1


@dataclass(frozen=True, slots=True, eq=False)
class LowerVertices:
    """Vertices in kinds: those of one kind have the same degree, and as many partners in every set."""

    vertices: Ints
    """Ascending, shape (v,)."""
    kind: Ints
    """Index of the kind of each, shape (v,)."""
    degrees: Ints
    """Of every kind, shape (q,)."""
    partners: Ints
    """Vertices of each set that one of the kind can be joined to, `MEMBER` for those in it, shape (q, s)."""
    counts: Ints
    """Vertices of every kind, shape (q,)."""

    @classmethod
    def outside(cls, view: GraphView, hubs: Ints, sets: Sequence[Ints]) -> "LowerVertices":
        """Return all vertices but these hubs, with their partners in sets of any vertices.

        Notes
        -----
        Two queries to the view, O(n) for each set and O(n log n) in all.
        """
        number = view.vertex_count
        lower = np.setdiff1d(np.arange(number), hubs)
        everyone = np.unique(np.concatenate(sets))
        near = dict(zip(everyone.tolist(), view.neighbours(everyone), strict=True))
        columns = [view.degrees(lower)]
        for members in sets:
            joined = np.bincount(np.concatenate([near[v] for v in members.tolist()]), minlength=number)
            columns.append(np.where(np.isin(lower, members), MEMBER, members.size - joined[lower]))
        kinds, kind, counts = np.unique(np.column_stack(columns), axis=0, return_inverse=True, return_counts=True)
        return cls(lower, kind.reshape(-1), kinds[:, 0], kinds[:, 1:], counts)

    def with_demands(self, kind: Ints, demands: Ints, numbers: Ints, rng: Rng) -> tuple[Ints, Ints]:
        """Return vertices and their demands, where so many of a kind, drawn at random, have each demand.

        Parameters
        ----------
        kind, demands, numbers : ndarray of int64, shape (m,)
            The numbers of a kind sum up to its count.
        rng : numpy.random.Generator
            Who of a kind gets which demand.
        """
        # the members of a kind one after another, each kind in a random order
        order = np.lexsort((rng.permutation(self.vertices.size), self.kind))
        by_kind = np.argsort(kind, kind="stable")
        asked = np.repeat(demands[by_kind], numbers[by_kind])
        has_demand = asked > 0
        return self.vertices[order][has_demand], asked[has_demand]
