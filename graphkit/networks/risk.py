"""How exposed the vertices of a network are to somebody who knows a degree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graphkit.errors import InvalidInput

__all__ = ["DegreeRisk", "degree_risk", "is_k_anonymous"]


@dataclass(frozen=True, slots=True, eq=False)
class DegreeRisk:
    """Exposure of a network to an attacker who knows the degree of one vertex.

    Every field counts; none names a vertex. The block sequence and the curve of an
    original network are protected all the same: hubs can be rebuilt from them.
    """

    n: int
    k: int
    block_sequence: NDArray[np.int64]
    """``block_sequence[d]`` vertices have degree d."""
    vertices_below_k: int
    """Vertices in non-empty blocks of fewer than k."""
    blocks_below_k: int
    """Non-empty blocks of fewer than k vertices."""
    unique_vertices: int
    """Vertices that are the only one of their degree."""
    smallest_block: int
    """Size of the smallest non-empty block: the largest k for which the network is k-anonymous; 0 without vertices."""
    reidentification_rate: float
    """Share of vertices that a guess within the right block hits: non-empty blocks / n; 0 without vertices."""
    curve_k: NDArray[np.int64]
    """Values of k at which the curve below changes, ascending, from 2."""
    curve_below: NDArray[np.int64]
    """``curve_below[i]`` vertices are in blocks of fewer than ``curve_k[i]``; constant up to the next value."""

    @property
    def share_below_k(self) -> float:
        """Share of vertices in blocks of fewer than k; 0 without vertices."""
        return self.vertices_below_k / self.n if self.n else 0.0

    @property
    def is_anonymous(self) -> bool:
        """Whether the network is k-anonymous."""
        return self.vertices_below_k == 0

    def below(self, k: int) -> int:
        """Return the number of vertices in blocks of fewer than `k`."""
        return int(self.block_sequence[self.block_sequence < k].sum())


def degree_risk(block_sequence: ArrayLike, k: int) -> DegreeRisk:
    """Return the degree risk of a network.

    Parameters
    ----------
    block_sequence : array_like of int, shape (Δ+1,)
        ``block_sequence[d]`` vertices have degree d.
    k : int
        Required block size, at least 2.

    Raises
    ------
    InvalidInput
        If `k` is below 2 or a block size is negative.

    Notes
    -----
    O(Δ log Δ) time. A network without vertices is k-anonymous for every k.

    Examples
    --------
    >>> risk = degree_risk([0, 3, 1, 4], k=2)
    >>> risk.vertices_below_k, risk.smallest_block, risk.is_anonymous
    (1, 1, False)
    >>> risk.curve_k.tolist(), risk.curve_below.tolist()
    ([2, 4, 5], [1, 4, 8])
    """
    if k < 2:
        raise InvalidInput(f"k ({k}) must be at least 2")
    blocks = np.asarray(block_sequence, dtype=np.int64)
    if blocks.size and int(blocks.min()) < 0:
        raise InvalidInput("a block size is negative")
    sizes = np.sort(blocks[blocks > 0])
    n = int(sizes.sum())
    distinct = np.unique(sizes)
    # a block of size s is below every k > s: the curve steps up at s + 1
    below = np.cumsum(sizes)[np.searchsorted(sizes, distinct, side="right") - 1] if sizes.size else sizes
    curve_k = distinct + 1
    if curve_k.size == 0 or curve_k[0] != 2:
        curve_k, below = np.concatenate(([2], curve_k)), np.concatenate(([0], below))
    return DegreeRisk(
        n=n,
        k=k,
        block_sequence=blocks,
        vertices_below_k=int(sizes[sizes < k].sum()),
        blocks_below_k=int((sizes < k).sum()),
        unique_vertices=int((sizes == 1).sum()),
        smallest_block=int(sizes[0]) if sizes.size else 0,
        reidentification_rate=sizes.size / n if n else 0.0,
        curve_k=curve_k,
        curve_below=below,
    )


def is_k_anonymous(block_sequence: ArrayLike, k: int) -> bool:
    """Whether every block is empty or holds at least `k` vertices.

    Examples
    --------
    >>> is_k_anonymous([0, 3, 0, 4], 3), is_k_anonymous([0, 3, 1, 4], 3)
    (True, False)
    """
    blocks = np.asarray(block_sequence)
    return bool(np.all((blocks == 0) | (blocks >= k)))
