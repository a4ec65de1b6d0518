"""Basic moves: changes of a table that leave every released marginal as it is."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Ints
from graphkit.tables.structure.contingency import strides_of
from graphkit.tables.structure.hypergraph import Axes, mask_of


def minimal_nonfaces(released: Iterable[Axes], variables: int) -> list[Axes]:
    """Return the smallest sets of variables that are within no released marginal.

    Examples
    --------
    >>> minimal_nonfaces([(0, 1), (1, 2), (0, 2)], 3), minimal_nonfaces([(0, 1), (1, 2)], 3)
    ([(0, 1, 2)], [(0, 2)])
    """
    faces = [mask_of(axes) for axes in released]
    found: list[tuple[int, Axes]] = []
    largest = max((mask.bit_count() for mask in faces), default=0)
    for size in range(1, min(variables, largest + 1) + 1):
        for axes in combinations(range(variables), size):
            mask = mask_of(axes)
            if any(mask & face == mask for face in faces) or any(mask & small == small for small, _ in found):
                continue
            found.append((mask, axes))
    return [axes for _, axes in found]


def filled_rows(sets: Sequence[Axes]) -> Ints:
    """Return sets of variables as rows, filled up with −1.

    Examples
    --------
    >>> filled_rows([(0, 2), (1,)]).tolist()
    [[0, 2], [1, -1]]
    """
    filled = np.full((len(sets), max(map(len, sets), default=0)), -1, dtype=np.int64)
    for row, axes in zip(filled, sets, strict=True):
        row[: len(axes)] = axes
    return filled


class BasicMoves(NamedTuple):
    """Moves +1 and −1, by turns, on the corners of a subtable that a minimal set outside the released marginals spans.

    Notes
    -----
    *Why marginals stay.* Summing over the categories of one variable of the set adds a +1 to a −1; a released marginal
    leaves out a variable of every such set. For decomposable marginals these are not all moves that connect the tables,
    and elsewhere none need to: a search along them finds tables, but its end proves nothing.

    References
    ----------
    Diaconis, Sturmfels 1998; Dobra 2003, Markov bases for decomposable graphical models; Selman, Kautz, Cohen 1994,
    Noise strategies for improving local search.
    """

    shape: Ints
    """Number of categories of every variable."""
    strides: Ints
    """By how much the number of a cell grows with the category of each."""
    spans: Ints
    """The sets, filled up with −1, shape (f, s); none where the marginals leave one table."""
    choices: Ints
    """How many subtables of a set have a given corner, shape (f,)."""

    @classmethod
    def of(cls, shape: tuple[int, ...], released: Iterable[Axes]) -> "BasicMoves":
        """Return the moves for released marginals, by the positions of their variables."""
        sets = [axes for axes in minimal_nonfaces(released, len(shape)) if all(shape[axis] > 1 for axis in axes)]
        sizes = np.array(shape, dtype=np.int64)
        choices = np.array([np.prod(sizes[list(axes)] - 1) for axes in sets], dtype=np.int64)
        return cls(sizes, strides_of(shape), filled_rows(sets), choices)
