"""The least value over the chunk borders of a window, for many windows; see :mod:`graphkit.networks.bounds.top_set`."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from heapq import heapify, heappop, heappush

import numpy as np

from graphkit.budget import Budget
from graphkit.networks.bounds._top_set_weight import Place, TopSetWeight, Wanted
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.sequences.group_costs import UNREACHABLE, least_before, least_behind, least_from

_WINDOWS = 120
_MORE_LEADERS = (11, 16, 24, 36, 54, 80)


@dataclass(order=True, slots=True)
class _Chunk:
    """The last chunk before a border, with the value proven for all paths through it so far."""

    value: int
    refined: bool
    start: int = field(compare=False)
    end: int = field(compare=False)


_Way = tuple[int, int]
"""How many lead: of the first positions, and of the last chunk."""


class _Second:
    """The second term of one chunk, by the slack: the largest over the numbers of leaders."""

    def __init__(self, ways: list[_Way], value: Callable[[int, _Way, int], int]) -> None:
        self._ways, self._value = ways, value
        self._told: dict[_Way, tuple[int, int]] = {}
        self.liked = ways[0]
        """The numbers of leaders that were last found to tell enough."""

    def at(self, slack: int, forced: int, useless: int, enough: int) -> int:
        """Return the term at a slack, something not above what is useless, or at least what is enough.

        The useless may only grow with the slack.
        """
        best = 0
        for way in sorted(self._ways, key=lambda way: way != self.liked):
            # with more slack a number of leaders tells less
            asked_at, told = self._told.get(way, (slack, 0))
            if asked_at < slack and told <= useless:
                continue
            told = self._value(forced, way, max(best, useless))
            if asked_at >= slack:
                self._told[way] = slack, told
            if told > best:
                best, self.liked = told, way if told > useless else self.liked
            if best >= enough:
                break
        return best


class TopSetSearch:
    """Values of the top-set bound, all in sums of demands.

    Parameters
    ----------
    positions : Positions
        The highest vertices, and the degrees of all.
    """

    def __init__(self, positions: Positions) -> None:
        core, degrees, k = positions.core, positions.degrees, positions.k
        self._core, self._degrees, self._k, self._target, self._at = core, degrees, k, 0, 1
        self._before, self._after = least_before(degrees, k), least_from(degrees, k, 1, 0, 0)
        self._prefix = np.concatenate(([0], np.cumsum(degrees)))
        self._weight = TopSetWeight(positions)
        self._refined: dict[tuple[int, int], int] = {}
        self._liked: _Way = (0, 0)
        self._leaders = [lead for lead in (*range(9), *_MORE_LEADERS) if lead <= k]
        self._second_leaders = [own for own in (0, 1, 2, 3, 4, 6, 8, *_MORE_LEADERS) if own < k]

    def best(self, target: int, best: int, work: int, budget: Budget) -> tuple[int, float]:
        """Go on, with another target at the first window; return the best value of a window, or `best`, and work left.

        It is at most the target. What is left is below 0 where more work was spent than there was.
        """
        if target != self._target:
            self._target, self._at = target, 1
            self._refined.clear()
        self._weight.work = work
        while self._at < min(_WINDOWS + self._k, self._core.size - 2 * self._k):
            weakest = self._weakest(self._at, best)
            best = max(best, self._target if weakest is None else weakest.value)
            # a window that is cut short is looked at again, with the bounds that are remembered
            if weakest is None or self._weight.work <= 0 or budget.is_spent():
                break
            # it is in all windows up to there, and none of them has more
            self._at = weakest.end + 1
        return best, self._weight.work

    def _weakest(self, window: int, enough: int) -> _Chunk | None:
        """Return the chunk of least value across the beginning of a window, or one not above `enough`.

        None where all reach the target.
        """
        chunks = self._chunks(window)
        heapify(chunks)
        while chunks:
            chunk = heappop(chunks)
            if chunk.refined:
                return chunk if chunk.value < self._target else None
            chunk.value = max(chunk.value, self._refine(chunk, enough))
            if chunk.value <= enough:
                return chunk
            chunk.refined = True
            heappush(chunks, chunk)
        return None

    def _refine(self, chunk: _Chunk, enough: int) -> int:
        """Return the value of a chunk, or something not above `enough`, which never falls for one target."""
        key = chunk.start, chunk.end
        if key in self._refined:
            return self._refined[key]
        value = self._over_raises(chunk, enough)
        # without work the programs say less
        if self._weight.work > 0:
            self._refined[key] = value
        return value

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
        first = above + self._below(chunk.end, 0)
        if first >= self._target:
            return self._target
        second = _Second(self._ways(chunk, own_leaders), partial(self._value, chunk, raised, above))
        falling, low = self._target, -1
        rising, high = self._target, self._slack_at_target(chunk.end, above)
        # without slack the least is at most the larger term: a chunk that is too weak is found out at once
        if enough < self._target:
            at_most = max(first, second.at(0, self._forced(chunk, 0), max(first, enough), enough + 1))
            if at_most <= enough:
                return at_most
        middle = high - 1
        while high - low > 1:
            first = above + self._below(chunk.end, middle)
            floor = max(first, min(enough, self._target - 1))
            # where they cross, the least is not above the first term at the next slack
            ceiling = min(self._target, max(above + self._below(chunk.end, middle + 1), floor + 1))
            value = second.at(middle, self._forced(chunk, middle), floor, ceiling)
            if value > first:
                falling, low = value, middle
            else:
                rising, high = first, middle
            if min(falling, rising) <= enough or (enough >= self._target and min(falling, rising) < self._target):
                break
            middle = (low + high) // 2
        self._liked = second.liked
        return min(falling, rising)

    def _forced(self, chunk: _Chunk, slack: int) -> int:
        """Return the number of positions of a degree above that of the chunk behind the border."""
        return int(np.searchsorted(-self._degrees[: chunk.end], -int(self._degrees[chunk.end]) - slack))

    def _ways(self, chunk: _Chunk, own_leaders: bool) -> list[_Way]:
        """Return all numbers of leaders, those first that told most of another chunk."""
        ways = [
            (leaders, own)
            for own in (self._second_leaders if own_leaders and chunk.start else (0,))
            for leaders in self._leaders
        ]
        return sorted(ways, key=lambda way: way != self._liked)

    def _slack_at_target(self, end: int, above: int) -> int:
        """Return the least slack at which the first term reaches the target."""
        ends = np.arange(end + self._k, min(self._degrees.size, end + 2 * self._k - 1) + 1)
        sizes = ends - end
        first = self._after[ends] + sizes * self._degrees[end] - (self._prefix[ends] - self._prefix[end]) + above
        # every unit of slack costs one for each position of the first chunk
        return int((-((first - self._target) // sizes)).max())

    def _value(self, chunk: _Chunk, raised: int, above: int, forced: int, way: _Way, useless: int) -> int:
        """Return the second term with some leaders, or something not above what is useless."""
        leaders, own = way
        if leaders > min(forced, chunk.start or forced):
            return 0
        place = Place(forced, chunk.end, leaders, chunk.start if own else 0, own, raised if own else 0)
        value = 2 * above - self._weight.taken(place)
        # without work a program says no more than that
        if value < self._target and forced < chunk.end and self._weight.work > 0:
            wanted = Wanted(2 * above - self._target, 2 * above - useless)
            value = 2 * above - self._weight.taken(place, wanted)
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
