"""What the open places of a top set can make of it; see :mod:`graphkit.networks.bounds.top_set`."""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.bounds._convex_set import EIGENVALUES, Spectrum, spectrum_of
from graphkit.networks.bounds.coverage import best_set_bound
from graphkit.networks.core.high_degree_core import Positions

_MOST_EDGES = 30_000
# what a program costs beside its edges, and a look without one, in edges of a program
_PROGRAM = 200
_LOOK = 10
_REMEMBERED = 2
# with more vertices their eigenvalues serve for all that begin at about the same position
_MANY, _NEAR = 300, 32


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


class TopSetWeight:
    """The terms lead, P and B of the statement, for positions of the core.

    Parameters
    ----------
    positions : Positions
        The highest vertices, and the degrees of all.
    near : float
        See :func:`~graphkit.networks.bounds.coverage.best_set_bound`.
    """

    def __init__(self, positions: Positions, near: float) -> None:
        core, degrees = self._core, self._degrees = positions.core, positions.degrees
        self._near = near
        self.work = 0
        """Edges that linear programs may have, small ones and looks without one counted for what they take; afterwards
        edges are left out of account."""
        counts = np.cumsum(core.joinable, axis=1, dtype=np.int32)
        self._before = np.concatenate((np.zeros((core.size, 1), dtype=np.int32), counts), axis=1)
        self._bounds: dict[tuple[Place, bool], int] = {}
        self._spectra: dict[int, Spectrum] = {}
        self._multipliers = np.zeros((core.size, core.size), dtype=np.int64)
        # the weight of a vertex outside the core that every hub can be joined to, less the hubs
        self._outside = int(degrees[core.size]) if degrees.size > core.size else -1

    def taken(self, place: Place, *, sharply: bool) -> int:
        """Return what the second term loses: leads, P and B, by a linear program where `sharply` is said."""
        key = (place, sharply)
        if key in self._bounds:
            self.work -= _REMEMBERED
            return self._bounds[key]
        self.work -= _LOOK
        # what is computed without work is less sharp than it can be with more
        is_final = not sharply or self.work > 0
        bound = self._taken(place, sharply)
        if is_final:
            self._bounds[key] = bound
        return bound

    def _taken(self, place: Place, sharply: bool) -> int:
        forced, end, leaders, start, own, _ = place
        degrees, places = self._degrees, end - forced
        leading = np.zeros(self._core.size, dtype=bool)
        leading[:leaders] = leading[start : start + own] = True
        lead = self._leads(place)
        to_leaders = self._core.joinable[:, :forced][:, leading[:forced]].sum(axis=1, dtype=np.int64)
        near = self._before[:, forced] - to_leaders
        fixed = int(near[:forced][~leading[:forced]].sum()) + int(lead[:forced].sum())
        fixed += self._penalty(place)
        if places == 0:
            return fixed
        weights = near[forced:] + self._core.degrees[forced:]
        open_leaders = leading[forced:]
        number = int(open_leaders.sum())
        # pairs among the others, linear in the number of leaders: see the statement
        loss = 2 * places - number - 1 - lead[forced:] - 2 * self._core.degrees[forced:]
        weights[open_leaders] = -(loss[open_leaders] // 2)
        outside = None if self._outside < 0 else int((~leading[:forced]).sum()) + self._outside
        if sharply and self.work > 0:
            adjacent = ~self._core.joinable[forced:, forced:]
            adjacent[open_leaders] = adjacent[:, open_leaders] = False
            value, edges = best_set_bound(
                weights,
                adjacent,
                places,
                most_edges=_MOST_EDGES,
                spare=outside,
                spectrum=lambda: self._spectrum(forced),
                multipliers=self._multipliers[forced:, forced:],
                near=self._near,
            )
            self.work -= edges + (_PROGRAM if edges else 0)
        else:
            spares = np.full(0 if outside is None else places, outside or 0)
            value = int(np.sort(np.concatenate((weights, spares)))[::-1][:places].sum())
        return fixed + 2 * value + places * (places - 1) - 2 * int(degrees[forced:end].sum())

    def _spectrum(self, forced: int) -> Spectrum | None:
        """Return the spectrum of more than all who are open, where there are so many that it takes long."""
        size, begin = self._core.size, forced - forced % _NEAR
        if size - begin <= _MANY:
            return None
        if begin not in self._spectra:
            adjacent = ~self._core.joinable[begin:, begin:]
            np.fill_diagonal(adjacent, False)
            self._spectra[begin] = spectrum_of(adjacent)
            self.work -= (size - begin) ** 3 // EIGENVALUES
        return self._spectra[begin]

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
