"""Labels of the diagram of groups: what is known of the groups above a border, and how two labels become one."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphkit.arrays import Ints
from graphkit.kernels import compiled
from graphkit.networks.bounds.diagram._bits import WORDS
from graphkit.words import put

DEPTH = 128
"""Positions that a label can describe."""

LABEL = np.dtype(
    [
        ("cost", np.int64),  # f: least sum of demands above the border
        ("value", np.int64),  # proven for all sequences through the label, in quarters
        ("level", np.int64),  # of the group behind the border, as an index into the distinct degrees
        ("reach", np.int64),  # highest degree that a vertex of the group behind the border can end at
        ("before", np.int64),  # places above the last group that lower vertices can have taken
        ("most", np.int32, (DEPTH,)),  # demand of every position, at most
        ("least", np.int32, (DEPTH,)),  # and at least
        ("rise", np.int32, (DEPTH,)),  # degrees by which a position can end above its group
        ("start", np.int16, (DEPTH,)),  # first position of its group
        # at the first position of every group, for the border before it:
        ("open", np.int32, (DEPTH,)),  # places above it that lower vertices can have taken
        ("step", np.int32, (DEPTH,)),  # difference of the degrees above and below
        ("tied", np.int16, (DEPTH,)),  # first position above it that can come down; −1: nothing is known
        ("members", np.uint64, (WORDS,)),  # R where it was best
    ],
    align=True,
)

Labels = NDArray[Any]


@compiled
def add_group(label: Any, begin: int, end: int, degrees: Ints, higher: int, goal: int) -> None:
    """Add the positions from `begin` to `end` as one more group of degree `goal`; `higher` have a higher degree."""
    opened = max(begin - higher, 0)
    last = degrees[begin - 1] + label.most[begin - 1] if begin > 0 else goal
    rise = label.reach - goal if opened > 0 else 0
    for v in range(begin, end):
        label.most[v] = label.least[v] = goal - degrees[v]
        label.rise[v] = rise
        label.start[v] = begin
        label.open[v] = label.step[v] = 0
        label.tied[v] = -1
        put(label.members, v, degrees[v] < goal)
    label.open[begin] = opened
    label.step[begin] = last - goal
    # who comes down is known where nobody passes more than this border
    if opened > 0 and label.before == 0:
        label.tied[begin] = higher
    label.before = opened


@compiled
def reduce_labels(labels: Labels, count: int, border: int, kept: int) -> tuple[int, int]:
    """Merge labels until no more than twice `kept` are left; return how many, and the least value of those given up.

    The `kept` labels of least value stay as they are; of the others those with the same last groups become one.
    """
    order = np.argsort(labels["value"][:count])
    alive = np.ones(count, np.bool_)
    left = count
    for fine in (True, False):
        others = order[kept:]
        others = others[alive[others]]
        keys = np.empty(others.size, np.int64)
        for i in range(others.size):
            label = labels[others[i]]
            first = label.start[border - 1]
            second = label.start[first - 1] if first > 0 else 0
            keys[i] = (label.level * (DEPTH + 1) + first) * (DEPTH + 1) + (second if fine else 0)
        ranks = np.argsort(keys, kind="mergesort")
        for i in range(1, ranks.size):
            if keys[ranks[i]] == keys[ranks[i - 1]]:
                _merge(labels[others[ranks[i]]], labels[others[ranks[i - 1]]], border)
                alive[others[ranks[i - 1]]] = False
                left -= 1
        if left <= 2 * kept:
            break
    lost = 1 << 60
    number = 0
    for a in order:
        if alive[a] and number >= 2 * kept:
            lost = min(lost, labels[a].value)
            alive[a] = False
        elif alive[a]:
            number += 1
    place = 0
    for a in range(count):
        if alive[a]:
            if place != a:
                labels[place] = labels[a]
            place += 1
    return place, lost


@compiled
def _merge(label: Any, other: Any, border: int) -> None:
    """Make a label say no more than what holds of it and of another one."""
    label.cost = min(label.cost, other.cost)
    label.value = min(label.value, other.value)
    label.reach = max(label.reach, other.reach)
    label.before = max(label.before, other.before)
    same = True
    opened, other_opened, step = 0, 0, 0
    for v in range(border):
        opened += label.open[v]
        other_opened += other.open[v]
        step = max(step, label.step[v], other.step[v])
        if (
            label.start[v] != other.start[v]
            or label.open[v] != other.open[v]
            or label.step[v] != other.step[v]
            or label.tied[v] != other.tied[v]
        ):
            same = False
        label.most[v] = max(label.most[v], other.most[v])
        label.least[v] = min(label.least[v], other.least[v])
        label.rise[v] = max(label.rise[v], other.rise[v])
    for word in range(WORDS):
        label.members[word] |= other.members[word]
    if not same:
        # the borders differ: all that can rise is one group from now on
        for v in range(border):
            label.start[v] = 0
            label.open[v] = label.step[v] = 0
            label.tied[v] = -1
        label.open[0] = max(opened, other_opened)
        label.step[0] = step
