"""One component of a table: what is proven of its cells, and what is attained."""

import math
from dataclasses import dataclass, field

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.budget import Budget
from graphkit.errors import BrokenClaim
from graphkit.tables.propagation.outer_bounds import outer_bounds
from graphkit.tables.sharp_bounds.cell_values import CellValues, Interval
from graphkit.tables.sharp_bounds.prover import CellProver
from graphkit.tables.structure.contingency import MOST_TOGETHER, ContingencyTable, projected_cells
from graphkit.tables.structure.frechet import known_counts
from graphkit.tables.structure.hypergraph import Axes
from graphkit.tables.structure.released import ReleasedMarginals


@dataclass(slots=True, eq=False)
class Part:
    """A component, and which of its cells the chosen cells of the table are in."""

    places: Ints
    prover: CellProver | None
    """None where nothing can be found out: its counts are released, or it is too large."""
    lower: Ints
    upper: Ints
    least: Ints
    most: Ints
    values: dict[int, CellValues] = field(default_factory=dict)
    """Of its cells, where they were asked for and there is a prover."""

    def values_of(self, place: int) -> CellValues | None:
        """Return what is known of the counts in the cell that a chosen cell is in."""
        cell = int(self.places[place])
        if self.prover is not None and cell not in self.values:
            self.values[cell] = CellValues(self.prover, cell)
        return self.values.get(cell)

    def intervals_of(self, place: int) -> tuple[list[Interval], list[Interval]]:
        """Return the counts of this cell that are attained, and those that are possible."""
        values, cell = self.values_of(place), int(self.places[place])
        if values is not None:
            return values.attained, values.possible
        return [(int(self.least[cell]), int(self.most[cell]))], [(int(self.lower[cell]), int(self.upper[cell]))]


def known_part(released: ReleasedMarginals, axes: Axes, cells: Ints) -> Part:
    """Return a component whose counts are released."""
    counts = known_counts(released, axes).reshape(-1)
    return Part(projected_cells(cells, released.shape, axes), None, counts, counts, counts, counts)


def open_part(
    table: ContingencyTable, released: ReleasedMarginals, axes: Axes, cells: Ints, rng: Rng, budget: Budget
) -> Part:
    """Return a component whose counts are to be found out."""
    part, places = released.restricted(axes), projected_cells(cells, released.shape, axes)
    own = table.marginal(axes)
    if math.prod(part.shape) > MOST_TOGETHER:
        needed, index = np.unique(places, return_inverse=True)
        outer = outer_bounds(part, needed, budget=budget)
        # all that is known to be attained is what is the case
        counts = np.zeros(needed.size, dtype=np.int64)
        there = np.isin(needed, own.cells)
        counts[there] = own.counts[np.searchsorted(own.cells, needed[there])]
        return Part(index.reshape(-1), None, outer.lower, outer.upper, counts, counts)
    outer = outer_bounds(part, budget=budget)
    if outer.inconsistent:
        raise BrokenClaim("marginals of one table were found to contradict each other")
    prover = CellProver(part, outer.lower, outer.upper, rng, table=own.dense().reshape(-1))
    return Part(places, prover, prover.lower, prover.upper, prover.least, prover.most)
