"""Reducible sets of marginals: the components that bounds can be worked out for one by one."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from graphkit.errors import BrokenClaim
from graphkit.tables.structure.hypergraph import Axes, PerfectSequence, mask_of, maximal_sets, perfect_sequence


@dataclass(frozen=True, slots=True)
class ReducibleDecomposition:
    """The finest components of a set of marginals whose separators are all known.

    Parameters
    ----------
    sequence : PerfectSequence
        The components as hyperedges, with the separators between them. Every separator is inside one of the marginals.
    constraints : tuple of tuple of tuple of int
        What the marginals say about each component: their largest overlaps with it.
    """

    sequence: PerfectSequence
    constraints: tuple[tuple[Axes, ...], ...]

    @property
    def components(self) -> tuple[Axes, ...]:
        """Sets of variables, in a perfect sequence."""
        return self.sequence.edges

    @property
    def known(self) -> tuple[bool, ...]:
        """Whether each component is inside a marginal, so that its counts are known."""
        return tuple(
            constraint == (component,) for component, constraint in zip(self.components, self.constraints, strict=True)
        )

    @property
    def open_components(self) -> tuple[Axes, ...]:
        """Components whose counts are not known."""
        return tuple(axes for axes, known in zip(self.components, self.known, strict=True) if not known)

    @property
    def separators(self) -> tuple[Axes, ...]:
        """What each component shares with those before it; nothing for the first."""
        return ((), *self.sequence.separators)[: len(self.components)]

    @property
    def covered(self) -> frozenset[int]:
        """Variables of the components."""
        return frozenset().union(*self.components)

    def uncovered(self, shape: tuple[int, ...]) -> Axes:
        """Return the variables of a table that are in no component and have several categories.

        Examples
        --------
        >>> reducible_decomposition([(0, 1)]).uncovered((2, 2, 2, 1))
        (2,)
        """
        covered = self.covered
        return tuple(axis for axis, size in enumerate(shape) if size > 1 and axis not in covered)


def reducible_decomposition(sets: Collection[Axes]) -> ReducibleDecomposition:
    """Return the finest decomposition of marginals by separators that are inside a marginal.

    Parameters
    ----------
    sets : collection of tuple of int
        Variables of the marginals. Variables that are in none of them are in no component.

    Notes
    -----
    The components are the maximal prime components of the graph that joins all variables of a marginal, except that
    components are kept together where the clique between them is in no marginal: its counts are not known.
    A separator inside the marginal E is the neighbourhood of a component of the graph without E, since E lies on one
    side of it. So the components without E, for every E, lead to all separators. O(m k²) for a split by m marginals.

    References
    ----------
    .. [1] H.-G. Leimer, Optimal decomposition by clique separators, Discrete Mathematics 113, 1993.

    Examples
    --------
    >>> pairs = reducible_decomposition([(1, 5), (1, 2), (1, 4), (0, 1), (0, 2), (0, 4), (2, 4), (3, 4), (0, 3)])
    >>> pairs.components, pairs.sequence.separators
    (((0, 1, 2, 4), (0, 3, 4), (1, 5)), ((0, 4), (1,)))
    >>> pairs.constraints[1], pairs.known
    (((0, 3), (0, 4), (3, 4)), (False, False, True))

    The variables 1 and 2 separate 0 from 3, but nothing says how often they occur together:

    >>> reducible_decomposition([(0, 1), (0, 2), (1, 3), (2, 3)]).components
    ((0, 1, 2, 3),)
    """
    edges = maximal_sets(sets)
    masks = [mask_of(edge) for edge in edges]
    neighbours: dict[int, int] = {}
    for edge, mask in zip(edges, masks, strict=True):
        for axis in edge:
            neighbours[axis] = neighbours.get(axis, 0) | mask
    pieces, whole = [], [mask_of(neighbours)] if neighbours else []
    while whole:
        piece = whole.pop()
        split = _split(piece, masks, neighbours)
        if split is None:
            pieces.append(piece)
        else:
            whole += split
    sequence = perfect_sequence([tuple(_members(piece)) for piece in pieces])
    if sequence is None:
        raise BrokenClaim("components by separators are not acyclic")
    return ReducibleDecomposition(
        sequence,
        tuple(
            maximal_sets(tuple(axis for axis in edge if mask >> axis & 1) for edge in edges)
            for mask in map(mask_of, sequence.edges)
        ),
    )


def _split(piece: int, marginals: list[int], neighbours: dict[int, int]) -> tuple[int, int] | None:
    """Return the two sides of a separator inside a marginal, both with the separator, or None."""
    if all(neighbours[axis] & piece == piece for axis in _members(piece)):
        return None
    for marginal in marginals:
        for side, separator in _connected(piece & ~marginal, piece, neighbours):
            if side | separator != piece:
                return side | separator, piece & ~side
    return None


def _connected(rest: int, piece: int, neighbours: dict[int, int]) -> Iterator[tuple[int, int]]:
    """Yield the connected components of a part of a piece, each with its neighbours in the remaining piece."""
    while rest:
        component, front, reached = 0, rest & -rest, 0
        while front:
            component |= front
            for axis in _members(front):
                reached |= neighbours[axis]
            front = reached & rest & ~component
        rest &= ~component
        yield component, reached & piece & ~component


def _members(mask: int) -> Iterator[int]:
    """Yield the variables of a set, ascending."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1
