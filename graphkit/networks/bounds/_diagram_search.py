"""Layers of the diagram of groups, border by border; see :mod:`graphkit.networks.bounds.group_diagram`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphkit.arrays import Bools, Ints, Words
from graphkit.budget import Budget
from graphkit.kernels import compiled
from graphkit.networks.bounds._bits import joinable_rows
from graphkit.networks.bounds._diagram_labels import DEPTH, LABEL, add_group, reduce_labels
from graphkit.networks.bounds._diagram_rest import PARTS, rest_from, rest_tables
from graphkit.networks.bounds._diagram_value import Cut, best_value
from graphkit.networks.core.high_degree_core import HighDegreeCore
from graphkit.networks.effort.work import TABLE_STEPS

_MOST_MEMBERS = 40
_TABLE_STEPS = 300_000_000
_WIDTH = 400
# room for what a reduction leaves, a quarter, and as many again
_LEAST_WIDTH = 8
_ROOM = 20_000
_RAISES = 16


class _Positions(NamedTuple):
    """What is known of all positions."""

    k: int
    degrees: Ints
    """Descending, shape (p,)."""
    levels: Ints
    """The distinct degrees, descending, shape (l,)."""
    level_of: Ints
    """The index of a position's degree among them, shape (p,)."""
    first: Ints
    """The first position of every level, shape (l,)."""
    rows: Words
    """Positions that a core position can be joined to, as sets, shape (c, 2)."""
    tables: Ints
    """The least weighed sums from every border on."""


class _Rests(NamedTuple):
    """The least weighed sums from the next borders on, by how many levels the first group is raised."""

    sums: Ints
    """Shape (2k, raises, 5, most+1)."""
    border: Ints
    """The border that they belong to, −1 for none, shape (2k, raises)."""


class _Layers(NamedTuple):
    """The labels of the next 2k borders."""

    labels: NDArray[Any]
    """Shape (2k, width)."""
    counts: Ints
    """How many there are, shape (2k,)."""
    given_up: Ints
    """The first border at which labels were given up, one element."""
    followed: Bools
    """Whether a group was added to a label: by its first position, size and level, shape (d, 2k, l); d may be 0."""


