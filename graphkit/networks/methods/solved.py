"""What a method hands back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Solved"]


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """Edges that make the graph k-anonymous, and what is proven on how few those can be."""

    edges: NDArray[np.int64]
    """New edges, canonical, shape (size, 2)."""
    lower_bound: int
    """No set of fewer edges makes the graph k-anonymous: the bound that the method was told, or a larger one."""

    obstacles: Sequence[NDArray[np.bool_]] = ()
    """Sets of hubs that were in the way, by position, shape (c,) each: a bound may begin with their inequalities."""

    @property
    def size(self) -> int:
        """Number of new edges."""
        return int(self.edges.shape[0])
