"""The least sums of demands of positions in groups, before and from every border."""

from __future__ import annotations

import numpy as np

from graphkit.arrays import Ints
from graphkit.kernels import compiled

UNREACHABLE = np.int64(1) << 50
"""The sum at borders that no groups end at."""


@compiled
def group_costs(degrees: Ints, k: int) -> tuple[Ints, Ints, Ints]:
    """Return the least sum of demands before and from every border, and the prefix sums of the degrees.

    Groups have k to 2k − 1 members and end at the degree of their first. O(p·k).
    """
    size = degrees.size
    before = np.full(size + 1, UNREACHABLE, np.int64)
    after = np.full(size + 1, UNREACHABLE, np.int64)
    prefix = np.zeros(size + 1, np.int64)
    prefix[1:] = np.cumsum(degrees)
    before[0] = after[size] = 0
    for end in range(k, size + 1):
        for begin in range(max(0, end - 2 * k + 1), end - k + 1):
            cost = (end - begin) * degrees[begin] - prefix[end] + prefix[begin]
            before[end] = min(before[end], before[begin] + cost)
    for begin in range(size - k, -1, -1):
        for end in range(begin + k, min(size, begin + 2 * k - 1) + 1):
            cost = (end - begin) * degrees[begin] - prefix[end] + prefix[begin]
            after[begin] = min(after[begin], after[end] + cost)
    return before, after, prefix
