"""What the open places of a top set can make of it; see :mod:`graphkit.networks.bounds.top_set`."""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.bounds._set_question import heaviest, spares_of
from graphkit.networks.bounds.coverage import BestSets, SetBound
from graphkit.networks.core.high_degree_core import Positions

# what a program costs beside its edges, and a look without one, in edges of a program
_PROGRAM = 200
_LOOK = 10
_REMEMBERED = 0.3


class Place(NamedTuple):
    """A border, and who leads above it, in the words of the statement.

    `forced` is the size of F and `end` is s; the first `leaders` positions lead (x), and `own` of the last chunk (y),
    which begins at `start` (p) and is raised by `raised` (ρ) above its first degree: both 0 where none of it leads.
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
    """The terms lead, P and B of the statement, for positions of the core.

    Parameters
    ----------
    positions : Positions
        The highest vertices, and the degrees of all.
    """

    def __init__(self, positions: Positions) -> None:
        core, degrees = self._core, self._degrees = positions.core, positions.degrees
        self.work = 0.0
        """Edges that linear programs may have, small ones and looks without one counted for what they take; afterwards
        edges are left out of account."""
        counts = np.cumsum(core.joinable, axis=1, dtype=np.int32)
        self._before = np.concatenate((np.zeros((core.size, 1), dtype=np.int32), counts), axis=1)
        self._losses: dict[tuple[Place, bool], tuple[int, SetBound]] = {}
        self._sets = BestSets(~core.joinable)
        # the weight of a vertex outside the core that every hub can be joined to, less the hubs
        self._outside = int(degrees[core.size]) if degrees.size > core.size else -1

    def taken(self, place: Place, wanted: Wanted | None = None) -> int:
        """Return what the second term loses: leads, P and B; by programs where it is said how well it is wanted."""
        key = (place, wanted is not None)
        base, known = self._losses.get(key, (0, None))
        if known is not None and (wanted is None or known.serves(*_of_a_set(wanted, base))):
            self.work -= _REMEMBERED
            return base + 2 * known.bound
        self.work -= _LOOK
        # what is computed without work is less sharp than it can be with more
        is_final = wanted is None or self.work > 0
        base, known = self._taken(place, wanted)
        if is_final:
            self._losses[key] = base, known
        return base + 2 * known.bound

    def _taken(self, place: Place, wanted: Wanted | None) -> tuple[int, SetBound]:
        """Return the loss in two parts, the second one to be taken twice."""
        forced, end, leaders, start, own, _ = place
        degrees, places = self._degrees, end - forced
        leading = np.zeros(self._core.size, dtype=bool)
        leading[:leaders] = leading[start : start + own] = True
        lead = self._leads(place)
        to_leaders = self._core.joinable[:, :forced][:, leading[:forced]].sum(axis=1, dtype=np.int64)
        near = self._before[:, forced] - to_leaders
        fixed = int(near[:forced][~leading[:forced]].sum()) + int(lead[:forced].sum())
        base = fixed + self._penalty(place) + places * (places - 1) - 2 * int(degrees[forced:end].sum())
        if places == 0:
            return base, SetBound(0, 0)
        weights = near[forced:] + self._core.degrees[forced:]
        apart = leading[forced:]
        number = int(apart.sum())
        # pairs among the others, linear in the number of leaders: see the statement
        loss = 2 * places - number - 1 - lead[forced:] - 2 * self._core.degrees[forced:]
        weights[apart] = -(loss[apart] // 2)
        spare = None if self._outside < 0 else int((~leading[:forced]).sum()) + self._outside
        if wanted is None or self.work <= 0:
            return base, SetBound(int(heaviest(weights, spares_of(spare, places), places).sum()), 0)
        enough, useless = _of_a_set(wanted, base)
        found = self._sets.bound(weights, places, apart=apart, spare=spare, enough=enough, useless=useless)
        self.work -= found.edges + (_PROGRAM if found.edges else 0)
        return base, found

    def _leads(self, place: Place) -> Ints:
        """Return ``δ + min(δ, a)`` of every leader, 0 for others."""
        forced, end, leaders, start, own, raised = place
        rise = np.zeros(self._core.size, dtype=np.int64)
        rise[:leaders] = self._degrees[0] - self._degrees[:leaders]
        rise[start : start + own] = self._degrees[start] + raised - self._degrees[start : start + own]
        leads: Ints = rise + np.minimum(rise, self._before[:, forced] + end - forced)
        return leads

    def _penalty(self, place: Place) -> int:
        """Return P: what leaders cost that others of their chunk may have sent above the border."""
        forced, end, _, start, own, raised = place
        above = int(np.searchsorted(-self._degrees[:start], -int(self._degrees[start]) - raised))
        strangers = np.sort(self._before[start : start + own, forced] + end - forced)[::-1]
        return 2 * int(strangers[: start - above].sum())


def _of_a_set(wanted: Wanted, base: int) -> tuple[int, int]:
    """Return what is wanted of twice a set beside a base, of the set."""
    return (wanted.enough - base) // 2, (wanted.useless - base + 1) // 2
