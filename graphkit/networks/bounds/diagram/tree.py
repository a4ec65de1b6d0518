"""The tree of groups: one group after another, the beginnings that may cost least first.

Where the layers of the diagram keep all beginnings up to a border and merge them, the tree follows only those below
what it proves, each by itself; so a linear program can tell who is in which of its groups.
"""

import heapq
from typing import Any, NamedTuple

import numpy as np

from graphkit.arrays import Ints
from graphkit.budget import Budget
from graphkit.kernels import compiled
from graphkit.networks.bounds.diagram._labels import DEPTH, Labels
from graphkit.networks.bounds.diagram._labels import LABEL as LABEL_TYPE
from graphkit.networks.bounds.diagram._prefix_program import (
    NO_REASONS,
    NOTHING_BARRED,
    Barred,
    Beginning,
    Limit,
    PrefixProgram,
    Reasons,
    Split,
)
from graphkit.networks.bounds.diagram._rest import PARTS
from graphkit.networks.bounds.diagram._steps import Known, Rests, add_to_label, first_label, rest_behind
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.effort.work import LABEL
from graphkit.solver import new_solver

# groups that are added to one beginning, and beginnings that are kept, at most
_CHILDREN = 4_000
_NODES = 50_000
# a linear program is asked for no less
_LEAST_BORDER = 2
# two ways for a hub are worth following if both bring the value nearer to the target by this share of what is left
_WORTH = 0.04


class _Node(NamedTuple):
    """A beginning of groups."""

    value: int
    """Proven for all sums of demands through it."""
    order: int
    """Of two of one value the deeper one is first, then the earlier one."""
    border: int
    levels: tuple[tuple[int, int], ...]
    """Index of the level of each group, and its places."""
    label: Any
    reasons: Reasons
    """What says how much slack it needs."""
    is_solved: bool
    """Whether its linear program was solved."""
    is_looked_at: bool = False
    """Whether it was said what follows from the reasons alone."""
    limits: tuple[Limit, ...] = ()
    """Hubs that are to end on some degrees only."""
    barred: Barred = NOTHING_BARRED
    """What hubs do not end on, or the target is reached."""
    split: Split | None = None
    """A hub that the linear program has on several levels, if there is one."""
    fine: float = 0.0
    """What the linear program says, not rounded."""
    is_done: bool = True
    """Whether the solution of its program violates no set that was found."""
    is_last: bool = False
    """Whether no group is added any more."""


