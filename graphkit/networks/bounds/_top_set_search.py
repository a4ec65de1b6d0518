"""The least value over the chunk borders of a window, for many windows; see :mod:`graphkit.networks.bounds.top_set`."""

from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

import numpy as np

from graphkit.budget import Budget
from graphkit.networks.bounds._top_set_weight import Place, TopSetWeight
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.sequences.group_costs import UNREACHABLE, least_before, least_behind, least_from

_WINDOWS = 120


@dataclass(order=True, slots=True)
class _Chunk:
    """The last chunk before a border, with the value proven for all paths through it so far."""

    value: int
    refined: bool
    start: int = field(compare=False)
    end: int = field(compare=False)


class TopSetSearch:
    """Values of the top-set bound, all in sums of demands.

    Parameters
    ----------
    positions : Positions
        The highest vertices, and the degrees of all.
    near : float
        By which share what they can weigh need not be told from what they do.
    """

    def __init__(self, positions: Positions, near: float) -> None:
        core, degrees, k = positions.core, positions.degrees, positions.k
        self._core, self._degrees, self._k, self._target, self._at = core, degrees, k, 0, 1
        self._before, self._after = least_before(degrees, k), least_from(degrees, k, 1, 0, 0)
        self._prefix = np.concatenate(([0], np.cumsum(degrees)))
        self._weight = TopSetWeight(positions, near)
        self._leaders = range(min(k, 8) + 1)
        self._second_leaders = [own for own in (0, 1, 2, 3, 4, 6, 8, 11, 16, 24, 36, 54, 80) if own < k]

    def best(self, target: int, best: int, work: int, budget: Budget) -> tuple[int, int]:
        """Go on, with another target at the first window; return the best value of a window, or `best`, and work left.

        It is at most the target. What is left is below 0 where more work was spent than there was.
        """
        if target != self._target:
            self._target, self._at = target, 1
        self._weight.work = work
        for window in range(self._at, min(_WINDOWS + self._k, self._core.size - 2 * self._k)):
            # a window that is cut short is looked at again, with the bounds that are remembered
            self._at = window
            best = max(best, self._window(window, best))
            if best >= self._target or self._weight.work <= 0 or budget.is_spent():
                break
        return best, self._weight.work

    def _window(self, window: int, enough: int) -> int:
        """Return the least value over the chunks that end in a window, or something not above `enough`."""
        chunks = self._chunks(window)
        heapify(chunks)
        while chunks:
            chunk = heappop(chunks)
            if chunk.refined or chunk.value >= self._target:
                return min(chunk.value, self._target)
            chunk.value = max(chunk.value, self._over_raises(chunk, enough))
            if chunk.value <= enough:
                return chunk.value
            chunk.refined = True
            heappush(chunks, chunk)
        return self._target

    def _chunks(self, window: int) -> list[_Chunk]:
        """Return the chunks across the beginning of a window whose first term can be below the target."""
        chunks = []
        for end in range(window, min(window + 2 * self._k - 1, self._core.size)):
            below = self._below(end, 0)
            for start in range(max(0, end - 2 * self._k + 1), min(window - 1, end - self._k) + 1):
                value = self._above(start, end, 0) + below
                if value < self._target:
                    chunks.append(_Chunk(value, False, start, end))
        return chunks

    def _over_raises(self, chunk: _Chunk, enough: int) -> int:
        """Return the least value over how far the chunk is raised above its first degree."""
        value, raised = self._target, 0
        while value > enough:
            value = min(value, self._over_slacks(chunk, raised, True, enough))
            # a chunk that begins the sequence is best not raised; without leaders of its own every raise costs more
            if chunk.start == 0 or self._over_slacks(chunk, raised + 1, False, self._target) >= self._target:
                break
            raised += 1
        return value

    def _over_slacks(self, chunk: _Chunk, raised: int, own_leaders: bool, enough: int) -> int:
        """Return a lower bound on the larger term over all slacks of the chunk behind the border, at most the target.

        What the second term is at a slack, it is at least at every smaller one; the first one rises with the slack.
        """
        above = self._above(chunk.start, chunk.end, raised)
        if above + self._below(chunk.end, 0) >= self._target:
            return self._target
        falling, low = self._target, -1
        rising, high = self._target, self._slack_at_target(chunk.end, above)
        # without slack the least is at most the larger term: a chunk that is too weak is found out at once
        if enough < self._target:
            at_most = max(above + self._below(chunk.end, 0), self._second(chunk, raised, 0, above, own_leaders))
            if at_most <= enough:
                return at_most
        middle = high - 1
        while high - low > 1:
            first = above + self._below(chunk.end, middle)
            second = self._second(chunk, raised, middle, above, own_leaders)
            if second > first:
                falling, low = second, middle
            else:
                rising, high = first, middle
            if min(falling, rising) <= enough or (enough >= self._target and min(falling, rising) < self._target):
                break
            middle = (low + high) // 2
        return min(falling, rising)

    def _slack_at_target(self, end: int, above: int) -> int:
        """Return the least slack at which the first term reaches the target."""
        ends = np.arange(end + self._k, min(self._degrees.size, end + 2 * self._k - 1) + 1)
        sizes = ends - end
        first = self._after[ends] + sizes * self._degrees[end] - (self._prefix[ends] - self._prefix[end]) + above
        # every unit of slack costs one for each position of the first chunk
        return int((-((first - self._target) // sizes)).max())

    def _second(self, chunk: _Chunk, raised: int, slack: int, above: int, own_leaders: bool) -> int:
        """Return the best second term over the numbers of leaders."""
        degrees, end = self._degrees, chunk.end
        if end >= degrees.size:
            return 0
        forced = int(np.searchsorted(-degrees[:end], -int(degrees[end]) - slack))
        best = 0
        for own in self._second_leaders if own_leaders and chunk.start else (0,):
            for leaders in self._leaders:
                if leaders > min(forced, chunk.start or forced):
                    break
                best = max(best, self._value(chunk, raised, forced, above, leaders, own))
                if best >= self._target:
                    return best
        return best

    def _value(self, chunk: _Chunk, raised: int, forced: int, above: int, leaders: int, own: int) -> int:
        place = Place(forced, chunk.end, leaders, chunk.start if own else 0, own, raised if own else 0)
        value = 2 * above - self._weight.taken(place, sharply=False)
        # without work a program says no more than that
        if value < self._target and forced < chunk.end and self._weight.work > 0:
            value = 2 * above - self._weight.taken(place, sharply=True)
        return value

    def _above(self, start: int, end: int, raised: int) -> int:
        """Return the least cost of the positions before a border whose last chunk is given."""
        if self._before[start] >= UNREACHABLE:
            return int(UNREACHABLE)
        goal = int(self._degrees[start]) + raised
        return int(self._before[start] + (end - start) * goal - (self._prefix[end] - self._prefix[start]))

    def _below(self, position: int, slack: int) -> int:
        """Return the least cost of the positions from a border on, the first chunk raised by `slack` beyond need."""
        if position == self._degrees.size:
            return 0
        goal = int(self._degrees[position]) + slack
        return least_behind(self._degrees, self._after, self._k, position, goal, 1, 0, 0)
