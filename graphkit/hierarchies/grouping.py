"""Groups of the categories of a variable."""

from collections.abc import Hashable, Iterable

from graphkit.errors import InvalidInput
from graphkit.hierarchies.variable import Variable

Grouping = tuple[int, ...]
"""Number of the group of every category; groups are numbered in the order of their first categories."""


def grouping_of(variable: Variable, merged: Iterable[Iterable[str]]) -> Grouping:
    """Return the groups of a variable's categories, where some become one.

    Raises
    ------
    InvalidInput
        If a category is not there, or is named twice.
    """
    number = {category: place for place, category in enumerate(variable.categories)}
    first = list(range(variable.size))
    seen: set[str] = set()
    for together in merged:
        names = list(together)
        unknown = next((name for name in names if name not in number), None)
        if unknown is not None:
            raise InvalidInput(f"variable '{variable.name}' has no category '{unknown}'")
        for name in names:
            if name in seen:
                raise InvalidInput(f"category '{name}' of '{variable.name}' is merged twice; name it once")
            seen.add(name)
            first[number[name]] = min(number[other] for other in names)
    return numbered(first)


def is_coarser(one: Grouping, other: Grouping) -> bool:
    """Whether every group of `other` lies within one group of `one`; the same groups do.

    Examples
    --------
    >>> is_coarser((0, 0, 1), (0, 1, 2)), is_coarser((0, 0, 1), (0, 1, 1))
    (True, False)
    """
    return len(set(zip(other, one, strict=True))) == len(set(other))


def common_refinement(groupings: Iterable[Grouping]) -> Grouping:
    """Return the groups of categories that none of some groupings tells apart.

    Examples
    --------
    >>> common_refinement([(0, 0, 1, 1), (0, 0, 0, 1)])
    (0, 0, 1, 2)
    """
    return numbered(zip(*groupings, strict=True))


def recoded_variable(variable: Variable, grouping: Grouping) -> Variable:
    """Return a variable whose categories are the groups of another one's.

    Raises
    ------
    InvalidInput
        If a merged category would have the name of another one.
    """
    names = tuple(" + ".join(categories) for categories in named_groups(variable, grouping))
    if len(set(names)) < len(names):
        raise InvalidInput(f"merged categories of '{variable.name}' would have the name of another category")
    return Variable(variable.name, names)


def named_groups(variable: Variable, grouping: Grouping) -> list[tuple[str, ...]]:
    """Return the categories of every group.

    Examples
    --------
    >>> named_groups(Variable("age", ("0-19", "20-39", "40+")), (0, 1, 1))
    [('0-19',), ('20-39', '40+')]
    """
    groups: list[list[str]] = [[] for _ in range(max(grouping) + 1)]
    for category, group in zip(variable.categories, grouping, strict=True):
        groups[group].append(category)
    return [tuple(categories) for categories in groups]


def numbered(labels: Iterable[Hashable]) -> Grouping:
    """Return groups by any labels, numbered in the order of their first categories.

    Examples
    --------
    >>> numbered([5, 2, 5])
    (0, 1, 0)
    """
    numbers: dict[Hashable, int] = {}
    return tuple(numbers.setdefault(label, len(numbers)) for label in labels)
