"""A chain over the tables with released marginals that holds the count of every cell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graphkit.tables._random_words import new_state
from graphkit.tables._simulation_boxes import Box, boxes_for
from graphkit.tables._simulation_lines import Lines, State, walk
from graphkit.tables._simulation_resampling import draw_anew, new_workspace
from graphkit.tables.contingency import SparseCounts, strides_of
from graphkit.tables.hypergraph import Axes
from graphkit.tables.moves import BasicMoves

__all__ = ["CellChain", "CellMoves"]

_LEAST_STEPS = 64
_MOST_STEPS = 2**16


class CellMoves:
    """What all chains over the same tables share.

    Parameters
    ----------
    shape : tuple of int
        Number of categories of every variable.
    released : sequence of tuple of int
        Sets of variables of the released marginals, none within another.
    sides : ndarray of int64, shape (e, k)
        Side of every variable at every cut.
    rng : numpy.random.Generator
        Chooses boxes.
    """

    def __init__(
        self, shape: tuple[int, ...], released: Sequence[Axes], sides: NDArray[np.int64], rng: np.random.Generator
    ) -> None:
        spans = BasicMoves.of(shape, released).spans
        self.lines = Lines(np.array(shape, dtype=np.int64), strides_of(shape), spans, sides)
        self.boxes, self.whole = boxes_for(shape, released, spans, rng)
        self.spaces = [new_workspace(box) for box in self.boxes]

    @property
    def none(self) -> bool:
        """Whether no other table has the marginals."""
        return not self.lines.spans.size


class CellChain:
    """A chain that starts from a table.

    Parameters
    ----------
    moves : CellMoves
    table : ndarray of int64, shape (n,)
        Counts of all cells in C order.
    hypergeometric : bool
        Whether tables are as likely as one over the product of the factorials of their counts, or all alike.
    rng : numpy.random.Generator
        Seeds the chain.
    """

    def __init__(
        self, moves: CellMoves, table: NDArray[np.int64], hypergeometric: bool, rng: np.random.Generator
    ) -> None:
        nonzero = np.flatnonzero(table)
        places, where = np.full(table.size, -1), np.full(table.size, -1)
        places[: nonzero.size], where[nonzero] = nonzero, np.arange(nonzero.size)
        number = np.array([nonzero.size], dtype=np.int64)
        self._state = State(table.astype(np.int64), places, where, number, new_state(rng))
        self._moves, self._hypergeometric, self._rng = moves, hypergeometric, rng
        self.steps = 0 if moves.none else min(max(_LEAST_STEPS, table.size), _MOST_STEPS)
        """Steps of a sweep; 0 if no other table has the marginals."""
        self.proposed, self.accepted = 0, 0

    def sweep(self) -> None:
        """Make as many steps along lines as there are cells, and draw a part of the table anew."""
        moves = self._moves
        if not self.steps:
            return
        # a step less now and then: chains that hardly ever stay would be nearly periodic
        steps = self.steps - int(self._rng.integers(2))
        self.accepted += walk(self._state, moves.lines, self._hypergeometric, steps)
        self.proposed += steps
        if moves.boxes:
            chosen = int(self._rng.integers(len(moves.boxes)))
            box: Box = moves.boxes[chosen]
            lines = moves.lines
            draw_anew(self._state, box, moves.spaces[chosen], lines.shape, lines.strides, self._hypergeometric)

    def counts(self) -> SparseCounts:
        """Return numbers and counts of the cells that are not zero, ascending."""
        cells = np.flatnonzero(self._state.table).astype(np.int64)
        return cells, self._state.table[cells]
