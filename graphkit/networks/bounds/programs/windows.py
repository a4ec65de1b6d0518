"""The integer program of a whole small graph, where all but a few neighbouring levels stay as they are."""

import highspy
import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.budget import Budget
from graphkit.networks.bounds.programs.edges import EdgeProgram, price_of
from graphkit.networks.bounds.programs.solving import ended_by, make_integral, probe_few, run, use_heuristics
from graphkit.networks.core.high_degree_core import Positions

# columns of a question that count a unit, and units of a step of the simplex method, of which a column that is not
# fixed adds one part in so many
_READ, _STEP, _PART = 1, 40, 40


class WindowProgram(EdgeProgram):
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
        self._occupied = np.unique(after)[::-1]

    @property
    def levels(self) -> int:
        """How many levels the known solution has."""
        return int(self._occupied.size)

    def price(self, window: tuple[int, int]) -> int:
        """Return about how many units a round of cuts takes at most."""
        return price_of(int(self._most(*window).sum()))

    def solved(self, window: tuple[int, int], rounds: int, budget: Budget) -> tuple[Ints | None, bool]:
        """Solve it where all vertices stay that are not on the levels of a window.

        Those on them end on any level between the ones above and below; new edges may be any.

        Parameters
        ----------
        window : tuple of int
            The first of its levels, by descending degree, and the one behind the last.
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
            self._load()
            make_integral(self._solver, self.columns)
            probe_few(self._solver, self.columns)
            use_heuristics(self._solver, are_used=True)
        most = self._most(*window)
        each = np.arange(self.columns, dtype=np.int32)
        self._solver.changeColsBounds(each.size, each, np.zeros(each.size), most)
        calls = 0

        def are_over(bound: float) -> bool:
            nonlocal calls
            calls += 1
            return calls > rounds

        with ended_by(self._solver, are_over):
            run(self._solver, budget)
        self.work += self.columns // _READ + self._steps() * (_STEP + int(most.sum()) // _PART)
        info = self._solver.getInfo()
        is_found = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
        return self._edges() if is_found else None, calls > rounds

    def _orders(self) -> list[tuple[Ints, Ints]]:
        """Say nothing of who need not end above whom: one of them may have to stay where it is."""
        return []

    def _most(self, first: int, end: int) -> np.ndarray:
        """Return the largest value of each column: 0 for what the window does not allow."""
        occupied, after = self._occupied, self._after
        above = int(occupied[first - 1]) if first else self._degrees.size
        below = int(occupied[end]) if end < occupied.size else -1
        is_free = (above > after) & (after > below)
        begin = int(np.count_nonzero(after >= above))
        last = begin + int(np.count_nonzero(is_free))
        most = np.ones(self.columns)
        vertex, level = self._places
        goal = self._levels[level]
        is_inside = (above > goal) & (goal > below)
        most[self._first_place : self._first_edge] = np.where(is_free[vertex], is_inside, goal == after[vertex])
        start, stop, level = self._groups.T
        goal = self._levels[level]
        is_inside = (above > goal) & (goal > below) & (start >= begin) & (stop <= last)
        most[: self._first_place] = is_inside | self._is_cut_as_it_is(begin, last)
        return most

    def _is_cut_as_it_is(self, begin: int, last: int) -> Bools:
        """Return whether a group is one of those into which the levels outside of these places are cut."""
        k, n = self._k, self._degrees.size
        _, counts = np.unique(-self._after, return_counts=True)
        firsts = np.cumsum(counts) - counts
        # k places each, the last one of a level takes what is left
        numbers = counts // k
        within = np.arange(numbers.sum()) - np.repeat(np.cumsum(numbers) - numbers, numbers)
        starts = np.repeat(firsts, numbers) + within * k
        stops = np.append(starts[1:], n)
        level = np.repeat(self._occupied, numbers)
        is_outside = (stops <= begin) | (starts >= last)
        wanted = np.column_stack((starts, stops, level))[is_outside]
        key = (self._groups[:, 0] * (n + 1) + self._groups[:, 1]) * (n + 1) + self._levels[self._groups[:, 2]]
        return np.isin(key, (wanted[:, 0] * (n + 1) + wanted[:, 1]) * (n + 1) + wanted[:, 2])
