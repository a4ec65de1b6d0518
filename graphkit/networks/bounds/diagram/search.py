"""Layers of the diagram of groups, border by border; see :mod:`graphkit.networks.bounds.group_diagram`.

A path through the diagram cuts the highest positions into groups: it goes from border to border, each step adds a group
of k to 2k − 1 positions and chooses the level of the next one. What is known of all paths to a border that may matter
are its labels::

    border     0 ────────► 3 ───► 5 ────────► 8 …        k = 2: groups of 2 or 3 positions
    labels     1           4      9           …          each: cost, value proven, degree of the next group

    for every border:     too many labels    → the weakest are merged, or given up      (_make_room)
      for every label:    value ≥ target     → dropped: no cheaper sequence goes there
                          no work left       → given up: its value is all that is proven
        for every end of the next group:                                                (_follow)
          for every level of the group behind it, ascending: a label at that end        (_add_label)

The least value of what was given up, or reached the depth, is the bound. Only 2k borders are held at a time.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphkit.arrays import Bools, Ints
from graphkit.budget import Budget
from graphkit.kernels import compiled
from graphkit.networks.bounds.diagram._labels import LABEL, reduce_labels
from graphkit.networks.bounds.diagram._rest import PARTS
from graphkit.networks.bounds.diagram._steps import Known, Rests, add_to_label, deepest, first_label, rest_behind
from graphkit.networks.core.high_degree_core import Positions

_WIDTH = 400
# room for what a reduction leaves, a quarter, and as many again
_LEAST_WIDTH = 8
_ROOM = 20_000


class _Layers(NamedTuple):
    """The labels of the next 2k borders, and what is proven without following them."""

    labels: NDArray[Any]
    """Shape (2k, width)."""
    counts: Ints
    """How many there are, shape (2k,)."""
    lowest: Ints
    """The least value of what is not followed, one element."""
    given_up: Ints
    """The first border at which labels were given up, one element."""
    followed: Bools
    """Whether a group was added to a label: by its first position, size and level, shape (d, 2k, l); d may be 0."""


class GroupDiagram:
    """The least total demand over all groups, as far as their first positions tell."""

    def __init__(self, positions: Positions, work: int) -> None:
        self._depth = deepest(positions)
        self._known = Known.of(positions, self._depth)
        self.set_up = self._known.set_up
        """Units of work that the tables took."""
        k = positions.k
        width = max(_LEAST_WIDTH, min(_WIDTH, _ROOM // (2 * k)))
        self._labels = np.zeros((2 * k, width), LABEL)
        self._rests = Rests.of(self._known)
        self.work = work

    def least(self, target: int, depth: int, budget: Budget) -> int:
        """Return a number that the sum of all demands reaches, at most `target`, from groups of the first positions.

        Every label that is added is taken from the work; without any left, what was proven so far is the answer.
        """
        layers = self._begin(0, target)
        depth = min(depth, self._depth)
        for border in range(depth):
            if layers.counts[border % layers.counts.size] == 0:
                continue
            lowest = int(layers.lowest[0])
            if self.work <= 0 or budget.is_spent():
                # the labels that were not followed count as well
                unfollowed = (layers.labels[i, :count]["value"].min() for i, count in enumerate(layers.counts) if count)
                return int(-(-min(lowest, *unfollowed) // PARTS))
            self.work -= _expand(layers, self._rests, self._known, border, lowest, depth, self.work)
        return int(-(-layers.lowest[0] // PARTS))

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
        layers = self._begin(depth, target)
        for border in range(depth):
            if self.work <= 0 or budget.is_spent() or border >= layers.given_up[0]:
                return layers.followed, border
            self.work -= _expand(layers, self._rests, self._known, border, PARTS * target, depth, self.work)
        return layers.followed, int(min(depth, layers.given_up[0]))

    def _begin(self, depth: int, target: int) -> _Layers:
        """Return the state before the first border; groups that begin before `depth` are to be remembered."""
        ring = 2 * self._known.k
        layers = _Layers(
            self._labels,
            counts=np.zeros(ring, np.int64),
            lowest=np.full(1, PARTS * target),
            given_up=np.full(1, self._known.degrees.size),
            followed=np.zeros((depth, ring, self._known.levels.size), np.bool_),
        )
        layers.labels[0, 0] = first_label(self._known)[0]
        layers.counts[0] = 1
        return layers


@compiled
def _expand(layers: _Layers, rests: Rests, known: Known, border: int, target: int, depth: int, most: int) -> int:
    """Add every group to the labels of one border; return the steps: how many labels were made.

    Labels that reach the target are dropped: no sequence through them has a smaller sum. After the most steps labels
    are given up: what is proven of one holds for all sequences through it.
    """
    here = border % (2 * known.k)
    if layers.counts[here] > layers.labels.shape[1] // 4:
        _make_room(layers, border, target)
    steps = 0
    for a in range(layers.counts[here]):
        parent = layers.labels[here, a]
        if parent.value >= target:
            continue
        if steps >= most:
            _give_up(layers, border, parent.value, target)
        else:
            steps += _follow(layers, rests, known, parent, border, target, depth)
    layers.counts[here] = 0
    return steps


@compiled
def _make_room(layers: _Layers, border: int, target: int) -> None:
    """Merge labels of a border until no more than a quarter of the width is left."""
    here, width = border % layers.counts.size, layers.labels.shape[1]
    layers.counts[here], lost = reduce_labels(layers.labels[here], layers.counts[here], border, width // 8)
    _give_up(layers, border, lost, target)


@compiled
def _give_up(layers: _Layers, border: int, value: int, target: int) -> None:
    """Follow labels of a border no further, the least value proven of which is `value`."""
    layers.lowest[0] = min(layers.lowest[0], value)
    if value < target:
        layers.given_up[0] = min(layers.given_up[0], border)


@compiled
def _follow(layers: _Layers, rests: Rests, known: Known, parent: Any, border: int, target: int, depth: int) -> int:
    """Add every group that can begin at the border to a label; return how many labels were made."""
    degrees, k = known.degrees, known.k
    goal, cost, steps = known.levels[parent.level], parent.cost, 0
    for end in range(border + 1, min(degrees.size, border + 2 * k - 1) + 1):
        cost += goal - degrees[end - 1]
        if end - border < k:
            continue
        if end >= depth:
            # the rest is looked at as a whole
            value = max(parent.value, PARTS * cost + known.tables[0, 0, end])
            layers.lowest[0] = min(layers.lowest[0], value)
            if value < target:
                _remember(layers, border, end, parent.level)
            continue
        for raised in range(known.levels.size):
            level = known.level_of[end] - raised
            # groups of one degree are cut as early as they can be
            if level < parent.level or (level == parent.level and end - border > k):
                break
            rest = rest_behind(rests, known, end, raised, level)
            # the higher the next group, the dearer the rest
            if PARTS * cost + rest[0, 0] >= target:
                break
            steps += 1
            _add_label(layers, known, parent, border, end, level, cost, rest, target)
    return steps


@compiled
def _remember(layers: _Layers, begin: int, end: int, level: int) -> None:
    """Remember that a group was added to a label."""
    if begin < layers.followed.shape[0]:
        layers.followed[begin, end - begin, level] = True


@compiled
def _add_label(
    layers: _Layers,
    known: Known,
    parent: Any,
    begin: int,
    end: int,
    level: int,
    cost: int,
    rest: Ints,
    target: int,
) -> None:
    """Add the label of a parent with one more group, the next one on `level`, unless it reaches the target."""
    there = end % (2 * known.k)
    if layers.counts[there] == layers.labels.shape[1]:
        _make_room(layers, end, target)
    place = layers.counts[there]
    layers.labels[there, place] = parent
    if add_to_label(layers.labels[there, place], known, begin, end, level, cost, rest, target):
        layers.counts[there] += 1
        _remember(layers, begin, end, parent.level)
