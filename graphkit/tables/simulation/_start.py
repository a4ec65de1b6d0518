"""Tables to start chains from: found from the released marginals alone, so that they know nothing else."""

import math

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.budget import Budget
from graphkit.tables.programs.branching import best_table, nodes_worth
from graphkit.tables.programs.program import MarginalProgram
from graphkit.tables.propagation.outer_bounds import outer_bounds
from graphkit.tables.simulation._repair import RepairedTables
from graphkit.tables.structure.released import ReleasedMarginals

_MOST_COLUMNS = 20_000
_MOST_NODES = 500
_WEIGHT = 1_000


class StartTables:
    """Tables with given marginals: corners of the polytope, in directions at random, which are far from each other.

    Where branching does not get there, moves from a fit that is rounded at random; for large tables only these.

    Parameters
    ----------
    released : ReleasedMarginals
    """

    def __init__(self, released: ReleasedMarginals, budget: Budget) -> None:
        self._released = released
        self._program: MarginalProgram | None = None
        self._repaired: RepairedTables | None = None
        if math.prod(released.shape) > _MOST_COLUMNS:
            return
        bounds = outer_bounds(released, budget=budget)
        self.inconsistent = bounds.inconsistent
        if not bounds.inconsistent:
            self._program = MarginalProgram.within(released, bounds.lower, bounds.upper)

    inconsistent = False
    """Whether it is proven that there is no table."""

    def draw(self, rng: Rng, budget: Budget) -> Ints | None:
        """Return a table in C order, or None if none was found within the work that is worth it."""
        table = None if self._program is None else self._corner(self._program, rng, budget)
        if table is None and not self.inconsistent:
            if self._repaired is None:
                self._repaired = RepairedTables(self._released, budget)
            table = self._repaired.draw(rng, budget)
            if table is not None:
                # the other tables come from here, too: programs only take longer
                self._program = None
        return table

    def _corner(self, program: MarginalProgram, rng: Rng, budget: Budget) -> Ints | None:
        weights = rng.integers(-_WEIGHT, _WEIGHT + 1, size=program.size)
        ends = np.where(weights > 0, program.upper, program.lower)
        bound = sum(a * b for a, b in zip(weights.tolist(), ends.tolist(), strict=True))
        nodes = nodes_worth(program, _MOST_NODES)
        # any table will do: the first one that is whole ends the search
        found = best_table(program, weights, bound, budget, enough=-_WEIGHT * self._released.total, nodes=nodes)
        self.inconsistent |= found.bound is None
        return None if found.table is None else program.expanded(found.table)
