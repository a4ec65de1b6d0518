"""Marginals in which categories are merged; the field calls that global recoding."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graphkit.errors import InvalidInput
from graphkit.hierarchies.grouping import (
    Grouping,
    grouping_of,
    is_coarser,
    named_groups,
    numbered,
    recoded_variable,
)
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable, summed_counts
from graphkit.tables.structure.hypergraph import Axes

MergedCategories = dict[str, tuple[tuple[str, ...], ...]]
"""Categories that become one, by the name of their variable."""


@dataclass(frozen=True, slots=True)
class RecodedMarginal:
    """A marginal by some variables, with categories of some of them merged.

    Parameters
    ----------
    axes : tuple of int
        Positions of the variables, ascending.
    groupings : tuple of Grouping
        Of each of the variables; one group a category where nothing is merged.

    Raises
    ------
    InvalidInput
        If variables are not in order, or groups are not numbered in the order of their first categories.

    Examples
    --------
    >>> young_and_old = RecodedMarginal((0, 2), ((0, 0, 1), (0, 1)))
    >>> young_and_old.is_plain, young_and_old.within(RecodedMarginal((0, 1, 2), ((0, 1, 2), (0, 1), (0, 1))))
    (False, True)
    """

    axes: Axes
    groupings: tuple[Grouping, ...]

    def __post_init__(self) -> None:
        if list(self.axes) != sorted(set(self.axes)) or len(self.axes) != len(self.groupings):
            raise InvalidInput("a marginal with merged categories needs its variables in order, and groups of each")
        if any(grouping != numbered(grouping) for grouping in self.groupings):
            raise InvalidInput("groups of categories must be numbered from 0, in the order of their first categories")

    @classmethod
    def of(
        cls, table: ContingencyTable, merged: Mapping[str, Iterable[Iterable[str]]], names: Iterable[str | int]
    ) -> "RecodedMarginal":
        """Return the marginal by some variables of a table, with categories merged.

        Parameters
        ----------
        table : ContingencyTable
        merged : mapping of str to iterable of iterable of str
            Categories that become one, by the name of the variable; those that are not named stay as they are.
        names : iterable of str or int
            Names or positions of the variables, in any order.

        Raises
        ------
        InvalidInput
            If a variable or category is not there, is there twice, or a variable is merged that is not asked for, or
            merged into a single category.

        Examples
        --------
        >>> age = Variable("age", ("0-19", "20-39", "40+"))
        >>> table = ContingencyTable.from_dense([[5, 1], [4, 0], [2, 2]], (age, Variable("ill", ("no", "yes"))))
        >>> RecodedMarginal.of(table, {"age": [("20-39", "40+")]}, ["ill", "age"])
        RecodedMarginal(axes=(0, 1), groupings=((0, 1, 1), (0, 1)))
        """
        axes = table.axes(names)
        chosen = [table.variables[axis] for axis in axes]
        known = {variable.name for variable in chosen}
        for name in merged:
            if name not in known:
                raise InvalidInput(f"categories of '{name}' are merged, but the marginal is not by '{name}'")
        groupings = tuple(grouping_of(variable, merged.get(variable.name, ())) for variable in chosen)
        for variable, grouping in zip(chosen, groupings, strict=True):
            if variable.size > 1 and max(grouping) == 0:
                raise InvalidInput(f"all categories of '{variable.name}' are merged into one; leave the variable out")
        return cls(axes, groupings)

    @classmethod
    def plain(cls, table: ContingencyTable, axes: Axes) -> "RecodedMarginal":
        """Return the marginal by some variables, nothing merged."""
        return cls(axes, tuple(tuple(range(table.shape[axis])) for axis in axes))

    @property
    def rank(self) -> tuple[int, Axes, tuple[Grouping, ...]]:
        """By which marginals are put in order: those of the fewest variables first."""
        return len(self.axes), self.axes, self.groupings

    @property
    def is_plain(self) -> bool:
        """Whether nothing is merged."""
        return self.plain_part == self.axes

    @property
    def plain_part(self) -> Axes:
        """The variables of which no categories are merged: the plain marginal by these follows from this one."""
        parts = zip(self.axes, self.groupings, strict=True)
        return tuple(axis for axis, grouping in parts if max(grouping) + 1 == len(grouping))

    def grouping(self, axis: int) -> Grouping:
        """Return the groups of a variable's categories, by its position in the table."""
        return self.groupings[self.axes.index(axis)]

    def within(self, other: "RecodedMarginal") -> bool:
        """Whether this marginal follows from another one by adding up."""
        return set(self.axes) <= set(other.axes) and all(
            is_coarser(grouping, other.grouping(axis)) for axis, grouping in zip(self.axes, self.groupings, strict=True)
        )

    def same(self, one: ContingencyTable, other: ContingencyTable) -> bool:
        """Whether two tables with the same variables have the same counts here."""
        first, second = self.counts(one), self.counts(other)
        return np.array_equal(first.cells, second.cells) and np.array_equal(first.counts, second.counts)

    def merged(self, variables: Sequence[Variable]) -> MergedCategories:
        """Return which categories are merged, given the variables of the table; only variables where some are.

        Examples
        --------
        >>> RecodedMarginal((0,), ((0, 1, 1),)).merged([Variable("age", ("0-19", "20-39", "40+"))])
        {'age': (('20-39', '40+'),)}
        """
        found: MergedCategories = {}
        for axis, grouping in zip(self.axes, self.groupings, strict=True):
            together = tuple(names for names in named_groups(variables[axis], grouping) if len(names) > 1)
            if together:
                found[variables[axis].name] = together
        return found

    def check_shape(self, shape: tuple[int, ...]) -> None:
        """Stop unless a table of this shape has such a marginal.

        Raises
        ------
        InvalidInput
            If it has not.
        """
        sizes = dict(enumerate(shape))
        if [len(grouping) for grouping in self.groupings] != [sizes.get(axis) for axis in self.axes]:
            raise InvalidInput("a marginal with merged categories belongs to a table of another shape")

    def counts(self, table: ContingencyTable) -> ContingencyTable:
        """Return the counts of a table by these variables and groups; merged categories are named together.

        Raises
        ------
        InvalidInput
            If the table has other variables, or a merged category would have the name of another one.

        Examples
        --------
        >>> age = Variable("age", ("0-19", "20-39", "40+"))
        >>> table = ContingencyTable.from_dense([5, 4, 2], (age,))
        >>> found = RecodedMarginal((0,), ((0, 1, 1),)).counts(table)
        >>> found.variables[0].categories, found.dense().tolist()
        (('0-19', '20-39 + 40+'), [5, 6])
        """
        self.check_shape(table.shape)
        fine = table.marginal(self.axes)
        variables = [
            recoded_variable(variable, grouping)
            for variable, grouping in zip(fine.variables, self.groupings, strict=True)
        ]
        flat = np.zeros(fine.cells.size, dtype=np.int64)
        for codes, grouping, variable in zip(fine.codes(), self.groupings, variables, strict=True):
            flat = flat * variable.size + np.array(grouping, dtype=np.int64)[codes]
        return ContingencyTable(tuple(variables), *summed_counts(flat, fine.counts))


def recoded(table: ContingencyTable, marginal: Iterable[str | int] | RecodedMarginal) -> RecodedMarginal:
    """Return a marginal as one whose categories may be merged, given as such or by names or positions of variables.

    Raises
    ------
    InvalidInput
        If there is no such variable, one is there twice, or the marginal belongs to a table of another shape.
    """
    if not isinstance(marginal, RecodedMarginal):
        return RecodedMarginal.plain(table, table.axes(marginal))
    marginal.check_shape(table.shape)
    return marginal
