"""What counts some cells of a table can have, pieced together from its components; see Theorem 2."""

import numpy as np

from graphkit.arrays import Bools, Ints, Rng
from graphkit.budget import Budget
from graphkit.tables.sharp_bounds._prover_parts import Part, known_part, open_part
from graphkit.tables.sharp_bounds.cell_values import combined, number_of
from graphkit.tables.sharp_bounds.prover import CellProver
from graphkit.tables.structure.contingency import ContingencyTable, projected_cells
from graphkit.tables.structure.frechet import Bounds, known_counts
from graphkit.tables.structure.released import ReleasedMarginals

# questions about the counts of one cell, by moves and by programs
_WALKS, _QUESTIONS = 1_000, 200


class TableProver:
    """Proven bounds of some cells of a table, and counts that they really have in tables with the same marginals.

    Parameters
    ----------
    table : ContingencyTable
        The table; it has the marginals, so its counts are attained.
    released : ReleasedMarginals
        Its marginals that are out.
    cells : ndarray of int64, shape (m,)
        Numbers of the cells in C order.
    rng : numpy.random.Generator
        Chooses the order in which moves are tried.
    budget : Budget
        Ends propagation early.
    free : ndarray of bool, shape (m,), optional
        Which cells are only part of what has the number: where categories are merged, all of it may be elsewhere.

    Raises
    ------
    BrokenClaim
        If the marginals are found to contradict each other: they are of one table.

    Notes
    -----
    Tables of the components that have the same counts by the separators, which are released, can be combined to a table
    of all variables, and so that a cell has any of the counts between the two sides of Theorem 2. So counts that are
    attained in the components are attained in the table, by the same formula as for their bounds. Where the marginals
    are decomposable every component is known, and both sides are the same: Theorem 1.

    References
    ----------
    Dobra, Fienberg 2001, Theorems 1 and 2.
    """

    def __init__(
        self,
        table: ContingencyTable,
        released: ReleasedMarginals,
        cells: Ints,
        rng: Rng,
        budget: Budget,
        free: Bools | None = None,
    ) -> None:
        decomposition = released.decomposition
        self._total, self._size = released.total, cells.size
        self._parts = [
            known_part(released, axes, cells) if known else open_part(table, released, axes, cells, rng, budget)
            for axes, known in zip(decomposition.components, decomposition.known, strict=True)
        ]
        # records that each component shares with those before it, the first one with all
        self._shared = [
            known_counts(released, axes).reshape(-1)[projected_cells(cells, released.shape, axes)]
            for axes in decomposition.separators
        ]
        # records may be in any category of a variable that nothing is known of
        is_uncovered = bool(decomposition.uncovered(released.shape))
        self._free = np.full(cells.size, is_uncovered) if free is None else free | is_uncovered
        self._known_lower = np.zeros(cells.size, dtype=np.int64)
        self._known_upper = np.full(cells.size, released.total, dtype=np.int64)

    def note(self, places: Ints, lower: Ints, upper: Ints) -> None:
        """Take in bounds that were proven before, of cells by their places among the chosen ones."""
        np.maximum.at(self._known_lower, places, lower)
        np.minimum.at(self._known_upper, places, upper)

    def proven(self, chosen: Ints | None = None) -> Bounds:
        """Return proven lower and upper bounds of all the cells, or of some by their places among them."""
        chosen = np.arange(self._size) if chosen is None else chosen
        lower, upper = self._pieced([(part.places, part.lower, part.upper) for part in self._parts], chosen)
        return np.maximum(lower, self._known_lower[chosen]), np.minimum(upper, self._known_upper[chosen])

    def attained(self, chosen: Ints | None = None) -> Bounds:
        """Return the least and the largest counts that are known to be attained."""
        chosen = np.arange(self._size) if chosen is None else chosen
        return self._pieced([(part.places, part.least, part.most) for part in self._parts], chosen)

    def _pieced(self, sides: list[tuple[Ints, Ints, Ints]], chosen: Ints) -> Bounds:
        lower, upper = np.full((2, chosen.size), self._total, dtype=np.int64)
        for (places, least, most), shared in zip(sides, self._shared, strict=True):
            lower += least[places[chosen]] - shared[chosen]
            np.minimum(upper, most[places[chosen]], out=upper)
        lower[self._free[chosen]] = 0
        return np.maximum(lower, 0), upper

    def walk_all(self, width: Ints, least_upper: Ints, budget: Budget, *, effort: int) -> None:
        """Look for tables in which cells are as wide, and as large, as is asked; by moves alone, for all cells.

        Parameters
        ----------
        width, least_upper : ndarray of int64, shape (m,)
            As for :meth:`widen`, for every one of the chosen cells.
        budget : Budget
            Ends it early.
        effort : int
            Corners of subtables that one walk looks at, about.
        """
        # small counts, which are most of those that are asked for, are sooner lowered than raised
        for part in self._parts:
            if part.prover is not None:
                least, most = self.attained()
                lacking = width - (most - least)
                goals = np.maximum(part.least[part.places] - lacking, 0)
                _walk(part, part.prover, (lacking > 0) & ~self._free, goals, budget, effort)
        for part in self._parts:
            if part.prover is not None:
                least, most = self.attained()
                goals = np.maximum(least + width, least_upper)
                _walk(part, part.prover, most < goals, goals, budget, effort)

    def widen(self, place: int, width: int, least_upper: int, budget: Budget) -> None:
        """Look by programs for tables in which a cell is as wide, and as large, as is asked, or prove that none is.

        Parameters
        ----------
        place : int
            Of the cell among the chosen ones.
        width : int
            How far apart its counts should be.
        least_upper : int
            What its largest count should at least be.
        budget : Budget
            Ends programs early.
        """
        one = np.array([place])
        for part in self._parts:
            if part.prover is not None:
                (least,), (most,) = self.attained(one)
                goal = max(int(least) + width, least_upper)
                cell = int(part.places[place])
                if most < goal and part.prover.most[cell] < goal:
                    part.prover.raise_most(cell, budget, enough=goal)
        for part in self._parts:
            if part.prover is not None and not self._free[place]:
                (least,), (most,) = self.attained(one)
                lacking = width - int(most - least)
                if lacking > 0:
                    cell = int(part.places[place])
                    part.prover.cut_least(cell, budget, enough=max(int(part.least[cell]) - lacking, 0))
        if not self.is_met(place, width, least_upper):
            # one side gave as much as it was asked for, the other could not: both to their ends
            for part in self._parts:
                if part.prover is not None:
                    part.prover.raise_most(int(part.places[place]), budget)
                    part.prover.cut_least(int(part.places[place]), budget)

    def count_values(self, place: int, enough: int, budget: Budget) -> tuple[int, int]:
        """Return how many counts of a cell are attained at least, and at most.

        Parameters
        ----------
        place : int
            Of the cell among the chosen ones.
        enough : int
            How many are asked for: once it is settled whether there are so many, nothing more is looked for.
        budget : Budget
            Ends the search early; what is returned is proven all the same.
        """
        parts = [values for part in self._parts if (values := part.values_of(place)) is not None]
        for sharply, questions in ((False, _WALKS), (True, _QUESTIONS)):
            for _ in range(questions):
                least, most = self._number_of_values(place)
                if least >= enough or most < enough:
                    return least, most
                if not any(values.learn(budget, sharply=sharply) for values in parts):
                    break
        return self._number_of_values(place)

    def _number_of_values(self, place: int) -> tuple[int, int]:
        attained = possible = [(self._total, self._total)]
        for part, shared in zip(self._parts, self._shared, strict=True):
            found, left = part.intervals_of(place)
            attained = combined(attained, found, int(shared[place]))
            possible = combined(possible, left, int(shared[place]))
        if self._free[place]:
            attained, possible = [(0, attained[-1][1])], [(0, possible[-1][1])]
        low, high = int(self._known_lower[place]), int(self._known_upper[place])
        within = [(max(a, low), min(b, high)) for a, b in possible if a <= high and b >= low]
        return number_of(attained), number_of(within)

    def is_met(self, place: int, width: int, least_upper: int) -> bool:
        """Whether tables were found in which a cell is as wide, and as large, as is asked."""
        (least,), (most,) = self.attained(np.array([place]))
        return bool(most - least >= width and most >= least_upper)


def _walk(part: Part, prover: CellProver, lacking: Bools, goals: Ints, budget: Budget, effort: int) -> None:
    """Walk for all cells of a part that chosen ones are lacking in, each towards the farthest of their goals."""
    places, goals = part.places[lacking], goals[lacking]
    order = np.lexsort((goals, places))
    goals = goals[order]
    cells, first, sizes = np.unique(places[order], return_index=True, return_counts=True)
    # the last of a cell where it is to be raised, the first where it is to be lowered
    ends = goals[first].tolist(), goals[first + sizes - 1].tolist()
    for cell, low, high in zip(cells.tolist(), *ends, strict=True):
        if budget.is_spent():
            return
        if prover.most[cell] < high:
            prover.walk(cell, high, budget, effort=effort)
        elif prover.least[cell] > low:
            prover.walk(cell, low, budget, effort=effort)
