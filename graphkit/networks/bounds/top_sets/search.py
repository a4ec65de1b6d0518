"""The least value over the chunk borders of a window, for many windows; see :mod:`graphkit.networks.bounds.top_set`."""

from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from graphkit.budget import Budget
from graphkit.networks.bounds.top_sets.weight import LEADERS, Place, TopSetWeight, Wanted
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.sequences.group_costs import UNREACHABLE, least_before, least_behind, least_from

_WINDOWS = 120


class _Chunk(NamedTuple):
    """The last chunk before a border."""

    first: int
    """The first term without slack: no path through the chunk has less."""
    start: int
    end: int


class _Known(NamedTuple):
    """What was found out about a chunk: its value where that is below the limit, elsewhere that it reaches it."""

    value: int
    limit: int


class _Care(IntEnum):
    """How exactly the value of a chunk is wanted."""

    DECISION = 0
    """Whether it reaches the limit: where it does not, anything below that."""
    VALUE = 1
    THOROUGH = 2
    """With all numbers of leaders."""


_Way = tuple[int, int]
"""How many lead: of the first positions, and of the last chunk."""


class _Raised(NamedTuple):
    """A chunk, how far it is raised, what all before the border demand then, and how many may lead."""

    chunk: _Chunk
    raised: int
    above: int
    ways: list[_Way]


