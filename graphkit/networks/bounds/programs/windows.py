"""The integer program of a whole small graph, near a known set: few neighbouring levels change, or all a little."""

from typing import Any

import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.budget import Budget
from graphkit.networks.bounds.programs.edge_model import EdgeModel, price_of, steps_of
from graphkit.networks.bounds.programs.solving import probe_few, run_rounds, use_heuristics
from graphkit.networks.core.high_degree_core import Positions
from graphkit.solver import limit_columns

# columns of a question that count a unit, and units of a step of the simplex method, of which a column that is not
# fixed adds one part in so many
_READ, _STEP, _PART = 1, 40, 40


class WindowProgram(EdgeModel):
    """All sets of fewer edges than a known one, as near to that as is said each time.

    Parameters
    ----------
    positions : Positions
        All vertices of the graph, each in the core.
    after : ndarray of int64, shape (n,)
        On which level each position ends in the known solution.
    """

    def __init__(self, positions: Positions, after: Ints) -> None:
        super().__init__(positions, int((after - positions.degrees).sum()) // 2)
        self._after = after
        self._solver: Any = None
        self._occupied = np.unique(after)[::-1]
        self._stays = self._as_it_is()

    @property
    def levels(self) -> int:
        """How many levels the known solution has."""
        return int(self._occupied.size)

    def within(self, first: int, end: int) -> Floats:
        """Return the largest value of each column, where all stay who are not on the levels of a window.

        Those on them end on any level between the ones above and below; new edges may be any.

        Parameters
        ----------
        first, end : int
            The first of its levels, by descending degree, and the one behind the last.
        """
        occupied, after = self._occupied, self._after
        above = int(occupied[first - 1]) if first else self._degrees.size
        below = int(occupied[end]) if end < occupied.size else -1
        is_free = (above > after) & (after > below)
        begin = int(np.count_nonzero(after >= above))
        last = begin + int(np.count_nonzero(is_free))
        vertex, level = self._places
        goal = self._levels[level]
        is_inside = (above > goal) & (goal > below)
        places = np.where(is_free[vertex], is_inside, goal == after[vertex])
        start, stop, level = self._groups.T
        goal = self._levels[level]
        is_inside = (above > goal) & (goal > below) & (start >= begin) & (stop <= last)
        return self._most(is_inside | (self._stays & ((stop <= begin) | (start >= last))), places)

    def near(self, moves: int) -> Floats:
        """Return the largest value of each column, where everybody ends at most so many degrees from where it stands.

        Parameters
        ----------
        moves : int
            How far each may move, up or down. In order of the levels all places then move as far at most.
        """
        vertex, level = self._places
        places = np.abs(self._levels[level] - self._after[vertex]) <= moves
        start, stop, level = self._groups.T
        goal, of_place = self._levels[level], np.sort(self._after)[::-1]
        return self._most((of_place[start] - goal <= moves) & (goal - of_place[stop - 1] <= moves), places)

    def price(self, most: Floats) -> int:
        """Return about how many units a round of cuts takes at most."""
        return price_of(int(most.sum()))

    def solved(self, most: Floats, rounds: int, budget: Budget) -> tuple[Ints | None, bool]:
        """Solve it for what a window leaves possible.

        Parameters
        ----------
        most : ndarray of float64, shape (columns,)
            As :meth:`within` returns it.
        rounds : int
            Of cuts, after which it is ended.
        budget : Budget
            Its time ends it as well.

        Returns
        -------
        edges : ndarray of int64, shape (m, 2), or None
            The fewest that were found.
        is_cut : bool
            Whether it was ended by the number of rounds of cuts.
        """
        if self._solver is None:
            self._solver = self.integral(self.model())
            probe_few(self._solver, self.columns)
            use_heuristics(self._solver, are_used=True)
        limit_columns(self._solver, most)
        is_cut = run_rounds(self._solver, rounds, budget) > rounds
        self.work += self.columns // _READ + steps_of(self._solver) * (_STEP + int(most.sum()) // _PART)
        return self.edges_of(self._solver, self.limit), is_cut

    def _orders(self) -> list[tuple[Ints, Ints]]:
        """Say nothing of who need not end above whom: one of them may have to stay where it is."""
        return []

    def _most(self, groups: Bools, places: Bools) -> Floats:
        """Return the largest value of each column, given which of them may be used; new edges may be any."""
        return np.concatenate((groups, places, np.ones(self.columns - self._first_edge)))

    def _as_it_is(self) -> Bools:
        """Return whether a group is one of those into which the levels of the known solution are cut."""
        k, n = self._k, self._degrees.size
        _, counts = np.unique(-self._after, return_counts=True)
        firsts = np.cumsum(counts) - counts
        # k places each, the last one of a level takes what is left
        numbers = counts // k
        nth = np.arange(numbers.sum()) - np.repeat(np.cumsum(numbers) - numbers, numbers)
        starts = np.repeat(firsts, numbers) + nth * k
        wanted = np.column_stack((starts, np.append(starts[1:], n), np.repeat(self._occupied, numbers)))
        begin, end, level = self._groups.T
        groups = np.column_stack((begin, end, self._levels[level]))
        digits = (n + 1) ** np.arange(3)
        return np.isin(groups @ digits, wanted @ digits)
