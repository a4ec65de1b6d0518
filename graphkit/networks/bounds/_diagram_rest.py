"""What the positions behind a border cost at least, if each gives a set of r vertices at most r partners."""

from __future__ import annotations

import numpy as np

from graphkit.arrays import Ints
from graphkit.kernels import compiled

PARTS = 4
"""Multipliers are l/4 for l from 0 to 4."""
_INFINITE = np.int64(1) << 50


@compiled
def _weighed(demand: int, r: int, part: int) -> int:
    """Return ``4·[(1−λ)·d + λ·max(d − r, 0)]`` for λ = part/4."""
    return int((PARTS - part) * demand + part * max(demand - r, 0))


@compiled
def rest_tables(degrees: Ints, k: int, most: int, depth: int) -> Ints:
    """Return the least weighed sums of the positions from every border on, shape (5, most+1, depth+1).

    Notes
    -----
    One position dynamic program for each multiplier and r; the weighed demand is convex, so sorted to sorted is
    cheapest. O(most·p·k) time.
    """
    size = degrees.size
    tables = np.full((PARTS + 1, most + 1, depth + 1), _INFINITE, np.int64)
    after = np.empty(size + 1, np.int64)
    for part in range(PARTS + 1):
        for r in range(most + 1):
            if part == 0 and r > 0:
                tables[0, r] = tables[0, 0]
                continue
            after[:] = _INFINITE
            after[size] = 0
            for p in range(size - k, -1, -1):
                cost = 0
                for q in range(p + 1, min(size, p + 2 * k - 1) + 1):
                    cost += _weighed(degrees[p] - degrees[q - 1], r, part)
                    if q - p >= k and after[q] + cost < after[p]:
                        after[p] = after[q] + cost
            tables[part, r, : min(depth, size) + 1] = after[: min(depth, size) + 1]
    return tables


@compiled
def rest_from(degrees: Ints, tables: Ints, k: int, border: int, goal: int, rest: Ints) -> None:
    """Write the least weighed sums of the positions from a border on, the first group raised to `goal`."""
    rest[:] = _INFINITE
    for part in range(PARTS + 1):
        for r in range(rest.shape[1]):
            if part == 0 and r > 0:
                rest[0, r] = rest[0, 0]
                continue
            cost = 0
            for q in range(border + 1, min(degrees.size, border + 2 * k - 1) + 1):
                cost += _weighed(goal - degrees[q - 1], r, part)
                if q - border >= k:
                    rest[part, r] = min(rest[part, r], tables[part, r, q] + cost)
