"""What the open places of a top set can make of it; see :mod:`graphkit.networks.bounds.top_set`."""

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.budget import Budget
from graphkit.networks.bounds._excess import Excess, excess_behind, least_goal
from graphkit.networks.bounds.coverage import ANY, BestSets, SetBound
from graphkit.networks.bounds.top_sets.unused import Unused
from graphkit.networks.core.high_degree_core import Positions

# what a look without a program costs, in edges of one
_LOOK = 25
_REMEMBERED = 1.5
# what ends the questions about one border, at most
_ENDING = 1_000_000
# and what is exceeded behind a border, beside its positions times the places of a group
_EXCESS, _EXCESS_STEPS = 10, 20_000
LEADERS = (0, 1, 2, 3, 4, 6, 8, 11, 16, 24, 36, 54, 80)
"""Numbers of leaders that are worth asking about: among many, one more or less hardly matters."""


class Place(NamedTuple):
    """A border, and who leads above it, in the words of the statement.

    `forced` is the size of F and `end` is s; `leaders` positions of F lead (x), and `own` from `start` (p) on (y),
    where the last chunk begins, which is raised by `raised` (ρ) above its first degree: both 0 where none of it leads.
    """

    forced: int
    end: int
    leaders: int
    start: int
    own: int
    raised: int


class Wanted(NamedTuple):
    """When what a second term loses is known well enough."""

    enough: int
    """A loss of at most that is as good as any smaller one."""
    useless: int
    """So is any loss where it cannot be less than that."""


