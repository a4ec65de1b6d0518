"""A variable told as several ones, a coarse grouping first and a finer one within each group next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from graphkit.tables.grouping import Grouping, is_coarser
from graphkit.tables.variable import Variable

__all__ = ["NestedAxis", "chain_of"]


@dataclass(frozen=True, slots=True, eq=False)
class NestedAxis:
    """What stands for one variable of a table.

    Examples
    --------
    >>> axis = NestedAxis.of(Variable("age", ("0-19", "20-39", "40+")), ((0, 1, 1), (0, 1, 2)))
    >>> [variable.size for variable in axis.variables], axis.numbers.tolist(), axis.free.tolist()
    ([2, 2], [[0, 1, 1], [0, 0, 1]], [False, False, False])
    """

    chain: tuple[Grouping, ...]
    """Its groupings, the coarsest first."""
    variables: tuple[Variable, ...]
    """One for each grouping."""
    numbers: NDArray[np.int64]
    """By grouping and category, the number of the category's group within its group of the grouping before."""
    free: NDArray[np.bool_]
    """Whether a category is merged with another one in all groupings."""

    @classmethod
    def of(cls, variable: Variable, chain: tuple[Grouping, ...]) -> NestedAxis:
        """Return what stands for a variable, given its groupings; see :func:`chain_of`."""
        numbers = []
        before: Grouping = (0,) * variable.size
        for grouping in chain:
            within: dict[int, dict[int, int]] = {group: {} for group in before}
            numbers.append(
                [
                    within[outer].setdefault(inner, len(within[outer]))
                    for outer, inner in zip(before, grouping, strict=True)
                ]
            )
            before = grouping
        finest = np.array(chain[-1], dtype=np.int64)
        names = [variable.name] if len(chain) == 1 else [f"{variable.name}/{depth}" for depth in range(len(chain))]
        return cls(
            chain,
            tuple(
                Variable(name, tuple(map(str, range(max(codes) + 1))))
                for name, codes in zip(names, numbers, strict=True)
            ),
            np.array(numbers, dtype=np.int64),
            np.bincount(finest)[finest] > 1,
        )

    @property
    def is_plain(self) -> bool:
        """Whether it is the variable itself."""
        return len(self.chain) == 1 and max(self.chain[0]) + 1 == len(self.chain[0])

    @property
    def groups(self) -> list[NDArray[np.int64]]:
        """Categories of each group of the finest grouping."""
        finest = np.array(self.chain[-1], dtype=np.int64)
        return [np.flatnonzero(finest == group) for group in range(int(finest.max()) + 1)]


def chain_of(groupings: Iterable[Grouping]) -> tuple[Grouping, ...] | None:
    """Return groupings of one variable, the coarsest first; None if they are not nested.

    Examples
    --------
    >>> chain_of([(0, 1, 2), (0, 0, 1)]), chain_of([(0, 0, 1), (0, 1, 1)])
    (((0, 0, 1), (0, 1, 2)), None)
    """
    chain = sorted(set(groupings), key=lambda grouping: (max(grouping), grouping))
    return tuple(chain) if all(is_coarser(one, other) for one, other in pairwise(chain)) else None
