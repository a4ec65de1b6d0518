"""The tree of groups: one group after another, the beginnings that may cost least first.

Where the layers of the diagram keep all beginnings up to a border and merge them, the tree follows only those below
what it proves, each by itself; so a linear program can tell who is in which of its groups.
"""

import heapq
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from graphkit.arrays import Ints
from graphkit.budget import Budget
from graphkit.kernels import compiled
from graphkit.networks.bounds.diagram._growing import COST, END, LEVEL, VALUE, grow
from graphkit.networks.bounds.diagram._hub_sets import HubSet, SetKey
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
from graphkit.networks.bounds.diagram._top_terms import TopTerms
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.effort.first_groups import FirstGroups
from graphkit.networks.effort.work import LABEL
from graphkit.solver import new_solver
from graphkit.words import packed

# groups that are added to one beginning, and beginnings that are kept, at most
_CHILDREN = 4_000
_NODES = 50_000
# a linear program is asked for no less
_LEAST_BORDER = 2
# so many hubs are tried, until both ways for one bring the value nearer to the target by this share of what is left
_SPLITS, _ENOUGH = 12, 0.1
# that share is worth following; so is less, if it is more than the last group brought, but not less than the other
_WORTH, _LEAST_WORTH = 0.04, 0.01
# a program for several degrees of the group behind is solved if this share of the last ones reached the target, and
# otherwise every now and then
_LUCK, _LATELY, _RARELY = 0.35, 16, 100
# sets that are remembered
_SERVED = 40
# behind a later border nobody asks what all before it can get
_LAST_TOP = 300
# steps of a rounding that count one unit
_ROUNDED = 10_000
# units for one more group and the degree behind it
_CHILD = 5


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
    """What is known of it; of the beginning without its last group, where several degrees are left behind it."""
    behind: Ints
    """Degrees that the group behind may have, the lowest first: rows of what :func:`grow` writes."""
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
    splits: Sequence[Split] = ()
    """Hubs that the linear program has on several levels, if there are any."""
    fine: float = 0.0
    """What the linear program says, not rounded."""
    gain: float = np.inf
    """By how much that is more than without the last group."""
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
        self._children = np.zeros((_CHILDREN, 4), np.int64)
        start = np.zeros((1, 4), np.int64)
        self._open: list[_Node] = [_Node(0, 0, 0, (), first_label(self._known)[0], start, NO_REASONS, True)]
        self._count = 0
        self._beyond = 1 << 60
        """The least value of what is not followed any further, and the least target so far."""
        self._luck = 1.0
        """About what share of the programs for several degrees of the group behind lately reached the target."""
        self._joinable = packed(positions.core.joinable)
        self._served: dict[SetKey, HubSet] = {}
        """Sets that lately proved a slack, the last ones last."""
        self._solver = new_solver(presolve="off")
        self._top = TopTerms(positions)
        self.first_groups: FirstGroups | None = None
        """Those of the longest beginning that was looked at last, rounded."""
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
        deepest: _Node | None = None
        while self._open and left > 0 and not budget.is_spent():
            node = self._open[0]
            if node.value >= self._beyond:
                break
            heapq.heappop(self._open)
            if node.is_solved and (deepest is None or node.border >= deepest.border):
                deepest = node
            if not node.is_solved:
                left -= self._push_solved(node, target)
            elif len(node.behind) > 1:
                left -= self._halve(node, target)
            elif node.splits:
                left -= self._divide(node, target)
            elif not node.is_last:
                left -= self._expand(node, target)
            elif not node.is_done:
                # all that is left are sets that its solution violates
                left -= self._push_solved(node, target)
            else:
                self._beyond = min(self._beyond, node.value)
        left -= 0 if deepest is None else self._look_into(deepest, target)
        budget.charge(work - left)
        value = min(self._beyond, self._open[0].value) if self._open else self._beyond
        return value, value < self._beyond

    def _look_into(self, node: _Node, target: int) -> int:
        """Round the linear program of a beginning; return the units that it took."""
        program, total, slack = self._program(node)
        program.value(slack, target - total)
        ends, goal = program.ends(), int(node.behind[0, LEVEL])
        if ends is not None:
            levels = self._known.levels
            self.first_groups = FirstGroups(ends, int(levels[goal]) if goal < levels.size else 0, node.is_last)
        return program.work + node.border**3 // _ROUNDED

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
        elif len(node.behind) > 1 and self._luck < _LUCK:
            self._luck += 1 / _RARELY
            return program.work + self._halve(node, target)
        else:
            found = self._solved(node, target, program, total, slack)
            if len(node.behind) > 1:
                self._luck += ((found is None) - self._luck) / _LATELY
        if found is not None and found.value < target:
            self._push(found)
        return program.work

    def _solved(self, node: _Node, target: int, program: PrefixProgram, total: int, slack: int) -> _Node | None:
        """Return a beginning with what its linear program says, None where that reaches the target."""
        slack, reasons = program.value(slack, target - total)
        for asking in (one.shortest for one in reasons.sets):
            self._served.pop(asking.key, None)
            self._served[asking.key] = asking
        while len(self._served) > _SERVED:
            del self._served[next(iter(self._served))]
        value = max(node.value, total + slack)
        if value >= target:
            return None
        reasons = reasons if reasons.sets else node.reasons
        barred = np.concatenate((node.barred, program.too_dear(target - total)))
        fine = total + program.slack
        # a hub that was divided is about the same groups
        gain = node.gain if node.is_solved else fine - node.fine
        found = node._replace(value=value, fine=fine, gain=gain, reasons=reasons, barred=barred, is_solved=True)
        is_last = node.is_last or node.border == self._known.degrees.size
        return found._replace(splits=program.splits(_SPLITS), is_done=program.is_done, is_last=is_last)

    def _program(self, node: _Node) -> tuple[PrefixProgram, int, int]:
        """Return the linear program of a beginning, what is demanded without slack, and the slack proven so far."""
        known, border = self._known, node.border
        # what holds for all degrees of the group behind: hubs are above the highest, the rest costs as with the lowest
        level, highest = int(node.behind[0, LEVEL]), int(node.behind[-1, LEVEL])
        if border == known.degrees.size:
            hubs, rest = border, np.zeros((PARTS + 1, 1), dtype=np.int64)
        else:
            hubs = int(min(known.first[highest], border))
            rest = rest_behind(self._rests, known, border, int(known.level_of[border]) - level, level).copy()
        indices = sorted({index for index, _ in node.levels})
        beginning = Beginning(
            border,
            levels=known.levels[indices],
            places=np.array([sum(n for at, n in node.levels if at == index) for index in indices], dtype=np.int64),
            hubs=hubs,
            goal=int(known.levels[level]) if border < known.degrees.size else 0,
            joinable=self._joinable,
            rest=rest,
        )
        program = PrefixProgram(
            self._positions, beginning, node.limits, node.barred, self._solver, self._served.values()
        )
        return program, int(node.behind[0, COST]) + int(rest[0, 0]) // PARTS, program.look(node.reasons)

    def _halve(self, node: _Node, target: int) -> int:
        """Tell high degrees of the group behind from low ones; return the units that it took."""
        middle = len(node.behind) // 2
        return sum(self._push_group(node, behind, target) for behind in (node.behind[:middle], node.behind[middle:]))

    def _push_group(self, node: _Node, behind: Ints, target: int) -> int:
        """Push a beginning with these degrees of the group behind; return the units that it took.

        Its program was not solved. What a label tells is asked where one degree is left.
        """
        value, used = self._told_by_top(node, behind, target)
        if value >= target:
            return used
        label = node.label
        if len(behind) == 1 and node.border < min(self._depth, DEPTH):
            places = node.levels[-1][1]
            label = _labelled(label, self._known, self._rests, node.border - places, behind[0], PARTS * target)
            used, value = used + LABEL, max(value, _whole(label["value"]))
            if value >= target:
                return used
        self._count += 1
        self._push(
            node._replace(
                value=value,
                label=label,
                order=(1 << 40) * -node.border + self._count,
                behind=behind,
                is_solved=node.border < _LEAST_BORDER,
                is_looked_at=False,
                splits=(),
            )
        )
        return used

    def _told_by_top(self, node: _Node, behind: Ints, target: int) -> tuple[int, int]:
        """Return what is known of a beginning, all before its border asked as well, and the units that it took."""
        value, border = max(node.value, int(behind[0, VALUE])), node.border
        if value >= target or border > _LAST_TOP or border >= self._known.degrees.size:
            return value, _CHILD
        # as for the program: those above the highest degree, and the rest as with the lowest
        forced = int(min(self._known.first[behind[-1, LEVEL]], border))
        goal = int(self._known.levels[behind[0, LEVEL]])
        value, used = self._top.value(border, forced, goal, int(behind[0, COST]), known=value, target=target)
        return value, used + _CHILD

    def _divide(self, node: _Node, target: int) -> int:
        """Let a hub end on high levels only, and on low ones only; return the units that it took.

        The one that tells most of those that are divided most. Where that hardly tells anything, another group is added
        first.
        """
        best: list[_Node] = []
        most, left, used = -np.inf, target - node.fine, LABEL
        for vertex, degree in node.splits:
            children: list[_Node] = []
            for limit in ((vertex, degree, 1 << 40), (vertex, 0, degree - 1)):
                found, took = self._limited(node, limit, target)
                children += found
                used += took
            gain = min((child.fine for child in children), default=float(target)) - node.fine
            is_certain = len(children) < 2
            if gain > most or is_certain:
                best, most = children, gain
            if is_certain or gain >= _ENOUGH * left:
                break
        worth = min(_WORTH * left, max(node.gain, _LEAST_WORTH * left))
        if node.is_last or len(best) < 2 or most >= worth:
            for child in best:
                self._push(child)
        else:
            self._push(node._replace(splits=()))
        return used

    def _limited(self, node: _Node, limit: Limit, target: int) -> tuple[list[_Node], int]:
        """Return a beginning with one more limit, if it does not reach the target; and the units that it took."""
        self._count += 1
        child = node._replace(order=(1 << 40) * -node.border + self._count, limits=(*node.limits, limit))
        program, total, slack = self._program(child)
        solved = self._solved(child, target, program, total, slack)
        return ([] if solved is None else [solved]), program.work

    def _expand(self, node: _Node, target: int) -> int:
        """Add every group to a beginning; return the units that it took."""
        level, cost = int(node.behind[0, LEVEL]), int(node.behind[0, COST])
        count, beyond = grow(
            self._children, self._known, self._rests, (node.border, level, cost), self._depth, PARTS * target
        )
        if beyond < target:
            # what follows is looked at as a whole: all that is left to tell is who is in which group
            self._push(node._replace(value=max(node.value, beyond), is_last=True))
        children = self._children[:count].copy()
        # all that end at one border are looked at together at first
        used = LABEL + _CHILD * count
        for behind in np.split(children, np.flatnonzero(np.diff(children[:, END])) + 1):
            if behind.size:
                border = int(behind[0, END])
                levels = (*node.levels, (level, border - node.border))
                used += self._push_group(node._replace(border=border, levels=levels), behind, target)
        return used


def _whole(quarters: Any) -> int:
    """Return the least whole number that is not below so many quarters."""
    return int(-(-int(quarters) // PARTS))


def _labelled(parent: Any, known: Known, rests: Rests, begin: int, group: Ints, target: int) -> Any:
    """Return the label with one more group, from a border on."""
    label = np.array([parent], LABEL_TYPE)
    _add(label, known, rests, begin, group, target)
    return label[0]


@compiled
def _add(labels: Labels, known: Known, rests: Rests, begin: int, group: Ints, target: int) -> None:
    end, level = group[END], group[LEVEL]
    rest = rest_behind(rests, known, end, known.level_of[end] - level, level)
    add_to_label(labels[0], known, begin, end, level, group[COST], rest, target)
