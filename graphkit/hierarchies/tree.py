"""A tree over the categories of a variable: what several of them are generalized to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count, pairwise

from graphkit.errors import InvalidInput

ROOT = "*"
"""Stands for all categories where a hierarchy does not say what does."""


@dataclass(frozen=True, slots=True)
class Tree:
    """Categories, the groups above them, and a root that has all of them below it.

    Made by :func:`tree_of_paths`.
    """

    labels: tuple[str, ...]
    """Of every node, all different: the categories first."""
    parents: tuple[int, ...]
    """The parent of every node; the root is its own."""
    size: int
    """Number of categories."""

    @property
    def categories(self) -> tuple[str, ...]:
        """Labels of the categories."""
        return self.labels[: self.size]

    def below(self, node: int) -> frozenset[int]:
        """Return the categories below a node; a category has itself."""
        found = set()
        for category in range(self.size):
            at = category
            while at != node and self.parents[at] != at:
                at = self.parents[at]
            if at == node:
                found.add(category)
        return frozenset(found)


def tree_of_paths(paths: Iterable[Sequence[str]], lines: Iterable[int] | None = None) -> Tree:
    """Return the tree in which every category has its groups above it.

    Parameters
    ----------
    paths : iterable of sequence of str
        For each category: itself, then its groups, ever larger ones, as in the files of ARX. A group that is named like
        the one below it is the same group. Where the last ones differ, a root above them is added. Blanks are part of a
        name.
    lines : iterable of int, optional
        What errors call each path; 1, 2, … by default.

    Raises
    ------
    InvalidInput
        If a path is empty or has an empty name, a category is there twice, a name means a category and a group of
        several, or a group lies in two others; names the line.

    Notes
    -----
    O(number of names).

    Examples
    --------
    >>> tree = tree_of_paths([("cat", "pet"), ("dog", "pet"), ("cow", "cattle")])
    >>> tree.labels
    ('cat', 'dog', 'cow', 'pet', '*', 'cattle')
    >>> tree.parents
    (3, 3, 5, 4, 4, 4)
    """
    above: dict[str, str] = {}
    named: dict[str, int] = {}
    categories: list[str] = []
    tops: set[str] = set()
    for line, path in zip(count(1) if lines is None else lines, paths, strict=False):
        chain = _without_repeats(path, line)
        if chain[0] in named:
            raise InvalidInput(f"line {line}: this category is there before, in line {named[chain[0]]}; name it once")
        named[chain[0]] = line
        categories.append(chain[0])
        for one, other in pairwise(chain):
            if above.setdefault(one, other) != other:
                raise InvalidInput(f"line {line}: a group lies in another one here than before; give it one group")
        if chain[-1] in above:
            raise InvalidInput(f"line {line}: this path ends at a group that has another one above it; write that, too")
        tops.add(chain[-1])
    if not categories:
        raise InvalidInput("a hierarchy needs at least one category")
    if len(tops) > 1:
        if ROOT in tops or ROOT in above or ROOT in named:
            raise InvalidInput(f"'{ROOT}' stands for all categories; let every path end with it, or none")
        above |= dict.fromkeys(sorted(tops), ROOT)
    return _numbered(categories, above, named)


def _without_repeats(path: Sequence[str], line: int) -> list[str]:
    if not path or not all(path):
        raise InvalidInput(f"line {line}: a category or group has no name; fill it in")
    chain = [name for place, name in enumerate(path) if place == 0 or name != path[place - 1]]
    if len(set(chain)) < len(chain):
        raise InvalidInput(f"line {line}: a group lies within itself; correct the path")
    return chain


def _numbered(categories: list[str], above: dict[str, str], named: dict[str, int]) -> Tree:
    """Return the tree of the groups above each name."""
    number = {name: place for place, name in enumerate(categories)}
    for group in above.values():
        if group in named:
            raise InvalidInput(
                f"line {named[group]}: this category has the name of a group of others; rename one of them"
            )
    # in the order in which they are first met, from below
    for name in categories:
        while name in above:
            name = above[name]
            if name in number:
                break
            number[name] = len(number)
    labels = tuple(number)
    return Tree(labels, tuple(number[above.get(name, name)] for name in labels), len(categories))
