"""Marginals that are out: all that bounds may be derived from."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.parameters import is_whole
from graphkit.tables.structure.contingency import MOST_DENSE, MOST_TOTAL, ContingencyTable
from graphkit.tables.structure.hypergraph import Axes, mask_of, maximal_sets
from graphkit.tables.structure.hypergraph_components import ReducibleDecomposition, reducible_decomposition
from graphkit.tables.structure.released_checks import checked_counts, checked_shape, disagreeing_pair


# no slots: the properties that take time are worked out once, when they are first asked for
@dataclass(frozen=True, eq=False)
class ReleasedMarginals:
    """The released marginals of a table and its total, without the table.

    Parameters
    ----------
    shape : tuple of int
        Number of categories of every variable of the table.
    marginals : mapping of tuple of int to array_like of int
        Counts by positions of variables, ascending; one axis a variable. They are copied and can no longer be changed;
        smaller sets of variables come first, then in lexicographic order. One without variables is the total.
    total : int, optional
        Sum of all counts; what the marginals add up to by default. It is public: without any marginal, too.

    Raises
    ------
    InvalidInput
        If variables are not in order, a marginal has another shape than its variables, a count is negative or no whole
        number, or the marginals and the total do not add up to the same.

    See Also
    --------
    ReleasedMarginals.of : the same from a table.

    Examples
    --------
    >>> released = ReleasedMarginals((2, 2), {(1,): [4, 3], (0,): [5, 2]})
    >>> released.total, list(released.marginals), released.inconsistent
    (7, [(0,), (1,)], None)
    """

    shape: tuple[int, ...]
    marginals: Mapping[Axes, Ints]
    total: int

    def __init__(self, shape: Iterable[int], marginals: Mapping[Axes, ArrayLike], total: int | None = None) -> None:
        shape = checked_shape(shape)
        checked = {
            axes: checked_counts(axes, marginals[axes], shape)
            for axes in sorted(marginals, key=lambda axes: (len(axes), axes))
        }
        sums = {axes: int(counts.sum()) for axes, counts in checked.items()}
        if total is None:
            if not sums:
                raise InvalidInput("without a released marginal, the total of the table must be given")
            total = next(iter(sums.values()))
        if not is_whole(total) or not 0 <= total <= MOST_TOTAL:
            raise InvalidInput("the total of a table must be a whole number from 0 on, below 2^53")
        for axes, found in sums.items():
            if found != total:
                raise InvalidInput(
                    f"the marginal by variables {list(axes)} does not add up to the total of the others; "
                    "give marginals of one table"
                )
        checked.pop((), None)
        object.__setattr__(self, "shape", shape)
        object.__setattr__(self, "marginals", checked)
        object.__setattr__(self, "total", int(total))

    @classmethod
    def of(cls, table: ContingencyTable, sets: Iterable[Iterable[str | int]]) -> "ReleasedMarginals":
        """Return marginals of a table.

        Parameters
        ----------
        table : ContingencyTable
        sets : iterable of iterable of str or int
            Names or positions of variables, in any order; an empty set is the total.

        Raises
        ------
        InvalidInput
            If there is no such variable, or a marginal has more than 2^27 cells.

        Examples
        --------
        >>> from graphkit.hierarchies.variable import Variable
        >>> ab = Variable("a", ("x", "y")), Variable("b", ("x", "y"))
        >>> table = ContingencyTable.from_dense([[5, 1], [4, 0]], ab)
        >>> ReleasedMarginals.of(table, [["b"]]).marginals
        {(1,): array([9, 1])}
        """
        released = cls(table.shape, dict(_summed(table, sorted({table.axes(names) for names in sets}))), table.total)
        # marginals of one table agree; no need to look
        released.__dict__["inconsistent"] = None
        return released

    @property
    def sets(self) -> tuple[Axes, ...]:
        """Sets of variables that are out, the smallest first."""
        return tuple(self.marginals)

    @cached_property
    def maximal(self) -> tuple[Axes, ...]:
        """Sets of variables that are out and not within another one, the largest first."""
        return maximal_sets(self.marginals)

    @cached_property
    def inconsistent(self) -> tuple[Axes, Axes] | None:
        """Two marginals with different counts by the variables they share: no table has both; None if all agree.

        Marginals that agree may be inconsistent all the same.
        """
        return disagreeing_pair(self.shape, self.marginals)

    @cached_property
    def decomposition(self) -> ReducibleDecomposition:
        """Components of the marginals; a variable with one category tells nothing and is in none.

        Raises
        ------
        InvalidInput
            If two marginals contradict each other.

        Examples
        --------
        >>> pairs = {(0, 1): [[2, 1]], (0, 2): [[1, 2]], (1, 2): [[1, 1], [0, 1]]}
        >>> ReleasedMarginals((1, 2, 2), pairs).decomposition.components
        ((1, 2),)
        """
        if self.inconsistent is not None:
            one, other = map(list, self.inconsistent)
            raise InvalidInput(
                f"the marginals by variables {one} and {other} differ in what they share; no table has both: "
                "check that both come from one table"
            )
        sets = {tuple(axis for axis in axes if self.shape[axis] > 1) for axes in self.maximal}
        return reducible_decomposition(sets - {()})

    def implied(self, axes: Iterable[int]) -> Ints | None:
        """Return counts by some variables, summed from the released marginal of the fewest cells that has them all.

        Parameters
        ----------
        axes : iterable of int
            Positions of variables; none of them asks for the total, an array without axes.

        Returns
        -------
        ndarray of int64 or None
            One axis a variable, ascending; None if no released marginal has all of them. Not to be changed.

        Raises
        ------
        InvalidInput
            If there is no such variable.

        Examples
        --------
        >>> released = ReleasedMarginals((2, 2, 2), {(0, 1): [[1, 2], [3, 4]]})
        >>> released.implied([1]), released.implied([2])
        (array([4, 6]), None)
        """
        wanted = tuple(sorted(set(axes)))
        if wanted and not 0 <= wanted[0] <= wanted[-1] < len(self.shape):
            raise InvalidInput(f"no variables {list(wanted)}; the table has {len(self.shape)}, numbered from 0")
        if not wanted:
            return np.array(self.total, dtype=np.int64)
        if wanted in self.marginals:
            return self.marginals[wanted]
        mask = mask_of(wanted)
        source = next((axes for axes, whole in self._by_cells if mask & whole == mask), None)
        if source is None:
            return None
        away = tuple(place for place, axis in enumerate(source) if axis not in wanted)
        return np.asarray(self.marginals[source].sum(axis=away), dtype=np.int64)

    def frequent(self) -> list[int]:
        """Return the category of every variable with the most records; the first one where that is not known."""
        counts = [self.implied((axis,)) for axis in range(len(self.shape))]
        return [0 if found is None else int(found.argmax()) for found in counts]

    @cached_property
    def _by_cells(self) -> list[tuple[Axes, int]]:
        """Released sets and their masks, by number of cells."""
        ordered = sorted(self.marginals, key=lambda axes: self.marginals[axes].size)
        return [(axes, mask_of(axes)) for axes in ordered]

    def restricted(self, axes: Axes) -> "ReleasedMarginals":
        """Return what the released marginals say about some of the variables, these numbered anew from 0.

        Parameters
        ----------
        axes : tuple of int
            Positions of variables, ascending.

        Examples
        --------
        >>> released = ReleasedMarginals((2, 2, 2), {(0, 1): [[1, 2], [3, 4]], (1, 2): [[4, 0], [6, 0]]})
        >>> released.restricted((1, 2)).marginals
        {(0, 1): array([[4, 0],
               [6, 0]])}
        """
        place = {axis: number for number, axis in enumerate(axes)}
        shared = {tuple(axis for axis in released if axis in place) for released in self.maximal}
        marginals: dict[Axes, ArrayLike] = {}
        for overlap in maximal_sets(shared - {()}):
            counts = self.implied(overlap)
            if counts is not None:
                marginals[tuple(place[axis] for axis in overlap)] = counts
        return ReleasedMarginals((self.shape[axis] for axis in axes), marginals, self.total)


def _summed(table: ContingencyTable, sets: Iterable[Axes]) -> Iterator[tuple[Axes, Ints]]:
    """Yield sets of variables, which come in order, with the counts of a table by them."""
    # both are worked out by the table, each time
    codes, shape = table.codes(), table.shape
    # neighbouring sets begin with the same variables: the numbers of the cells by the first 0, 1, 2, … of them
    before: Axes = ()
    numbers = [np.zeros(table.cells.size, dtype=np.int64)]
    for axes in sets:
        kept = tuple(shape[axis] for axis in axes)
        size = math.prod(kept)
        if size > MOST_DENSE:
            names = ", ".join(table.names[axis] for axis in axes)
            raise InvalidInput(
                f"the marginal by {names} has {size} cells, too many to be written out; leave a variable out"
            )
        same = next((i for i, (one, other) in enumerate(zip(axes, before, strict=False)) if one != other), len(before))
        del numbers[min(same, len(axes)) + 1 :]
        for axis in axes[len(numbers) - 1 :]:
            numbers.append(numbers[-1] * shape[axis] + codes[axis])
        before = axes
        # sums below 2^53 are exact in floating point
        counts = np.bincount(numbers[-1], weights=table.counts, minlength=size)
        yield axes, counts.astype(np.int64).reshape(kept)
