"""Rule 1 of the seed paper: stretches of a block sequence that can be solved by themselves."""

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.sequences.position_dp import minimum_raises

_FAR = np.int64(1) << 60


def reduce_blocks(block_sequence: Ints, k: int) -> Ints:
    """Return a block sequence above the given one in which separable stretches are solved already.

    Parameters
    ----------
    block_sequence : ndarray of int64, shape (Δ+1,)
        The graph's block sequence.
    k : int
        Required block size, at least 2.

    Returns
    -------
    ndarray of int64, same shape
        The minimum cost of the given sequence is that of the result plus the cost of what was solved.

    Notes
    -----
    A stretch ``i … j`` is replaced by a cheapest k-anonymous version of itself when

    1. the blocks ``j … j+t`` for some t have at least k vertices each and ``(t+2)k − 1`` or more in all,
    2. no vertex of the version is raised by more than 1 (nothing serves Erdős–Gallai better), block i keeps k vertices,
    3. it stays cheapest when block i is enlarged to ``2k − 1``.

    *Why the minimum is kept.* Let t_l be the number of vertices that pass degree l, so that the cost is Σ t_l. By 1,
    what is above never needs a vertex from below j: of the vertices that pass j + t at most k − 1 are needed there,
    and going down each block either gives its surplus or is emptied as a whole, which ends the chain; the surplus is
    at least k − 1 in all. So arrivals at j change nothing above, and they can stay in j. By 3, arrivals at i make the
    stretch no cheaper: more than k − 1 vertices that leave i are never needed. By 2 they can stay in i. Hence the
    cheapest costs of the three parts add up.

    The rule as printed asks for ``b_i ≥ k`` instead of 3, and that is not enough: in (1, 3, 2, 8) with k = 3 it takes
    (3, 2, 8) to (3, 0, 10) for 2, which leaves 1 to pay, while (0, 3, 3, 8) costs 2 in all.

    O(k) for each block of each stretch that is tried; stretches with nothing to solve cost their length.

    References
    ----------
    Hartung, Hoffmann, Nichterlein 2014, section 3.2, Rule 1.

    Examples
    --------
    >>> reduce_blocks(np.array([4, 1, 4, 1, 4]), k=2).tolist()
    [3, 2, 3, 2, 4]
    >>> reduce_blocks(np.array([1, 3, 2, 8]), k=3).tolist()
    [1, 3, 2, 8]
    """
    blocks = np.asarray(block_sequence, dtype=np.int64).copy()
    ends = _large_runs(blocks, k)
    i = 0
    while i < blocks.size:
        following = int(np.searchsorted(ends, i, side="right"))
        if blocks[i] < k or following == ends.size:
            i += 1
            continue
        j = int(ends[following])
        solved = _solve(blocks[i : j + 1], k)
        if solved is None:
            i += 1
            continue
        blocks[i : j + 1] = solved
        i = j
    return blocks


def _large_runs(blocks: Ints, k: int) -> Ints:
    """Return the degrees at which blocks of at least k vertices begin that have k − 1 to spare in all."""
    starts = []
    # how much the run of full blocks from j on can spare, as far as that is contiguous
    spare = 0
    for j in range(blocks.size - 1, -1, -1):
        size = int(blocks[j])
        spare = spare + size - k if size >= k else 0
        if size >= k and spare >= k - 1:
            starts.append(j)
    return np.array(starts[::-1], dtype=np.int64)


def _solve(stretch: Ints, k: int) -> Ints | None:
    """Return a cheapest version that raises nothing by more than 1 and keeps the first block, or None without one."""
    if np.all((stretch == 0) | (stretch >= k)):
        return None
    enlarged = stretch.copy()
    enlarged[0] = max(int(stretch[0]), 2 * k - 1)
    passing = _single_steps(stretch, k)
    if passing is None or int(passing.sum()) > minimum_raises(enlarged, k)[1]:
        return None
    arriving = np.concatenate((np.zeros(1, dtype=np.int64), passing[:-1]))
    return stretch + arriving - passing


def _single_steps(stretch: Ints, k: int) -> Ints | None:
    """Return the t_l of least sum with t_l ≤ b_l (no vertex is raised twice) where the first block keeps k."""
    width = 2 * k
    t = np.arange(width)
    layers = [np.where(t <= int(stretch[0]) - k, t, _FAR)]
    for size in stretch[1:].tolist():
        previous = layers[-1]
        suffix = np.minimum.accumulate(previous[::-1])[::-1]
        start = np.maximum(t - size + k, 0)
        best = np.where(start < width, suffix[np.minimum(start, width - 1)], _FAR)
        if size < width:
            best[size] = min(int(best[size]), int(previous[0]))
        layers.append(np.where((best < _FAR) & (t <= size), best + t, _FAR))
    if layers[-1][0] >= _FAR:
        return None
    passing = np.zeros(stretch.size, dtype=np.int64)
    for place in range(stretch.size - 1, 0, -1):
        now, size, previous = int(passing[place]), int(stretch[place]), layers[place - 1]
        start = max(now - size + k, 0)
        before = start + int(np.argmin(previous[start:])) if start < width else -1
        if now == size and (before < 0 or previous[0] < previous[before]):
            before = 0
        passing[place - 1] = before
    return passing
