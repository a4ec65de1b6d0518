"""Where tables with released marginals can be cut in two that know of each other through a separator only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphkit.tables.hypergraph import Axes
from graphkit.tables.hypergraph_components import ReducibleDecomposition

__all__ = ["Cuts"]


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """The edges of a junction tree; what lies behind each is independent of the rest, given its separator."""

    behind: tuple[Axes, ...]
    """Variables behind each edge, without its separator."""
    separators: tuple[Axes, ...]
    uncovered: Axes
    """Variables with several categories that no marginal names."""

    @classmethod
    def of(cls, shape: tuple[int, ...], decomposition: ReducibleDecomposition) -> Cuts:
        """Return the cuts between the components of released marginals.

        Examples
        --------
        >>> from graphkit.tables.hypergraph_components import reducible_decomposition
        >>> cuts = Cuts.of((2,) * 5, reducible_decomposition([(0, 1), (1, 2), (2, 3)]))
        >>> cuts.behind, cuts.separators, cuts.uncovered
        (((2, 3), (3,)), ((1,), (2,)), (4,))
        """
        sequence = decomposition.sequence
        whole = [set(edge) for edge in sequence.edges]
        # children come after their parents
        for child in range(len(whole) - 1, 0, -1):
            whole[sequence.parents[child - 1]] |= whole[child]
        behind = tuple(
            tuple(sorted(part - set(separator))) for part, separator in zip(whole[1:], sequence.separators, strict=True)
        )
        return cls(behind, sequence.separators, decomposition.uncovered(shape))

    def sides(self, variables: int) -> NDArray[np.int64]:
        """Return for every cut and variable: 0 before the cut, 1 behind it, 2 in the separator."""
        sides = np.zeros((len(self.behind), variables), dtype=np.int64)
        for row, behind, separator in zip(sides, self.behind, self.separators, strict=True):
            row[list(behind)] = 1
            row[list(separator)] = 2
        return sides
