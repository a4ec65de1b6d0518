"""How a variable of one version of a table and variables of a later version go together, category by category."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.hypergraph import Axes


@dataclass(frozen=True, slots=True)
class VariableLink:
    """What is declared of one variable of an earlier version.

    Examples
    --------
    >>> VariableLink("A", ("AB",), (("no", "nono"), ("no", "noyes"), ("yes", "yesno"), ("yes", "yesyes"))).old
    'A'
    """

    old: str
    """Its name in the earlier version."""
    new: tuple[str, ...] = ()
    """Names of variables of the later version; none if it follows from none of them, and none from it."""
    rows: tuple[tuple[str | None, ...], ...] = ()
    """Its category, then one of each of the later variables. None for the first: no category that it had. Without rows
    the categories are the same."""


# no slots: what follows from what is worked out when it is first asked for
@dataclass(frozen=True, eq=False)
class BoundLink:
    """A link whose names were looked up in both versions."""

    old: int
    """Position of the variable in the earlier version."""
    new: Axes
    """Positions in the later version, in the order of the rows."""
    rows: Ints
    """Codes of categories; -1 in the first column for none."""

    @cached_property
    def is_forward(self) -> bool:
        """Whether the earlier variable follows from the later ones."""
        return bool(self.new) and _is_function(self.rows[:, 1:], self.rows[:, :1])

    @cached_property
    def is_backward(self) -> bool:
        """Whether each of the later variables follows from the earlier one."""
        there = self.rows[self.rows[:, 0] >= 0]
        return bool(self.new) and _is_function(there[:, :1], there[:, 1:])

    @property
    def is_one_to_one(self) -> bool:
        """Whether it is a renamed or recoded variable."""
        return len(self.new) == 1 and self.is_forward and self.is_backward


def is_namesake(one: Variable, other: Variable) -> bool:
    """Whether two variables have one name and the same categories, in whatever order."""
    return one.name == other.name and set(one.categories) == set(other.categories)


def bound_link(link: VariableLink, then: Sequence[Variable], now: Sequence[Variable]) -> BoundLink:
    """Return a link by positions and codes.

    Parameters
    ----------
    link : VariableLink
    then, now : sequence of Variable
        Of the earlier and of the later version.

    Raises
    ------
    InvalidInput
        If there is no such variable or category, a category is left out, or neither side follows from the other one.

    Examples
    --------
    >>> then, now = [Variable("ill", ("no", "yes"))], [Variable("krank", ("ja", "nein", "unklar"))]
    >>> rows = (("no", "nein"), ("yes", "ja"), (None, "unklar"))
    >>> bound_link(VariableLink("ill", ("krank",), rows), then, now).rows.tolist()
    [[-1, 2], [0, 1], [1, 0]]
    """
    old = _position(link.old, then, "the earlier version")
    new = tuple(_position(name, now, "this version") for name in link.new)
    if len(set(new)) < len(new):
        raise InvalidInput(f"'{link.old}' is said to go with the same variable twice")
    if not new:
        if link.rows:
            raise InvalidInput(f"categories of '{link.old}' are said, but no variable that it goes with")
        return BoundLink(old, (), np.empty((0, 1), dtype=np.int64))
    sides = [then[old], *(now[axis] for axis in new)]
    if link.rows:
        codes = [_codes(sides, row) for row in link.rows]
    else:
        if len(new) > 1 or set(sides[0].categories) != set(sides[1].categories):
            raise InvalidInput(
                f"'{link.old}' and {_names(link.new)} have other categories; say which of them go together"
            )
        codes = [_codes(sides, (category, category)) for category in sides[0].categories]
    bound = BoundLink(old, new, np.unique(np.array(codes, dtype=np.int64), axis=0))
    _check_complete(bound, sides)
    return bound


def _check_complete(bound: BoundLink, sides: list[Variable]) -> None:
    first, names = sides[0], _names(side.name for side in sides[1:])
    if not bound.is_forward and not bound.is_backward:
        raise InvalidInput(f"with these categories neither '{first.name}' follows from {names}, nor the reverse")
    said = set(bound.rows[:, 0].tolist())
    left = next((category for code, category in enumerate(first.categories) if code not in said), None)
    if left is not None and not bound.is_forward:
        raise InvalidInput(f"say what category '{left}' of '{first.name}' has become")
    if len(sides) == 2 and bound.is_forward:
        said = set(bound.rows[:, 1].tolist())
        left = next((category for code, category in enumerate(sides[1].categories) if code not in said), None)
        if left is not None:
            raise InvalidInput(
                f"say which category of '{first.name}' the category '{left}' of {names} was, or that it was none"
            )


def _codes(sides: list[Variable], row: Sequence[str | None]) -> list[int]:
    if len(row) != len(sides):
        raise InvalidInput(f"{len(row)} categories are said together, for {len(sides)} variables")
    found = []
    for place, (side, category) in enumerate(zip(sides, row, strict=True)):
        if category is None and place == 0:
            found.append(-1)
        elif category in side.categories:
            found.append(side.categories.index(category))
        else:
            raise InvalidInput(f"variable '{side.name}' has no category '{category}'")
    return found


def _position(name: str, variables: Sequence[Variable], where: str) -> int:
    place = next((place for place, variable in enumerate(variables) if variable.name == name), None)
    if place is None:
        raise InvalidInput(f"{where} has no variable '{name}'; it has {', '.join(one.name for one in variables)}")
    return place


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)


def _is_function(source: Ints, target: Ints) -> bool:
    """Whether no row of `source` stands beside two different ones of `target`."""
    both = np.concatenate([source, target], axis=1)
    return len(np.unique(both, axis=0)) == len(np.unique(source, axis=0))