class _Second:
    """The second term of a chunk with one set F: the largest over who leads.

    Parameters
    ----------
    above : int
        What is demanded above the border.
    goals : tuple of int
        The least degree of the chunk behind the border, and the least with this F.
    useless, wanted : int
        A term of no more is of no use, and one of more is none either.
    """

    def __init__(self, above: int, goals: tuple[int, int], useless: int, wanted: int) -> None:
        self._above, self._goals, self._useless, self._wanted = above, goals, useless, wanted
        self.value = 0
        """The term at the least degree with this F."""
        self.reached = goals[1]
        """The least degree of the chunk behind from which on it is what is wanted, where it is at the other one."""

    def try_out(self, weight: TopSetWeight, place: Place) -> bool:
        """Ask with these leaders; return whether they tell more than all before, and something of use."""
        (least, goal), above = self._goals, self._above
        most = 2 * above + weight.excess(place, goal, above)
        useless = max(self.value, self._useless)
        enough = 2 * above + weight.excess(place, least, above) - self._wanted
        loss = weight.taken(place, Wanted(enough, most - useless))
        if most - loss <= useless:
            return False
        self.value = most - loss
        self.reached = weight.least_goal(place, self._wanted + loss - 2 * above, least, goal, above)
        return True


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
        self._known: dict[tuple[int, int], _Known] = {}
        self._liked: _Way = (0, 0)
        self._leaders = [lead for lead in sorted({*range(9), *LEADERS}) if lead <= k]
        self._second_leaders = [own for own in LEADERS if own < k]

    def best(self, target: int, best: int, work: int, budget: Budget) -> tuple[int, float]:
        """Go on; return the best value of a window, or `best`, and what is left of the work.

        It is at most the target. What is left is below 0 where more work was spent than there was.
        """
        weight = self._weight
        self._target, weight.work, weight.budget = target, weight.took + work, budget
        while self._at < min(_WINDOWS + self._k, self._core.size - 2 * self._k):
            weakest, value = self._weakest(self._at, best)
            # a window that is cut short is looked at again, with what is known of its chunks
            if weight.is_over:
                break
            best = max(best, value)
            if weakest is None:
                break
            # it is in all windows up to there, and none of them has more
            self._at = weakest.end + 1
        return best, weight.work - weight.took

    def _weakest(self, window: int, enough: int) -> tuple[_Chunk | None, int]:
        """Return the chunk of least value across the beginning of a window and that value, or one not above `enough`.

        No chunk where all reach the target. To know that a chunk reaches a limit takes little, its value much.
        """
        chunks = self._chunks(window)
        for chunk in chunks:
            if self._least(chunk, enough + 1, _Care.DECISION) <= enough:
                return chunk, enough
        weakest, limit = None, self._target
        for chunk in chunks:
            value = self._least(chunk, limit, _Care.VALUE)
            if value < limit:
                weakest, limit = chunk, value
        return weakest, limit

    def _chunks(self, window: int) -> list[_Chunk]:
        """Return the chunks across the beginning of a window whose first term can be below the target, least first."""
        chunks = []
        for end in range(window, min(window + 2 * self._k - 1, self._core.size)):
            below = self._below(end, 0)
            for start in range(max(0, end - 2 * self._k + 1), min(window - 1, end - self._k) + 1):
                first = self._above(start, end, 0) + below
                if first < self._target:
                    chunks.append(_Chunk(first, start, end))
        return sorted(chunks)

    def _least(self, chunk: _Chunk, limit: int, care: _Care) -> int:
        """Return the value of a chunk, at most the limit."""
        if chunk.first >= limit:
            return limit
        key = chunk.start, chunk.end
        known = self._known.get(key)
        if known is not None and (known.value < known.limit or limit <= known.limit):
            return min(known.value, limit)
        value = self._over_raises(chunk, limit, care)
        if care is _Care.VALUE and value < limit and not self._weight.is_over:
            # of one that is weaker than all before everything counts
            value = max(value, self._over_raises(chunk, limit, _Care.THOROUGH))
        # without work it is not found out
        if not self._weight.is_over and (care or value == limit):
            self._known[key] = _Known(value, limit)
        return value

    def _over_raises(self, chunk: _Chunk, limit: int, care: _Care) -> int:
        """Return the least value over how far the chunk is raised above its first degree, at most the limit."""
        value, raised = limit, 0
        while True:
            value = self._over_slacks(chunk, raised, True, value, care)
            # a chunk that begins the sequence is best not raised
            if chunk.start == 0 or self._weight.is_over or (value < limit and not care):
                return value
            raised += 1
            # without leaders of its own every raise costs more, so one that reaches the value is the last; mostly none
            # does, after all numbers of leaders: so that is asked at 1, 2, 4, 8, …
            is_asked = raised & (raised - 1) == 0
            if is_asked and self._over_slacks(chunk, raised, False, value, _Care.DECISION) == value:
                return value

    def _over_slacks(self, chunk: _Chunk, raised: int, own_leaders: bool, limit: int, care: _Care) -> int:
        """Return the least of the larger term over all slacks of the chunk behind the border, at most the limit.

        From the highest slack down: with one set F of positions that are above in any case, both terms are least at the
        least slack. What is lost with that F is not less with the smaller one of a higher slack, so what F tells is
        told of all lower slacks as well, as far as what is exceeded behind the border suffices there.
        """
        raises = _Raised(chunk, raised, self._above(chunk.start, chunk.end, raised), self._ways(chunk, own_leaders))
        if care:
            # near where the two terms cross they are least, and with the value there the others are soon told
            low, high = -1, self._slack_at(limit, chunk.end, raises.above)
            middle = high // 2
            while high - low > 1 and not self._weight.is_over:
                lowest, first, second = self._terms(raises, middle, limit, care)
                limit = min(limit, max(first, second.value))
                low, high = (middle, high) if second.value > first else (low, lowest)
                middle = (low + high) // 2
        slack = self._slack_at(limit, chunk.end, raises.above) - 1
        while slack >= 0:
            if self._weight.is_over:
                return min(limit, raises.above + self._below(chunk.end, 0))
            lowest, first, second = self._terms(raises, slack, limit, care)
            # the first term is below the limit at that slack
            if second.value >= limit:
                slack = second.reached - int(self._degrees[chunk.end]) - 1
                continue
            limit = max(first, second.value)
            if not care:
                break
            slack = min(lowest, self._slack_at(limit, chunk.end, raises.above)) - 1
        return limit

    def _terms(self, raises: _Raised, slack: int, limit: int, care: _Care) -> tuple[int, int, _Second]:
        """Return the least slack with the same set F, and both terms there; the second as far as the limit goes."""
        chunk, raised, above, ways = raises
        behind, forced = int(self._degrees[chunk.end]), self._forced(chunk, slack)
        lowest = max(0, int(self._degrees[forced]) - behind) if forced < chunk.end else 0
        first = above + self._below(chunk.end, lowest)
        second = _Second(above, (behind, behind + lowest), first, limit)
        for leaders, own in self._liked_first(ways, care):
            if leaders <= min(forced, chunk.start or forced):
                place = Place(forced, chunk.end, leaders, chunk.start if own else 0, own, raised if own else 0)
                if second.try_out(self._weight, place):
                    self._liked = leaders, own
                if second.value >= limit:
                    break
        return lowest, first, second

    def _liked_first(self, ways: list[_Way], care: _Care) -> Iterator[_Way]:
        """Yield numbers of leaders, those that told most before first, then all that change one of the two.

        Nearly always changing one of the two at a time leads to the best, with a third of the trials; and with none of
        the chunk's own what holds at one raise holds at every higher one.
        """
        tried, around = set[_Way](), None
        while around != self._liked:
            around = self._liked
            for way in sorted(ways, key=lambda way: way != around):
                is_near = care is _Care.THOROUGH or way[0] == around[0] or way[1] in (0, around[1])
                if is_near and way not in tried:
                    tried.add(way)
                    yield way

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

    def _slack_at(self, limit: int, end: int, above: int) -> int:
        """Return the least slack at which the first term reaches a limit."""
        ends = np.arange(end + self._k, min(self._degrees.size, end + 2 * self._k - 1) + 1)
        sizes = ends - end
        first = self._after[ends] + sizes * self._degrees[end] - (self._prefix[ends] - self._prefix[end]) + above
        # every unit of slack costs one for each position of the first chunk
        return int((-((first - limit) // sizes)).max())

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
