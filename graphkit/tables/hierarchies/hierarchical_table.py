"""Marginals with merged categories, translated to plain ones of a table with hierarchical variables."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Bools, Ints, Rng
from graphkit.errors import InvalidInput
from graphkit.hierarchies.hierarchy import Hierarchy
from graphkit.tables.hierarchies.recoding import RecodedMarginal, recoded
from graphkit.tables.structure.contingency import MOST_TOGETHER, ContingencyTable, summed_counts
from graphkit.tables.structure.hypergraph import Axes, maximal_sets
from graphkit.tables.structure.released import ReleasedMarginals


@dataclass(frozen=True, slots=True, eq=False)
class HierarchicalTable:
    """A table in which a variable is several ones: one for each grouping, numbered within the coarser ones.

    Notes
    -----
    *What is gained.* A marginal with merged categories is a plain marginal of this table: by the first of the variables
    that stand for one. So all that holds of plain marginals, holds of these.

    *Why nothing is lost.* Groups may have different numbers of groups within them; cells of the hierarchical table that
    no category belongs to are zero. Where one grouping is the finest, all variables that stand for one are in the
    marginal that has it, so this marginal shows these zeros, and every table that has the marginals has them. Where a
    variable is never out with all its categories, those that no grouping tells apart are one category here. How records
    divide into them, nothing is known of: a cell with such a category can be empty, and can have all that its
    hierarchical cell has. So the tables that have the marginals correspond, and bounds carry over both ways.

    *What it asks.* That the marginals show all these zeros
    (:attr:`~graphkit.hierarchies.hierarchy.Hierarchy.shows_empty`). They do where of any two groupings of a
    variable one is coarser, where a marginal has a grouping finer than all, and where every combination of groups has a
    category. For other groupings that cross see :func:`~graphkit.tables.hierarchies.crossing.refined_crossings`.
    """

    table: ContingencyTable
    sets: tuple[Axes, ...]
    """The marginals that do not follow from others, by positions of this table's variables."""
    axes: tuple[Hierarchy, ...]
    """Of every variable of the table that it was made of."""

    @classmethod
    def of(
        cls, table: ContingencyTable, marginals: Iterable[Iterable[str | int] | RecodedMarginal]
    ) -> "HierarchicalTable":
        """Return the hierarchical table in which some marginals are plain.

        Parameters
        ----------
        table : ContingencyTable
        marginals : iterable of iterable of str or int, or RecodedMarginal
            With nothing merged, names or positions of variables will do.

        Raises
        ------
        InvalidInput
            If groupings of one variable cross and the marginals do not show which combinations of groups are empty, or
            the hierarchical table has more than 2^62 cells.

        Examples
        --------
        >>> from graphkit.hierarchies.variable import Variable
        >>> variables = Variable("age", ("0-19", "20-39", "40+")), Variable("ill", ("no", "yes"))
        >>> table = ContingencyTable.from_dense([[5, 1], [4, 0], [2, 2]], variables)
        >>> merged = RecodedMarginal.of(table, {"age": [("20-39", "40+")]}, ["age", "ill"])
        >>> hierarchical = HierarchicalTable.of(table, [merged, (0,)])
        >>> hierarchical.table.shape, hierarchical.sets, hierarchical.cells(np.arange(6)).tolist()
        ((2, 2, 2), ((0, 1), (0, 2)), [0, 1, 4, 5, 6, 7])
        """
        needed = needed_marginals(recoded(table, marginal) for marginal in marginals)
        axes = []
        for place, variable in enumerate(table.variables):
            used = {marginal.grouping(place) for marginal in needed if place in marginal.axes}
            axis = Hierarchy.of(variable, used or {tuple(range(variable.size))})
            if not axis.shows_empty:
                raise InvalidInput(f"categories of '{variable.name}' are merged in two ways that are not nested")
            axes.append(axis)
        variables = tuple(variable for axis in axes for variable in axis.variables)
        first = np.cumsum([0, *(len(axis.variables) for axis in axes)]).tolist()
        sets = [
            tuple(
                first[place] + depth
                for place, grouping in zip(marginal.axes, marginal.groupings, strict=True)
                for depth in axes[place].places(grouping)
            )
            for marginal in needed
        ]
        if all(axis.is_plain for axis in axes):
            return cls(table, maximal_sets(sets), tuple(axes))
        nobody = np.empty(0, dtype=np.int64)
        empty = cls(ContingencyTable(variables, nobody, nobody), maximal_sets(sets), tuple(axes))
        return cls(
            ContingencyTable(variables, *summed_counts(empty.cells(table.cells), table.counts)), empty.sets, empty.axes
        )

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the table that it was made of."""
        return tuple(axis.free.size for axis in self.axes)

    @property
    def is_plain(self) -> bool:
        """Whether nothing is merged, and the table is the one that it was made of."""
        return all(axis.is_plain for axis in self.axes)

    @property
    def is_one_to_one(self) -> bool:
        """Whether no categories are merged everywhere: as many tables have the marginals, here and there."""
        return not any(axis.free.any() for axis in self.axes)

    def released(self) -> ReleasedMarginals:
        """Return the marginals of the table, plain ones, as they are released."""
        return ReleasedMarginals.of(self.table, self.sets)

    def sizes(self) -> Ints | None:
        """Return how many cells of the first table are in each hierarchical cell, in C order; None where each is one.

        None, too, where these are more than 2^22: they would not be counted one by one.
        """
        size = math.prod(self.shape)
        if self.is_one_to_one or max(size, self.table.size) > MOST_TOGETHER:
            return None
        return np.bincount(self.cells(np.arange(size)), minlength=self.table.size).astype(np.int64)

    def cells(self, cells: Ints) -> Ints:
        """Return the hierarchical cells that cells of the first table are in."""
        if self.is_plain:
            return cells
        found = np.zeros(cells.shape, dtype=np.int64)
        for contribution, code in zip(self._contributions(), np.unravel_index(cells, self.shape), strict=True):
            found += contribution[code]
        return found

    def free(self, cells: Ints) -> Bools:
        """Return of which cells nothing is known but the hierarchical cell: anybody in it may be elsewhere in that."""
        found = np.zeros(cells.shape, dtype=np.bool_)
        for axis, code in zip(self.axes, np.unravel_index(cells, self.shape), strict=True):
            found |= axis.free[code]
        return found

    def placed(self, hierarchical: ContingencyTable, cell: int, *, inside: bool) -> Ints:
        """Return counts of a table of the first kind, all of a hierarchical cell in one cell, in C order.

        Parameters
        ----------
        hierarchical : ContingencyTable
            With the variables of :attr:`table`, and its marginals.
        cell : int
            Of the first table; it gets all of its hierarchical cell.
        inside : bool
            If not, it gets nobody, where it is :meth:`free`.
        """
        chosen = [np.array([group[0] for group in axis.groups]) for axis in self.axes]
        codes = [int(code) for code in np.unravel_index(cell, self.shape)]
        away = None if inside else next((at for at, axis in enumerate(self.axes) if axis.free[codes[at]]), None)
        for at, (axis, code) in enumerate(zip(self.axes, codes, strict=True)):
            group = axis.finest[code]
            others = axis.groups[group][axis.groups[group] != code]
            chosen[at][group] = others[0] if at == away else code
        groups = self._groups(hierarchical.cells)
        place = np.ravel_multi_index(tuple(c[group] for c, group in zip(chosen, groups, strict=True)), self.shape)
        counts = np.zeros(math.prod(self.shape), dtype=np.int64)
        np.add.at(counts, place, hierarchical.counts)
        return counts

    def drawn(self, hierarchical: ContingencyTable, table: ContingencyTable, rng: Rng) -> ContingencyTable:
        """Return a table of the first kind: everybody falls by chance into one of the categories of a hierarchical
        cell.

        Parameters
        ----------
        hierarchical : ContingencyTable
            With the variables of :attr:`table`, and its marginals.
        table : ContingencyTable
            Has the variables of the first table; its counts are not used.
        rng : numpy.random.Generator
        """
        counts, origin = hierarchical.counts, np.arange(hierarchical.cells.size)
        codes: list[Ints] = []
        for axis, group in zip(self.axes, self._groups(hierarchical.cells), strict=True):
            rows, code, counts = _divided(counts, group[origin], axis.groups, rng)
            origin, codes = origin[rows], [*(known[rows] for known in codes), code]
        cells = np.ravel_multi_index(tuple(codes), self.shape)
        return ContingencyTable(table.variables, *summed_counts(cells, counts))

    def _contributions(self) -> Iterator[Ints]:
        """Yield, by variable of the first table, what its categories add to the number of a hierarchical cell."""
        shape, first = self.table.shape, 0
        for axis in self.axes:
            weights = [math.prod(shape[first + depth + 1 :]) for depth in range(len(axis.variables))]
            yield np.array(weights, dtype=np.int64) @ axis.numbers
            first += len(axis.variables)

    def _groups(self, cells: Ints) -> Iterator[Ints]:
        """Yield, by variable of the first table, the group of each hierarchical cell in the finest grouping."""
        codes, first = np.array(np.unravel_index(cells, self.table.shape)), 0
        for axis in self.axes:
            last = first + len(axis.variables)
            weights = np.cumprod([1, *self.table.shape[first + 1 : last][::-1]])[::-1]
            of_groups = weights @ axis.numbers[:, [inside[0] for inside in axis.groups]]
            order = np.argsort(of_groups)
            yield order[np.searchsorted(of_groups[order], weights @ codes[first:last])]
            first = last


def needed_marginals(marginals: Iterable[RecodedMarginal]) -> list[RecodedMarginal]:
    """Return the marginals that do not follow from others, each once."""
    different = dict.fromkeys(marginals)
    # of plain ones there may be many
    largest = set(maximal_sets(one.axes for one in different if one.is_plain))
    kept = [one for one in different if not one.is_plain or one.axes in largest]
    merged = [one for one in kept if not one.is_plain]
    return [
        one
        for one in kept
        if not any(one is not other and one.within(other) for other in (merged if one.is_plain else kept))
    ]


def _divided(counts: Ints, group: Ints, groups: list[Ints], rng: Rng) -> tuple[Ints, Ints, Ints]:
    """Return places of counts, a category of their group, and the part that fell into it, where there is any."""
    found = []
    for number, inside in enumerate(groups):
        rows = np.flatnonzero(group == number)
        parts = rng.multinomial(counts[rows], np.full(inside.size, 1 / inside.size))
        found.append((np.repeat(rows, inside.size), np.tile(inside, rows.size), parts.reshape(-1)))
    rows, codes, parts = (np.concatenate(column) for column in zip(*found, strict=True))
    return rows[parts > 0], codes[parts > 0], parts[parts > 0]