class GroupTree:
    """The least total demand over all groups, as far as their first positions tell; it goes on where it stopped."""

    def __init__(self, positions: Positions) -> None:
        # all that have a higher degree than what is behind a border are to be in the core
        self._positions, self._depth = positions, min(positions.core.size, positions.degrees.size - 1)
        self._known = Known.of(positions, self._depth)
        self._rests = Rests.of(self._known)
        self._children = np.zeros(_CHILDREN, LABEL_TYPE)
        self._ends = np.zeros(_CHILDREN, np.int64)
        self._open: list[_Node] = [_Node(0, 0, 0, (), first_label(self._known)[0], NO_REASONS, True)]
        self._count = 0
        self._beyond = 1 << 60
        """The least value of what is not followed any further, and the least target so far."""
        self._solver = new_solver(presolve="off")
        self._set_up = self._known.set_up
        """Units that the tables took and no question has paid for."""

    def least(self, target: int, work: int, budget: Budget) -> tuple[int, bool]:
        """Return a number that the sum of all demands reaches, at most `target`, and whether more work may prove more.

        Parameters
        ----------
        target : int
            Sums from here on do not matter.
        work : int
            Units that may be spent, about.
        budget : Budget
            Is charged with them, and ends the search early.
        """
        # what reaches a target is forgotten
        self._beyond = min(self._beyond, target)
        left, self._set_up = work - self._set_up, 0
        while self._open and left > 0 and not budget.is_spent():
            node = self._open[0]
            if node.value >= self._beyond:
                break
            heapq.heappop(self._open)
            if not node.is_solved:
                left -= self._push_solved(node, target)
            elif node.split is not None:
                left -= self._divide(node, target)
            elif not node.is_last:
                left -= self._expand(node, target)
            elif not node.is_done:
                # all that is left are sets that its solution violates
                left -= self._push_solved(node, target)
            else:
                self._beyond = min(self._beyond, node.value)
        budget.charge(work - left)
        value = min(self._beyond, self._open[0].value) if self._open else self._beyond
        return value, value < self._beyond

    def _push(self, node: _Node) -> None:
        if len(self._open) < _NODES:
            heapq.heappush(self._open, node)
        else:
            self._beyond = min(self._beyond, node.value)

    def _push_solved(self, node: _Node, target: int) -> int:
        """Ask the linear program of a beginning; return the units that it took."""
        program, total, slack = self._program(node)
        if total + slack > node.value and not node.is_looked_at:
            # what was said of the beginning without its last group is often enough
            found: _Node | None = node._replace(value=total + slack, is_looked_at=True)
        else:
            found = self._solved(node, target, program, total, slack)
        if found is not None and found.value < target:
            self._push(found)
        return program.work

    def _solved(self, node: _Node, target: int, program: PrefixProgram, total: int, slack: int) -> _Node | None:
        """Return a beginning with what its linear program says, None where that reaches the target."""
        slack, reasons = program.value(slack, target - total)
        value = max(node.value, total + slack)
        if value >= target:
            return None
        reasons = reasons if reasons.sets else node.reasons
        barred = np.concatenate((node.barred, program.too_dear(target - total)))
        found = node._replace(value=value, fine=total + program.slack, reasons=reasons, barred=barred, is_solved=True)
        is_last = node.is_last or node.border == self._known.degrees.size
        return found._replace(split=program.split(), is_done=program.is_done, is_last=is_last)

    def _program(self, node: _Node) -> tuple[PrefixProgram, int, int]:
        """Return the linear program of a beginning, what is demanded without slack, and the slack proven so far."""
        known, border, level = self._known, node.border, int(node.label["level"])
        if border == known.degrees.size:
            hubs, rest = border, np.zeros((PARTS + 1, 1), dtype=np.int64)
        else:
            hubs = int(min(known.first[level], border))
            rest = rest_behind(self._rests, known, border, int(known.level_of[border]) - level, level).copy()
        indices = sorted({index for index, _ in node.levels})
        beginning = Beginning(
            border,
            levels=known.levels[indices],
            places=np.array([sum(n for at, n in node.levels if at == index) for index in indices], dtype=np.int64),
            hubs=hubs,
            rest=rest,
        )
        program = PrefixProgram(self._positions, beginning, node.limits, node.barred, self._solver)
        return program, int(node.label["cost"]) + int(rest[0, 0]) // PARTS, program.look(node.reasons)

    def _divide(self, node: _Node, target: int) -> int:
        """Let a hub end on high levels only, and on low ones only; return the units that it took.

        Where that hardly tells anything, another group is added first.
        """
        vertex, degree = node.split or (0, 0)
        children, used = [], LABEL
        for limit in ((vertex, degree, 1 << 40), (vertex, 0, degree - 1)):
            self._count += 1
            order = (1 << 40) * -node.border + self._count
            child = node._replace(order=order, limits=(*node.limits, limit))
            program, total, slack = self._program(child)
            solved = self._solved(child, target, program, total, slack)
            used += program.work
            if solved is not None:
                children.append(solved)
        gain = min((child.fine for child in children), default=float(target)) - node.fine
        if node.is_last or len(children) < 2 or gain >= _WORTH * (target - node.fine):
            for child in children:
                self._push(child)
        else:
            self._push(node._replace(split=None))
        return used

    def _expand(self, node: _Node, target: int) -> int:
        """Add every group to a beginning; return the units that it took."""
        beyond = np.full(1, 1 << 60)
        count = _grow(
            self._children,
            self._ends,
            self._known,
            self._rests,
            node.label,
            node.border,
            self._depth,
            PARTS * target,
            beyond,
        )
        if _whole(beyond[0]) < target:
            # what follows is looked at as a whole: all that is left to tell is who is in which group
            self._push(node._replace(value=max(node.value, _whole(beyond[0])), is_last=True))
        level = int(node.label["level"])
        for i in range(count):
            end, label = int(self._ends[i]), self._children[i].copy()
            self._count += 1
            value = max(node.value, _whole(label["value"]))
            levels = (*node.levels, (level, end - node.border))
            solved = end < _LEAST_BORDER
            order = (1 << 40) * -end + self._count
            self._push(
                _Node(value, order, end, levels, label, node.reasons, solved, limits=node.limits, barred=node.barred)
            )
        return LABEL * (1 + count)


def _whole(quarters: Any) -> int:
    """Return the least whole number that is not below so many quarters."""
    return int(-(-int(quarters) // PARTS))


@compiled
def _grow(
    children: Labels,
    ends: Ints,
    known: Known,
    rests: Rests,
    parent: Any,
    border: int,
    depth: int,
    target: int,
    beyond: Ints,
) -> int:
    """Write every group that can be added to a label, and where it ends; return how many are below the target.

    What is not written counts with its value as beyond.
    """
    degrees, k, count = known.degrees, known.k, 0
    goal, cost = known.levels[parent.level], parent.cost
    for end in range(border + 1, min(degrees.size, border + 2 * k - 1) + 1):
        cost += goal - degrees[end - 1]
        if end - border < k:
            continue
        if end == degrees.size and end == known.rows.shape[0] and count < children.size:
            # nothing is left, and all of them are known
            children[count] = parent
            label = children[count]
            label.cost, label.level = cost, known.levels.size
            label.value = max(label.value, PARTS * cost)
            if label.value < target:
                ends[count] = end
                count += 1
        elif end >= depth:
            # the rest is looked at as a whole
            beyond[0] = min(beyond[0], max(parent.value, PARTS * cost + known.tables[0, 0, end]))
        if end >= depth:
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
            if count == children.size:
                beyond[0] = min(beyond[0], max(parent.value, PARTS * cost + rest[0, 0]))
                break
            children[count] = parent
            label = children[count]
            if end < DEPTH:
                is_below = add_to_label(label, known, border, end, level, cost, rest, target)
            else:
                # what a label knows ends there
                label.cost, label.level = cost, level
                label.value = max(label.value, PARTS * cost + rest[0, 0])
                is_below = label.value < target
            if is_below:
                ends[count] = end
                count += 1
    return count
