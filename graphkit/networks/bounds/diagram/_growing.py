"""Every group that can be added to a beginning of groups."""

import numpy as np

from graphkit.arrays import Ints
from graphkit.kernels import compiled
from graphkit.networks.bounds.diagram._rest import PARTS
from graphkit.networks.bounds.diagram._steps import Known, Rests, rest_behind

END, LEVEL, COST, VALUE = range(4)
"""What a row says: the border behind the group, the level of the next, what all before it costs, and all in all."""


@compiled
def grow(
    children: Ints, known: Known, rests: Rests, beginning: tuple[int, int, int], depth: int, target: int
) -> tuple[int, int]:
    """Write every group that can be added to a beginning, with every degree of the one behind it.

    Rows are END, the LEVEL of the group behind, the COST of all before it and a VALUE that they and all behind reach.
    A beginning is its border, the level of its last group and its cost; the target is in quarters. Returned are the
    number of rows, and the least value of what is not written.
    """
    degrees, k, count, beyond = known.degrees, known.k, 0, 1 << 60
    border, at, cost = beginning
    goal = known.levels[at]
    for end in range(border + 1, min(degrees.size, border + 2 * k - 1) + 1):
        cost += goal - degrees[end - 1]
        if end - border < k:
            continue
        if end == degrees.size and end == known.rows.shape[0] and count < children.shape[0]:
            # nothing is left, and all of them are known
            if PARTS * cost < target:
                children[count] = np.array([end, known.levels.size, cost, cost])
                count += 1
        elif end >= depth:
            # the rest is looked at as a whole
            beyond = min(beyond, -(-(PARTS * cost + known.tables[0, 0, end]) // PARTS))
        if end >= depth:
            continue
        for raised in range(known.levels.size):
            level = known.level_of[end] - raised
            # groups of one degree are cut as early as they can be
            if level < at or (level == at and end - border > k):
                break
            # the higher the next group, the dearer the rest
            value = -(-(PARTS * cost + rest_behind(rests, known, end, raised, level)[0, 0]) // PARTS)
            if PARTS * value >= target:
                break
            if count == children.shape[0]:
                beyond = min(beyond, value)
                break
            children[count] = np.array([end, level, cost, value])
            count += 1
    return count, beyond