class GroupDiagram:
    """The least total demand over all groups, as far as their first positions tell."""

    def __init__(self, core: HighDegreeCore, degrees: Ints, k: int, work: int) -> None:
        self._depth = min(DEPTH, core.size - 1, degrees.size - 1)
        levels, first, level_of = np.unique(-degrees, return_index=True, return_inverse=True)
        # partners of one vertex beyond that number are not distinguished
        most = min(_MOST_MEMBERS, _TABLE_STEPS // (PARTS * 2 * k * degrees.size))
        self._positions = _Positions(
            k=k,
            degrees=degrees,
            levels=-levels,
            level_of=level_of.reshape(-1).astype(np.int64),
            first=first,
            rows=joinable_rows(core.joinable),
            tables=rest_tables(degrees, k, most, self._depth + 2 * k),
        )
        self.set_up = PARTS * 2 * k * degrees.size * most // TABLE_STEPS
        """Units of work that the tables took."""
        width = max(_LEAST_WIDTH, min(_WIDTH, _ROOM // (2 * k)))
        self._labels = np.zeros((2 * k, width), LABEL)
        self._sums = np.zeros((2 * k, _RAISES, PARTS + 1, most + 1), np.int64)
        self.work = work

    def least(self, target: int, depth: int, budget: Budget) -> int:
        """Return a number that the sum of all demands reaches, at most `target`, from groups of the first positions.

        Every label that is added is taken from the work; without any left, what was proven so far is the answer.
        """
        ring = 2 * self._positions.k
        layers, rests = self._begin(0)
        lowest = PARTS * target
        depth = min(depth, self._depth)
        for border in range(depth):
            if layers.counts[border % ring] == 0:
                continue
            if self.work <= 0 or budget.is_spent():
                return -(-min(lowest, _least_open(layers)) // PARTS)
            found, steps = _expand(layers, rests, self._positions, border, lowest, depth, self.work)
            lowest = min(lowest, found)
            self.work -= steps
        return -(-lowest // PARTS)

    def groups(self, target: int, depth: int, budget: Budget) -> tuple[Bools, int]:
        """Return which groups a sum of all demands below the target leaves open, and up to which border that is known.

        Returns
        -------
        followed : ndarray of bool, shape (d, 2k, l)
            Whether a group may begin at a position with that many places, on the level of that index.
        complete : int
            Groups that begin there or later were not looked at.
        """
        depth = min(depth, self._depth)
        layers, rests = self._begin(depth)
        for border in range(depth):
            if self.work <= 0 or budget.is_spent() or border >= layers.given_up[0]:
                return layers.followed, border
            self.work -= _expand(layers, rests, self._positions, border, PARTS * target, depth, self.work)[1]
        return layers.followed, int(min(depth, layers.given_up[0]))

    @property
    def levels(self) -> Ints:
        """The degrees of the levels, descending, shape (l,)."""
        return self._positions.levels

    def _begin(self, depth: int) -> tuple[_Layers, _Rests]:
        """Return the state before the first border; groups that begin before `depth` are to be remembered."""
        ring = 2 * self._positions.k
        followed = np.zeros((depth, ring, self.levels.size), np.bool_)
        layers = _Layers(self._labels, np.zeros(ring, np.int64), np.full(1, self._positions.degrees.size), followed)
        start = np.zeros(1, LABEL)
        start["reach"] = self._positions.degrees[0]
        layers.labels[0, 0] = start[0]
        layers.counts[0] = 1
        return layers, _Rests(self._sums, np.full((ring, _RAISES), -1, np.int64))


def _least_open(layers: _Layers) -> int:
    """Return the least value of the labels that were not followed."""
    return int(min(layers.labels[i, :count]["value"].min() for i, count in enumerate(layers.counts) if count))


@compiled
def _expand(
    layers: _Layers, rests: _Rests, positions: _Positions, border: int, target: int, depth: int, most: int
) -> tuple[int, int]:
    """Add every group to the labels of one border; return the least value of what is not followed, and the steps.

    Labels that reach the target are dropped: no sequence through them has a smaller sum. After the most steps labels
    are given up: what is proven of one holds for all sequences through it.
    """
    k, degrees, levels, level_of, first, rows, tables = positions
    ring, counts, given_up, followed = layers
    here = border % (2 * k)
    width = ring.shape[1]
    lowest, steps = target, 0
    spare = np.empty(rests.sums.shape[2:], np.int64)
    count = counts[here]
    if count > width // 4:
        count, lost = reduce_labels(ring[here], count, border, width // 8)
        lowest = min(lowest, lost)
        if lost < target:
            given_up[0] = min(given_up[0], border)
    for a in range(count):
        parent = ring[here, a]
        if parent.value >= target:
            continue
        if steps >= most:
            lowest = min(lowest, parent.value)
            given_up[0] = min(given_up[0], border)
            continue
        goal = levels[parent.level]
        higher = first[parent.level]
        opened = border > higher
        reach = parent.reach if opened else goal
        cost = parent.cost
        for end in range(border + 1, min(degrees.size, border + 2 * k - 1) + 1):
            cost += goal - degrees[end - 1]
            if end - border < k:
                continue
            if end >= depth:
                # the rest is looked at as a whole
                value = max(parent.value, PARTS * cost + tables[0, 0, end])
                lowest = min(lowest, value)
                if border < followed.shape[0] and value < target:
                    followed[border, end - border, parent.level] = True
                continue
            there = end % (2 * k)
            for raised in range(levels.size):
                level = level_of[end] - raised
                # groups of one degree are cut as early as they can be
                if level < parent.level or (level == parent.level and end - border > k):
                    break
                if raised < _RAISES:
                    rest = rests.sums[there, raised]
                    if rests.border[there, raised] != end:
                        rest_from(degrees, tables, k, end, levels[level], rest)
                        rests.border[there, raised] = end
                else:
                    rest = spare
                    rest_from(degrees, tables, k, end, levels[level], rest)
                value = PARTS * cost + rest[0, 0]
                if value >= target:
                    break
                if counts[there] == width:
                    counts[there], lost = reduce_labels(ring[there], width, end, width // 8)
                    lowest = min(lowest, lost)
                    if lost < target:
                        given_up[0] = min(given_up[0], end)
                to = counts[there]
                ring[there, to] = parent
                label = ring[there, to]
                add_group(label, border, end, degrees, higher, goal)
                label.cost, label.level = cost, level
                forced = min(first[level], end)
                label.reach = reach if forced < end else levels[level]
                steps += 1
                found = best_value(label, Cut(end, forced, reach, degrees, rows, rest), target)
                value = max(parent.value, value, found)
                if value < target:
                    label.value = value
                    counts[there] += 1
                    if border < followed.shape[0]:
                        followed[border, end - border, parent.level] = True
    counts[here] = 0
    return lowest, steps
