"""What a release promises: in public, and to its owner."""

from dataclasses import dataclass
from typing import Literal

from graphkit.arrays import Ints

Scope = Literal["whole", "subset"]


@dataclass(frozen=True, slots=True)
class DegreeClaim:
    """What a release promises in public: a simple graph on n vertices, k-anonymous in degree.

    Nothing in it is protected.

    Notes
    -----
    Degrees are those of the release. Three definitions of "k-anonymous" are chosen by `scope` and `earlier`:

    - the whole graph: every degree that occurs occurs at least k times;
    - a subset X (k-degree-subset anonymity): every vertex of X shares its degree with at least k − 1 other vertices
      *of X*. Vertices outside do not count, since an attacker who knows that a person is in X rules them out;
    - with earlier versions: the *trail* of a vertex is the list of the degrees under which it was published, this
      version last. Every trail that occurs (in X, where a subset is protected) occurs at least k times. "Not there"
      is an entry of a trail like any other, so vertices that are new hide among new ones only. This holds even
      against an attacker who can tell which vertex of one version is which of another. What earlier versions show of
      vertices that have left is not part of the claim.

    References
    ----------
    Liu, Terzi 2008, "Towards identity anonymization on graphs". Chester, Gaertner, Stege, Venkatesh 2012, "Anonymizing
    subsets of social networks with degree constrained subgraphs". Medforth, Wang 2011, "Privacy risk in graph stream
    publishing for social network data" (the degree-trail attack).
    """

    k: int
    n: int
    supergraph: bool = True
    """Whether every edge of the original must be there under the relabelling."""
    scope: Scope = "whole"
    """Who is protected: every vertex, or those of :attr:`Terms.subset`."""
    earlier: int = 0
    """Number of earlier versions that an attacker may hold beside this one."""


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """What a release promises to its owner besides, in vertices of the original; what is None is not promised.

    Protected: with it, hubs can be rebuilt in the released file.
    """

    additions: int | None = None
    """Exact number of edges that are in the release and not in the original."""
    deletions: int | None = None
    """Exact number of edges that are in the original and not in the release."""
    subset: Ints | None = None
    """The vertices that are protected, where the claim's scope is a subset."""
    forbidden_edges: Ints | None = None
    """Shape (f, 2): pairs that are not among the added edges; those of the original may stay."""
    forbidden_vertices: Ints | None = None
    """Vertices at which no edge was added or deleted."""
    max_increase: int | None = None
    """No degree in the release exceeds that in the original by more than this."""
    earlier_degrees: Ints | None = None
    """Shape (n, w): the degree of every vertex in each of the w earlier versions as published; −1 where it was not."""
