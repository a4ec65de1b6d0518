"""A variable as several ones: one for each grouping, which numbers its groups within those of coarser groupings."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.hierarchies.grouping import Grouping, common_refinement, is_coarser
from graphkit.hierarchies.variable import Variable

_MOST_COMBINATIONS = 2**16


# no slots: the finest grouping is worked out when it is first asked for
@dataclass(frozen=True, eq=False)
class Hierarchy:
    """What stands for one variable of a table.

    Examples
    --------
    >>> axis = Hierarchy.of(Variable("age", ("0-19", "20-39", "40+")), ((0, 1, 1), (0, 1, 2)))
    >>> [variable.size for variable in axis.variables], axis.numbers.tolist(), axis.free.tolist()
    ([2, 2], [[0, 1, 1], [0, 0, 1]], [False, False, False])
    """

    chain: tuple[Grouping, ...]
    """Its groupings, coarser ones first; of two that cross neither is coarser."""
    variables: tuple[Variable, ...]
    """One for each grouping."""
    numbers: Ints
    """By grouping and category, the number of the category's group within its groups of the coarser groupings."""
    free: Bools
    """Whether a category is merged with another one in all groupings."""

    @classmethod
    def of(cls, variable: Variable, groupings: Iterable[Grouping]) -> "Hierarchy":
        """Return what stands for a variable, given its groupings."""
        chain = _ordered(groupings)
        numbers = []
        for place, grouping in enumerate(chain):
            outside = list(zip(*(chain[at] for at in _coarser(chain, place)[:-1]), strict=True)) or [()] * variable.size
            within: dict[tuple[int, ...], dict[int, int]] = {groups: {} for groups in outside}
            numbers.append(
                [
                    within[outer].setdefault(inner, len(within[outer]))
                    for outer, inner in zip(outside, grouping, strict=True)
                ]
            )
        finest = np.array(common_refinement(chain), dtype=np.int64)
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

    def places(self, grouping: Grouping) -> tuple[int, ...]:
        """Return which of the variables tell the groups of one of the groupings: its own and those of coarser ones."""
        return _coarser(self.chain, self.chain.index(grouping))

    @cached_property
    def finest(self) -> Grouping:
        """Categories that no grouping tells apart."""
        return common_refinement(self.chain)

    @cached_property
    def shows_empty(self) -> bool:
        """Whether marginals by all groupings show of each combination without a category that nobody is there.

        If not, tables of the hierarchical kind have these marginals that no table of the first kind corresponds to.

        Examples
        --------
        >>> four = Variable("AB", ("nono", "noyes", "yesno", "yesyes"))
        >>> Hierarchy.of(four, ((0, 0, 1, 1), (0, 1, 0, 1))).shows_empty
        True
        >>> Hierarchy.of(four, ((0, 0, 1, 2), (0, 1, 1, 2))).shows_empty
        False
        """
        tops = [
            self.places(one)
            for one in self.chain
            if not any(one != other and is_coarser(one, other) for other in self.chain)
        ]
        if len(tops) == 1:
            return True
        there = {tuple(column) for column in self.numbers.T.tolist()}
        joined: set[tuple[int | None, ...]] = {(None,) * len(self.chain)}
        for places in tops:
            shown = {tuple(column[place] for place in places) for column in there}
            joined = {
                both for known in joined for part in shown if (both := _together(known, places, part)) is not None
            }
            if len(joined) > _MOST_COMBINATIONS:
                return False
        return len(joined) == len(there)

    @property
    def is_plain(self) -> bool:
        """Whether it is the variable itself."""
        return len(self.chain) == 1 and max(self.chain[0]) + 1 == len(self.chain[0])

    @property
    def groups(self) -> list[Ints]:
        """Categories of each group of the finest grouping."""
        finest = np.array(self.finest, dtype=np.int64)
        return [np.flatnonzero(finest == group) for group in range(int(finest.max()) + 1)]


def chain_of(groupings: Iterable[Grouping]) -> tuple[Grouping, ...] | None:
    """Return groupings of one variable, the coarsest first; None if they are not nested.

    Examples
    --------
    >>> chain_of([(0, 1, 2), (0, 0, 1)]), chain_of([(0, 0, 1), (0, 1, 1)])
    (((0, 0, 1), (0, 1, 2)), None)
    """
    chain = _ordered(groupings)
    return chain if all(is_coarser(one, other) for one, other in pairwise(chain)) else None


def _ordered(groupings: Iterable[Grouping]) -> tuple[Grouping, ...]:
    """Return groupings, each once, none before one that is coarser."""
    return tuple(sorted(set(groupings), key=lambda grouping: (max(grouping), grouping)))


def _coarser(chain: tuple[Grouping, ...], place: int) -> tuple[int, ...]:
    """Return the places of the groupings that are coarser than one, and its own, which is the last."""
    return (*(at for at in range(place) if is_coarser(chain[at], chain[place])), place)


def _together(
    known: tuple[int | None, ...], places: tuple[int, ...], part: tuple[int, ...]
) -> tuple[int | None, ...] | None:
    """Return a combination with some of its places filled; None where it has other numbers there."""
    found = list(known)
    for place, number in zip(places, part, strict=True):
        if found[place] not in (None, number):
            return None
        found[place] = number
    return tuple(found)
