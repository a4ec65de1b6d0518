"""A change of a degree sequence: how many vertices go from which degree to which."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Ints
from graphkit.errors import BrokenClaim


@dataclass(frozen=True, slots=True, eq=False)
class DegreeRaises:
    """``count[i]`` vertices are raised from degree ``source[i]`` to ``target[i]``.

    Rows are distinct pairs with ``source < target`` and ``count > 0``, ordered by source, then target.
    """

    source: Ints
    target: Ints
    count: Ints

    @property
    def cost(self) -> int:
        """Sum of all demands: twice the number of new edges."""
        return int(((self.target - self.source) * self.count).sum())


def merge_raises(source: Ints, target: Ints, count: Ints) -> DegreeRaises:
    """Return degree raises in canonical form from rows in any order, with repeated pairs and empty rows."""
    used = (count > 0) & (target > source)
    source, target, count = source[used], target[used], count[used]
    if source.size == 0:
        empty = np.empty(0, dtype=np.int64)
        return DegreeRaises(empty, empty, empty)
    pairs, row = np.unique(np.column_stack((source, target)), axis=0, return_inverse=True)
    total = np.zeros(pairs.shape[0], dtype=np.int64)
    np.add.at(total, row.ravel(), count)
    return DegreeRaises(pairs[:, 0].copy(), pairs[:, 1].copy(), total)


def apply_raises(block_sequence: Ints, raises: DegreeRaises) -> Ints:
    """Return the block sequence after the degree raises.

    Raises
    ------
    BrokenClaim
        If more vertices leave a block than are in it.

    Examples
    --------
    >>> raises = merge_raises(np.array([0, 0]), np.array([1, 1]), np.array([1, 1]))
    >>> apply_raises(np.array([4, 1]), raises).tolist()
    [2, 3]
    """
    size = max(block_sequence.size, int(raises.target.max(initial=-1)) + 1)
    result = np.zeros(size, dtype=np.int64)
    result[: block_sequence.size] = block_sequence
    np.subtract.at(result, raises.source, raises.count)
    leavers = np.bincount(raises.source, weights=raises.count, minlength=block_sequence.size).astype(np.int64)
    if np.any(leavers > block_sequence[: leavers.size]):
        raise BrokenClaim("more vertices are raised out of a block than it holds")
    np.add.at(result, raises.target, raises.count)
    occupied = np.flatnonzero(result)
    return result[: int(occupied[-1]) + 1] if occupied.size else result[:0]


def demand_counts(raises: DegreeRaises) -> Ints:
    """Return c with ``c[d]`` vertices of demand d > 0; ``c[0]`` is 0.

    Examples
    --------
    >>> demand_counts(merge_raises(np.array([0, 3]), np.array([1, 5]), np.array([2, 1]))).tolist()
    [0, 2, 1]
    """
    demand = raises.target - raises.source
    return np.bincount(demand, weights=raises.count).astype(np.int64) if demand.size else np.zeros(1, dtype=np.int64)
