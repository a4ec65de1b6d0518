"""A change of a degree sequence: how many vertices go from which degree to which."""

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


def natural_raises(before: Ints, after: Ints) -> DegreeRaises:
    """Return the degree raises from the sorted degrees of one block sequence to the sorted ones of another.

    Parameters
    ----------
    before, after : ndarray of int64
        Block sequences of equally many vertices, `after` above `before`.

    Raises
    ------
    BrokenClaim
        If `after` is not above `before`.

    Notes
    -----
    O(Δ log Δ), whatever the number of vertices.

    Examples
    --------
    >>> raises = natural_raises(np.array([3, 2, 1]), np.array([2, 2, 2]))
    >>> list(zip(raises.source.tolist(), raises.target.tolist()))
    [(0, 1), (1, 2)]
    """
    first, second = np.cumsum(before), np.cumsum(after)
    if first[-1] != second[-1]:
        raise BrokenClaim("two block sequences have different numbers of vertices")
    ends = np.unique(np.concatenate((first, second)))
    ends = ends[ends > 0]
    source, target = np.searchsorted(first, ends), np.searchsorted(second, ends)
    if np.any(target < source):
        raise BrokenClaim("a block sequence is not above the one that it was made from")
    return merge_raises(source, target, np.diff(ends, prepend=0))


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
    return np.trim_zeros(result, "b")


def demand_counts(raises: DegreeRaises) -> Ints:
    """Return c with ``c[d]`` vertices of demand d > 0; ``c[0]`` is 0.

    Examples
    --------
    >>> demand_counts(merge_raises(np.array([0, 3]), np.array([1, 5]), np.array([2, 1]))).tolist()
    [0, 2, 1]
    """
    demand = raises.target - raises.source
    return np.bincount(demand, weights=raises.count).astype(np.int64) if demand.size else np.zeros(1, dtype=np.int64)
