"""Basic moves: changes of a table that leave every released marginal as it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from graphkit.tables._climb import climb
from graphkit.tables.contingency import strides_of
from graphkit.tables.hypergraph import Axes, mask_of

__all__ = ["BasicMoves", "minimal_nonfaces"]


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


@dataclass(frozen=True, slots=True, eq=False)
class BasicMoves:
    """Moves +1 and −1, by turns, on the corners of a box that a minimal set outside the released marginals spans.

    Parameters
    ----------
    shape : tuple of int
        Number of categories of every variable.
    spans : ndarray of int64, shape (f, s)
        The sets, filled up with −1.

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

    shape: tuple[int, ...]
    spans: NDArray[np.int64]

    @classmethod
    def of(cls, shape: tuple[int, ...], released: Iterable[Axes]) -> BasicMoves:
        """Return the moves for released marginals, by the positions of their variables."""
        sets = [axes for axes in minimal_nonfaces(released, len(shape)) if all(shape[axis] > 1 for axis in axes)]
        width = max((len(axes) for axes in sets), default=0)
        spans = np.full((len(sets), width), -1, dtype=np.int64)
        for row, axes in zip(spans, sets, strict=True):
            row[: len(axes)] = axes
        return cls(shape, spans)

    def climb(
        self, table: NDArray[np.int64], cell: int, goal: int, rng: np.random.Generator, *, repairs: int = 3
    ) -> NDArray[np.int64]:
        """Return a table in which the count of a cell is as near to a goal as moves bring it.

        Parameters
        ----------
        table : ndarray of int64, shape (n,)
            Counts of all cells in C order; left as it is.
        cell : int
            Number of the cell.
        goal : int
            The count that is wished for.
        rng : numpy.random.Generator
            Chooses the order in which moves are tried.
        repairs : int, optional
            How often mending may fail, which takes some hundredths of a second; what succeeds counts by its moves.

        Notes
        -----
        Single moves at the cell, each as often as it can be made. Where there are none, one is made all the same, and
        the counts that it makes negative are mended one after the other, each by the move at it that leaves the least
        below zero, now and then by any (as WalkSAT does for clauses); if that takes too long, it is taken back.
        """
        changed = table.copy()
        if self.spans.shape[0]:
            seed = int(rng.integers(1, 2**62))
            shape = np.array(self.shape, dtype=np.int64)
            climb(changed, shape, strides_of(self.shape), self.spans, cell, goal, seed, repairs)
        return changed
