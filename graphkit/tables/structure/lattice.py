"""The lattice of a table's marginals: what is out, what must never be, and what is undecided."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from graphkit.arrays import Bools
from graphkit.errors import InvalidInput
from graphkit.tables.structure.hypergraph import Axes, axes_named, mask_of
from graphkit.tables.structure.lattice_positions import axes_of, lattice_positions, level_order

MOST_VARIABLES = 20
"""The most variables of a lattice, which has 2^k nodes."""


Summed = TypeVar("Summed", np.bool_, np.int32)


class MarginalStatus(IntEnum):
    """What is known about a marginal."""

    UNDECIDED = 0
    IMPLIED = 1
    """Below a released marginal, so that everybody can add it up."""
    RELEASED = 2
    """Asked for and given."""
    UNRELEASABLE = 3
    """Refused, or above a refused one, from which that could be added up."""


# no slots: the properties are worked out once, when they are first asked for
@dataclass(frozen=True)
class MarginalLattice:
    """The 2^k marginals of a table, ordered by inclusion of their variables.

    A marginal is numbered by its variables: bit i stands for variable i. Number 0 is the total.
    What is out stays out: a marginal that is released or below one is never unreleasable.

    Parameters
    ----------
    names : sequence of str
        Names of the variables, at most :data:`MOST_VARIABLES`.
    released, unreleasable : iterable of iterable of str or int
        Marginals that were asked for and given, and that must not be: names or positions of their variables, in any
        order. They are kept as ascending positions, each set once.

    Raises
    ------
    InvalidInput
        If there is no variable, there are too many, a name is there twice, or a marginal names one that is not there.

    Notes
    -----
    A query takes O(k 2^k) the first time, by bits of all numbers at once.

    Examples
    --------
    >>> lattice = MarginalLattice("ABC", released=["AB"], unreleasable=["C"])
    >>> lattice.status("B").name, lattice.status("BC").name, lattice.status("").name
    ('IMPLIED', 'UNRELEASABLE', 'IMPLIED')
    >>> lattice.released_frontier, lattice.unreleasable_frontier, lattice.undecided
    (((0, 1),), ((2,),), ())
    """

    names: tuple[str, ...]
    released: tuple[Axes, ...]
    unreleasable: tuple[Axes, ...]

    def __init__(
        self,
        names: Iterable[str],
        released: Iterable[Iterable[str | int]] = (),
        unreleasable: Iterable[Iterable[str | int]] = (),
    ) -> None:
        names = tuple(names)
        if not names:
            raise InvalidInput("a lattice needs at least one variable")
        if len(names) > MOST_VARIABLES:
            raise InvalidInput(f"a lattice of {len(names)} variables is too large; it may have {MOST_VARIABLES}")
        if len(set(names)) < len(names):
            raise InvalidInput("a lattice has two variables of one name")
        object.__setattr__(self, "names", names)
        for field, sets in (("released", released), ("unreleasable", unreleasable)):
            distinct = {self.axes(variables) for variables in sets}
            object.__setattr__(self, field, tuple(sorted(distinct, key=lambda axes: (len(axes), axes))))

    def axes(self, variables: Iterable[str | int]) -> Axes:
        """Return the positions of a marginal's variables, ascending.

        Raises
        ------
        InvalidInput
            If there is no such variable, or one is there twice.
        """
        return axes_named(variables, self.names)

    @cached_property
    def statuses(self) -> NDArray[np.int8]:
        """Status of every marginal by its number, shape (2^k,); values of :class:`MarginalStatus`."""
        known = gathered(self._marked(self.released), upward=False)
        forbidden = gathered(self._marked(self.unreleasable), upward=True)
        statuses = np.zeros(1 << len(self.names), dtype=np.int8)
        statuses[forbidden] = MarginalStatus.UNRELEASABLE
        statuses[known] = MarginalStatus.IMPLIED
        statuses[[mask_of(axes) for axes in self.released]] = MarginalStatus.RELEASED
        statuses.flags.writeable = False
        return statuses

    def status(self, variables: Iterable[str | int]) -> MarginalStatus:
        """Return the status of a marginal.

        Raises
        ------
        InvalidInput
            As :meth:`axes`.
        """
        return MarginalStatus(int(self.statuses[mask_of(self.axes(variables))]))

    @cached_property
    def released_frontier(self) -> tuple[Axes, ...]:
        """The maximal marginals that are out, the smallest first."""
        out = (self.statuses == MarginalStatus.IMPLIED) | (self.statuses == MarginalStatus.RELEASED)
        return self._sets(out & ~_shifted(out, upward=False))

    @cached_property
    def unreleasable_frontier(self) -> tuple[Axes, ...]:
        """The minimal unreleasable marginals, the smallest first: everything above one is unreleasable, too."""
        forbidden = self.statuses == MarginalStatus.UNRELEASABLE
        return self._sets(forbidden & ~_shifted(forbidden, upward=True))

    @cached_property
    def undecided(self) -> tuple[Axes, ...]:
        """The marginals that are neither out nor unreleasable, the smallest first."""
        return self._sets(self.statuses == MarginalStatus.UNDECIDED)

    def counts(self) -> dict[MarginalStatus, int]:
        """Return how many marginals have each status.

        Examples
        --------
        >>> {status.name: count for status, count in MarginalLattice("AB", released=["A"]).counts().items()}
        {'UNDECIDED': 2, 'IMPLIED': 1, 'RELEASED': 1, 'UNRELEASABLE': 0}
        """
        found = np.bincount(self.statuses, minlength=len(MarginalStatus))
        return {status: int(found[status]) for status in MarginalStatus}

    def to_igraph(self) -> Any:
        """Return the lattice as a directed :class:`igraph.Graph`.

        An edge leads from a marginal to each one with one variable more. Vertex attributes: ``status``, and ``x`` and
        ``y`` as :func:`lattice_positions` gives them.

        Examples
        --------
        >>> MarginalLattice("AB").to_igraph().get_edgelist()
        [(0, 1), (2, 3), (0, 2), (1, 3)]
        """
        import igraph

        numbers = np.arange(1 << len(self.names), dtype=np.int64)
        below = [numbers[numbers >> axis & 1 == 0] for axis in range(len(self.names))]
        above = [lower | 1 << axis for axis, lower in enumerate(below)]
        x, y = lattice_positions(len(self.names)).T.tolist()
        return igraph.Graph(
            n=numbers.size,
            # pairs from two lists are an order of magnitude faster than an array of pairs
            edges=zip(np.concatenate(below).tolist(), np.concatenate(above).tolist(), strict=True),
            directed=True,
            vertex_attrs={"status": self.statuses.tolist(), "x": x, "y": y},
        )

    def _marked(self, sets: Iterable[Axes]) -> Bools:
        """Return which marginals are among some sets of variables."""
        marked = np.zeros(1 << len(self.names), dtype=bool)
        marked[[mask_of(axes) for axes in sets]] = True
        return marked

    def _sets(self, marked: Bools) -> tuple[Axes, ...]:
        """Return the variables of marked marginals, the smallest sets first, then in lexicographic order."""
        numbers = np.flatnonzero(marked)
        return tuple(axes_of(int(number)) for number in numbers[level_order(numbers)])


def _halves(values: NDArray[Summed], axis: int) -> tuple[NDArray[Summed], NDArray[Summed]]:
    """Return views of the numbers without and with a bit."""
    pairs = values.reshape(-1, 2, 1 << axis)
    return pairs[:, 0], pairs[:, 1]


def gathered(values: NDArray[Summed], *, upward: bool) -> NDArray[Summed]:
    """Return for each set the sum over all below it, or above it where not `upward`, itself included.

    Of truth values it is whether any is true. A zeta transform, bit by bit.

    Examples
    --------
    >>> gathered(np.array([1, 2, 4, 8]), upward=True).tolist(), gathered(np.array([1, 2, 4, 8]), upward=False).tolist()
    ([1, 3, 5, 15], [15, 10, 12, 8])
    """
    sums = values.copy()
    for axis in range(values.size.bit_length() - 1):
        without, with_it = _halves(sums, axis)
        if upward:
            with_it += without
        else:
            without += with_it
    return sums


def _shifted(marked: Bools, *, upward: bool) -> Bools:
    """Return the sets that are one variable above, or below, a marked one."""
    shifted = np.zeros_like(marked)
    for axis in range(marked.size.bit_length() - 1):
        (without, with_it), (to_without, to_with) = _halves(marked, axis), _halves(shifted, axis)
        if upward:
            to_with |= without
        else:
            to_without |= with_it
    return shifted
