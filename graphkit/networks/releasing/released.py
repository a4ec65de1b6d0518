"""A released network, and the key that stays with its owner."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphkit.arrays import Ints
from graphkit.frames import FrameLibrary, frame_of_columns
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.result import Anonymization
from graphkit.networks.verify import DegreeClaim, Verification
from graphkit.presentation import Presentable, new_axes


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ReleasedNetwork(Presentable):
    """A network that may leave the house, checked against its claim.

    Nothing in it tells which edges are new: ids are drawn anew, edges are in the order of those ids, and it holds
    neither their number nor a bound, a seed, a name or the original.
    """

    graph: SimpleGraph
    """The released network; its vertices are ``0 .. n-1``."""
    claim: DegreeClaim
    """What it promises in public."""
    verification: Verification
    """The checks of it, all passed; made by code that imports no engine."""

    _figures = ("k", "n", "m", "verified")

    @property
    def k(self) -> int:
        """Every degree that occurs occurs at least k times."""
        return self.claim.k

    @property
    def n(self) -> int:
        """Number of vertices."""
        return self.graph.n

    @property
    def m(self) -> int:
        """Number of edges."""
        return self.graph.m

    @property
    def edges(self) -> Ints:
        """Each edge once, low id first, ascending, shape (m, 2)."""
        return self.graph.edges

    @property
    def verified(self) -> bool:
        """Whether every check passed; always so."""
        return self.verification.passed

    def to_igraph(self) -> Any:
        """Return the released network as :class:`igraph.Graph`."""
        return self.graph.to_igraph()

    def to_networkx(self) -> Any:
        """Return the released network as :class:`networkx.Graph`."""
        return self.graph.to_networkx()

    def to_scipy(self) -> Any:
        """Return the adjacency matrix of the released network as :class:`scipy.sparse.csr_array`."""
        return self.graph.to_scipy()

    def to_frame(self, library: FrameLibrary = "pandas") -> Any:
        """Return the released edges as a frame; isolated vertices are not in it, so publish :attr:`n` with it."""
        return self.graph.to_frame(library)

    def plot(self, axes: Any = None) -> Any:
        """Draw how many vertices of the released network have each degree, and k; return the axes.

        Needs the extra `plot`.
        """
        axes = new_axes(axes)
        blocks = self.graph.block_sequence()
        degrees = np.flatnonzero(blocks)
        axes.vlines(degrees, 0, blocks[degrees])
        axes.plot(degrees, blocks[degrees], "o", markersize=3)
        axes.axhline(self.k, linestyle="--", linewidth=1, color="black", label=f"k = {self.k}")
        axes.set(xlabel="degree", ylabel="vertices", yscale="log", title="The released network")
        axes.legend()
        return axes

    def __repr__(self) -> str:
        """Return the figures that may be public."""
        return f"ReleasedNetwork(k={self.k}, vertices={self.n}, edges={self.m}, verified={self.verified})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ReleaseKey:
    """Who is who in a released network, and what was added. As protected as the original: it stays with its owner."""

    published: Ints
    """``published[v]`` is the id under which vertex v of the original was released."""
    names: NDArray[np.object_]
    """``names[v]`` is the name of vertex v in the original."""
    result: Anonymization
    """What the engine answered: the added edges in vertices of the original, and the bound proven on their number."""

    def to_frame(self, library: FrameLibrary = "pandas") -> Any:
        """Return the columns `original` (name) and `published` (id) as a frame, in the order of the original."""
        return frame_of_columns({"original": self.names, "published": self.published}, library)

    def to_dict(self) -> dict[Any, int]:
        """Return the id under which each name was released."""
        return dict(zip(self.names.tolist(), self.published.tolist(), strict=True))

    def __repr__(self) -> str:
        """Return what may be seen by chance: nobody."""
        return f"ReleaseKey(of {self.published.size} vertices; keep it with the original)"

    def _repr_html_(self) -> str:
        return f"<p>{self!r}</p>"
