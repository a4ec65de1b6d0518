"""A chain over the tables with decomposable marginals that holds people, not cells: for sparse tables of any size."""

from __future__ import annotations

import numpy as np

from graphkit.tables._random_words import new_state
from graphkit.tables._simulation_swaps import Crowd, count_people, swap
from graphkit.tables._simulation_tree import Cuts
from graphkit.tables.contingency import SparseCounts, strides_of
from graphkit.tables.frechet import projected_cells

__all__ = ["PeopleChain"]


class PeopleChain:
    """A chain that starts from a table and has all tables alike in the end.

    Parameters
    ----------
    shape : tuple of int
        Number of categories of every variable.
    cuts : Cuts
        Between the released marginals, which must be decomposable.
    table : (ndarray of int64, ndarray of int64)
        Numbers and counts of the cells that are not zero; at least one person.
    rng : numpy.random.Generator
        Seeds the chain.

    Notes
    -----
    Each step takes two people who agree on a separator and swaps what is behind it. *Why all tables are connected*: a
    table is what arises when the people of the marginals, one list each, are matched one to one along the edges of the
    junction tree, within the groups that agree on a separator. A swap exchanges two partners at one edge, and leaves
    all other matchings; exchanges lead from any matching to any other. Sweeps are a step shorter now and then: chains
    that hardly ever stay would be nearly periodic. O(k) a step for k variables.

    References
    ----------
    A. Dobra, Markov bases for decomposable graphical models, Bernoulli 9, 2003.
    """

    def __init__(self, shape: tuple[int, ...], cuts: Cuts, table: SparseCounts, rng: np.random.Generator) -> None:
        cells = np.repeat(*table)
        people, edges = cells.size, len(cuts.separators)
        order = np.empty((edges, people), dtype=np.int32)
        place, group = order.copy(), order.copy()
        begins = []
        for edge, separator in enumerate(cuts.separators):
            number = projected_cells(cells, shape, separator)
            order[edge] = np.argsort(number, kind="stable")
            place[edge, order[edge]] = np.arange(people, dtype=np.int32)
            _, first, inverse = np.unique(number[order[edge]], return_index=True, return_inverse=True)
            group[edge] = inverse.reshape(-1)
            begins.append(first)
        width = max(map(len, begins), default=0)
        starts, ends = np.zeros((edges, width), dtype=np.int64), np.zeros((edges, width), dtype=np.int64)
        for edge, first in enumerate(begins):
            starts[edge, : first.size] = first
            ends[edge, : first.size] = np.append(first[1:], people)
        slots = 1 << max(4, (4 * people - 1).bit_length())
        within = [
            [one != other and set(cuts.behind[other]) < set(cuts.behind[one]) for other in range(edges)]
            for one in range(edges)
        ]
        self._crowd = Crowd(
            cells,
            order,
            place,
            group,
            starts,
            ends,
            cuts.sides(len(shape)),
            np.array(within, dtype=np.bool_).reshape(edges, edges),
            np.array(cuts.uncovered, dtype=np.int64),
            np.array(shape, dtype=np.int64),
            strides_of(shape),
            np.empty(slots, dtype=np.int64),
            np.empty(slots, dtype=np.int64),
            np.zeros(1, dtype=np.int64),
            new_state(rng),
        )
        count_people(self._crowd)
        self._rng = rng
        self.steps = people if edges or cuts.uncovered else 0
        """Steps of a sweep."""
        self.proposed, self.accepted = 0, 0

    def sweep(self) -> None:
        """Make as many steps as there are people."""
        if self.steps:
            steps = self.steps - int(self._rng.integers(2))
            self.accepted += swap(self._crowd, steps)
            self.proposed += steps

    def counts(self) -> SparseCounts:
        """Return numbers and counts of the cells that are not zero, ascending."""
        cells, counts = np.unique(self._crowd.cells, return_counts=True)
        return cells, counts.astype(np.int64)
