"""Candidate sets: vertices that an attacker with a certain knowledge cannot tell apart, and the risk that follows."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from graphkit.arrays import Ints
from graphkit.parameters import check_block_size
from graphkit.presentation import Presentable, new_axes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CandidateRisk(Presentable):
    """Exposure of a network to an attacker with some knowledge about one vertex.

    Every field counts; none names a vertex. Where `undecided` is not 0, vertices that were counted as candidates of
    each other may be told apart after all: the risk is then at least what the figures say.
    """

    n: int
    """Vertices that may be looked for."""
    k: int
    classes: int
    """Candidate sets; a lower bound where some are undecided."""
    vertices_below_k: int
    """Vertices with fewer than k candidates, themselves included; a lower bound where some are undecided."""
    classes_below_k: int
    """Candidate sets of fewer than k vertices."""
    unique_vertices: int
    """Vertices that are the only candidate; a lower bound where some are undecided."""
    smallest_class: int
    """Size of the smallest candidate set; 0 without vertices; an upper bound where some are undecided."""
    reidentification_rate: float
    """Share of vertices that a guess within the right set hits: classes / n; 0 without vertices."""
    curve_k: Ints
    """Values of k at which the curve below changes, ascending, from 2."""
    curve_below: Ints
    """``curve_below[i]`` vertices are in sets of fewer than ``curve_k[i]``; constant up to the next value."""
    undecided: int = 0
    """Vertices whose candidate set may be smaller than counted, because a work limit was reached."""

    _figures = ("n", "k", "vertices_below_k", "share_below_k", "unique_vertices", "smallest_class", "is_anonymous")
    _derived = ("share_below_k", "is_anonymous")

    @property
    def share_below_k(self) -> float:
        """Share of vertices in sets of fewer than k; 0 without vertices."""
        return self.vertices_below_k / self.n if self.n else 0.0

    @property
    def is_anonymous(self) -> bool:
        """Whether no candidate set that was found has fewer than k vertices."""
        return self.vertices_below_k == 0

    def below(self, k: int) -> int:
        """Return the number of vertices in sets of fewer than `k`."""
        place = int(np.searchsorted(self.curve_k, k, side="right")) - 1
        return int(self.curve_below[place]) if place >= 0 else 0

    def share_below(self, k: int) -> float:
        """Return the share of vertices in sets of fewer than `k`; 0 without vertices."""
        return self.below(k) / self.n if self.n else 0.0

    def share_below_at_most(self, k: int) -> float:
        """Return what :meth:`share_below` can be at most: the undecided vertices counted as singled out."""
        return min(self.n, self.below(k) + self.undecided) / self.n if self.n else 0.0

    def plot(self, axes: Any = None) -> Any:
        """Draw which share of the vertices has fewer than k candidates, for every k, and the k asked for; return axes.

        Needs the extra `plot`. The curve of an original network is protected.
        """
        axes = new_axes(axes)
        shares = self.curve_below / self.n if self.n else self.curve_below
        axes.step(self.curve_k, shares, where="post")
        axes.axvline(self.k, linestyle="--", linewidth=1, color="black", label=f"k = {self.k}")
        axes.set(xlabel="k", ylabel="share of vertices below k", xscale="log", ylim=(0, None))
        axes.legend()
        return axes


@dataclass(frozen=True, slots=True, eq=False)
class CandidateSets:
    """Partition of the vertices into sets that an attacker cannot tell apart. Protected: it names vertices."""

    class_of: Ints
    """Number of each vertex's set, shape (n,): 0, 1, … without gaps; −1 for a vertex that is not looked for."""
    undecided: int = 0
    """Vertices whose set may be smaller, because a work limit was reached."""

    def sizes(self) -> Ints:
        """Return the size of each set."""
        return np.bincount(self.class_of[self.class_of >= 0]).astype(np.int64, copy=False)

    def candidates(self) -> Ints:
        """Return how many candidates each vertex has, itself included, shape (n,); 0 where it is not looked for."""
        # the last place is the one that −1 means
        return np.append(self.sizes(), 0)[self.class_of]

    def below(self, k: int) -> Ints:
        """Return the vertices in sets of fewer than `k`, ascending. Protected."""
        return np.flatnonzero((self.class_of >= 0) & (self.candidates() < k))

    def risk(self, k: int) -> CandidateRisk:
        """Return the figures.

        Parameters
        ----------
        k : int
            Required size of a candidate set, at least 2.

        Raises
        ------
        InvalidInput
            If `k` is no whole number or below 2.

        Examples
        --------
        >>> risk = CandidateSets(np.array([0, 1, 1, 2, 2, 2])).risk(k=3)
        >>> risk.classes, risk.vertices_below_k, risk.unique_vertices, risk.reidentification_rate
        (3, 3, 1, 0.5)
        """
        return CandidateRisk(undecided=self.undecided, **candidate_figures(self.sizes(), k))


def candidate_figures(sizes: ArrayLike, k: int) -> dict[str, Any]:
    """Return the fields of :class:`CandidateRisk` that follow from the sizes of the candidate sets.

    Parameters
    ----------
    sizes : array_like of int
        Size of each candidate set; 0 is no set.
    k : int
        Required size, at least 2.

    Raises
    ------
    InvalidInput
        If `k` is no whole number or below 2.

    Notes
    -----
    O(c log c) time for c sets.
    """
    check_block_size(k)
    sizes = np.asarray(sizes, dtype=np.int64)
    sizes = np.sort(sizes[sizes > 0])
    n = int(sizes.sum())
    distinct = np.unique(sizes)
    # a set of size s is below every k > s: the curve steps up at s + 1
    below = np.cumsum(sizes)[np.searchsorted(sizes, distinct, side="right") - 1] if sizes.size else sizes
    curve_k = distinct + 1
    if curve_k.size == 0 or curve_k[0] != 2:
        curve_k, below = np.concatenate(([2], curve_k)), np.concatenate(([0], below))
    return {
        "n": n,
        "k": k,
        "classes": int(sizes.size),
        "vertices_below_k": int(sizes[sizes < k].sum()),
        "classes_below_k": int((sizes < k).sum()),
        "unique_vertices": int((sizes == 1).sum()),
        "smallest_class": int(sizes[0]) if sizes.size else 0,
        "reidentification_rate": sizes.size / n if n else 0.0,
        "curve_k": curve_k,
        "curve_below": below,
    }