class TopSetWeight:
    """The terms lead, P, B, E and W of the statement, for positions of the core.

    Parameters
    ----------
    positions : Positions
        The highest vertices, and the degrees of all.
    most : int, optional
        Edges that linear programs may have for one question.
    """

    def __init__(self, positions: Positions, most: int = ANY) -> None:
        core, degrees = self._core, self._degrees = positions.core, positions.degrees
        self._k, self._most = positions.k, most
        self.took = 0.0
        """Edges that linear programs had, small ones and looks without one counted for what they take."""
        self.work, self.budget = math.inf, Budget()
        """When programs are over: where they took so much, or the budget is spent. Questions about one border are
        ended, where that takes no more than `_ENDING`: what half of them tell is of no use."""
        self._before = core.joinable_before()
        # who asks for little for what it could be joined to leads first
        alike = core.joinable[: positions.k, : positions.k].sum(axis=1)
        self._order = np.argsort(degrees[0] - degrees[: alike.size] - alike, kind="stable")
        self._losses: dict[Place, tuple[int, SetBound]] = {}
        self._behind: dict[Place, tuple[Excess, Unused | None]] = {}
        self._below = np.concatenate(([0], np.cumsum(degrees)))
        self._sets = BestSets(~core.joinable)
        # the weight of a vertex outside the core that every hub can be joined to, less the hubs
        self._outside = positions.outside

    @property
    def is_over(self) -> bool:
        """Whether no more programs are solved."""
        return self.took >= self.work or self.budget.is_spent()

    def taken(self, place: Place, wanted: Wanted) -> int:
        """Return what the second term loses: leads, P and B."""
        ask = None
        if place in self._losses:
            base, known = self._losses[place]
            self.took += _REMEMBERED
        else:
            base, ask = self._question(place)
            known = ask(enough=ANY)
        enough, useless = (wanted.enough - base) // 2, (wanted.useless - base + 1) // 2
        if not known.serves(enough, useless):
            known = (ask or self._question(place)[1])(enough=enough, useless=useless)
            self.took += known.edges
        self._losses[place] = base, known
        return base + 2 * known.bound

    def excess(self, place: Place, goal: int, above: int) -> int:
        """Return the greater of E and W: what those behind the border give to others than R.

        Parameters
        ----------
        place : Place
        goal : int
            The least degree of the group behind the border.
        above : int
            What those before it demand at least.
        """
        if place not in self._behind:
            self._behind[place] = self._those_behind(place)
        exceeding, unused = self._behind[place]
        value = exceeding.at(goal)
        if unused is None:
            return value
        before = unused.took
        # what all before the border could be joined to in the end
        room = place.end * (self._core.size - 1) - int(self._below[place.end]) - above
        value = max(value, unused.at(goal, room))
        self.took += unused.took - before
        return value

    def least_goal(self, place: Place, wanted: int, lowest: int, highest: int, above: int) -> int:
        """Return the lowest of some degrees behind the border with which :meth:`excess` is that much, one more than the
        highest if none."""
        return least_goal(lambda goal: self.excess(place, goal, above), wanted, lowest, highest)

    def _those_behind(self, place: Place) -> tuple[Excess, Unused | None]:
        forced, end, core = place.forced, place.end, self._core
        last = self._last(place)
        leading, near = self._beside(place, self._first(place, last), last)
        # R has all of F but leaders, and who else is in it may be adjacent to nobody behind
        others = end - place.leaders - int(np.count_nonzero(~leading[:forced]))
        lowest = -np.sort(-(core.degrees[forced:] + near[forced:]))
        keys = lowest + others
        if self._outside >= 0:
            # of those outside the core it is not known either, and there may be any number
            keys = np.maximum(keys, self._outside + end - place.leaders)
        behind = self._degrees[end : core.size]
        found = excess_behind(behind, keys, self._k, is_cut=self._outside >= 0)
        self.took += _EXCESS + found.keys.size * self._k // _EXCESS_STEPS
        if self._outside >= 0 or behind.size < self._k:
            return found, None
        # whoever ends before the border may be among the greatest of those outside F
        return found, Unused(behind, keys[: behind.size], lowest[end - forced :], self._k, int(self._degrees[0]))

    def _beside(self, place: Place, first: Ints, last: slice) -> tuple[Bools, Ints]:
        """Return who of the core leads, and how many of F that do not lead each can be joined to."""
        leading = np.zeros(self._core.size, dtype=bool)
        leading[first] = leading[last] = True
        forced = place.forced
        to_leaders = self._core.joinable[:, :forced][:, leading[:forced]].sum(axis=1, dtype=np.int64)
        near: Ints = self._before[:, forced] - to_leaders
        return leading, near

    def _question(self, place: Place) -> tuple[int, Callable[..., SetBound]]:
        """Return the loss in two parts: the first, and how to ask for the second, which is to be taken twice."""
        self.took += _LOOK
        forced, end = place.forced, place.end
        degrees, places = self._degrees, end - forced
        last = self._last(place)
        first = self._first(place, last)
        lead = self._leads(place, first, last)
        leading, near = self._beside(place, first, last)
        fixed = int(near[:forced][~leading[:forced]].sum()) + int(lead[:forced].sum())
        base = fixed + self._penalty(place, last) + places * (places - 1) - 2 * int(degrees[forced:end].sum())
        weights = near[forced:] + self._core.degrees[forced:]
        apart = leading[forced:]
        number = int(apart.sum())
        # pairs among the others, linear in the number of leaders: see the statement
        loss = 2 * places - number - 1 - lead[forced:] - 2 * self._core.degrees[forced:]
        weights[apart] = -(loss[apart] // 2)
        spare = None if self._outside < 0 else int((~leading[:forced]).sum()) + self._outside
        most = 0 if self.took >= self.work + _ENDING or self.budget.is_spent() else self._most
        return base, partial(self._sets.bound, weights, places, apart=apart, spare=spare, work=most)

    def _first(self, place: Place, last: slice) -> Ints:
        """Return X₁: who leads of those that are above in any case."""
        most = min(place.forced, last.start) if place.own else place.forced
        return self._order[self._order < most][: place.leaders]

    def _last(self, place: Place) -> slice:
        """Return X₂, who leads of the last chunk: from the first position on that may end at its degree."""
        start = place.start
        above = int(np.searchsorted(-self._degrees[:start], -int(self._degrees[start]) - place.raised))
        return slice(above, start + place.own) if place.own else slice(0, 0)

    def _leads(self, place: Place, first: Ints, last: slice) -> Ints:
        """Return ``δ + min(δ, a)`` of every leader, 0 for others."""
        forced, end, _, start, _, raised = place
        rise = np.zeros(self._core.size, dtype=np.int64)
        rise[first] = self._degrees[0] - self._degrees[first]
        rise[last] = self._degrees[start] + raised - self._degrees[last]
        leads: Ints = rise + np.minimum(rise, self._before[:, forced] + end - forced)
        return leads

    def _penalty(self, place: Place, last: slice) -> int:
        """Return P: what leaders cost that others of their chunk may have sent above the border."""
        forced, end, _, start, _, _ = place
        strangers = np.sort(self._before[last, forced] + end - forced)[::-1]
        return 2 * int(strangers[: start - last.start].sum())
