"""What the positions behind a border cost at least, if each gives a set of r vertices at most r partners."""

import numpy as np

from graphkit.arrays import Ints
from graphkit.kernels import compiled
from graphkit.networks.sequences.group_costs import least_behind, least_from

PARTS = 4
"""Multipliers λ are l/4 for l from 0 to 4; all sums are of ``4·[(1−λ)·d + λ·max(d − r, 0)]``."""


@compiled
def rest_tables(degrees: Ints, k: int, most: int, depth: int) -> Ints:
    """Return the least weighed sums of the positions from every border on, shape (5, most+1, depth+1).

    Notes
    -----
    One dynamic program over the positions for each multiplier and r: O(most·p·k) time.
    """
    tables = np.empty((PARTS + 1, most + 1, depth + 1), np.int64)
    for part in range(PARTS + 1):
        for r in range(most + 1):
            # without the multiplier, r says nothing
            table = least_from(degrees, k, PARTS - part, part, r) if part > 0 or r == 0 else tables[0, 0]
            tables[part, r] = table[: depth + 1]
    return tables


@compiled
def rest_from(degrees: Ints, tables: Ints, k: int, border: int, goal: int, rest: Ints) -> None:
    """Write the least weighed sums of the positions from a border on, the first group raised to `goal`."""
    for part in range(PARTS + 1):
        for r in range(rest.shape[1]):
            if part == 0 and r > 0:
                rest[0, r] = rest[0, 0]
            else:
                rest[part, r] = least_behind(degrees, tables[part, r], k, border, goal, PARTS - part, part, r)
