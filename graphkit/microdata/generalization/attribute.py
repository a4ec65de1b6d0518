"""An attribute that is generalized: its domain, what stands for several of its values, and what that loses."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from graphkit.arrays import Floats, Ints
from graphkit.errors import InvalidInput

Kind = Literal["range", "set", "tree"]
Counting = Literal["share", "steps"]
"""How much a set of s of the m values of a domain loses: s / m, or (s − 1) / (m − 1); nothing where s is 1."""


# no slots: losses, leaves and depths are worked out when they are first asked for
@dataclass(frozen=True, eq=False)
class Attribute:
    """A domain of values, numbered from 0 on, and how several of them are generalized.

    Made by :func:`numeric`, :func:`nominal` or :func:`hierarchical`. NCP, the normalized certainty penalty of what
    stands for several values, is between 0 and 1; a single value has 0.
    """

    kind: Kind
    """`range`: from the least to the greatest of the values; `set`: the values themselves; `tree`: the lowest common
    ancestor in a hierarchy."""
    size: int
    """Number of values of the domain."""
    numbers: Floats = field(default_factory=lambda: np.empty(0))
    """Of a range, the number of every value, ascending; shape (size,). NaN, the first, is what is missing."""
    parents: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """Of a tree, the parent of every node; values are the first `size` nodes, the root is its own parent."""
    weight: float = 1.0
    """What its loss counts beside those of the other attributes."""
    counting: Counting = "share"

    @property
    def has_missing(self) -> bool:
        """Of a range, whether its first value is what is missing: together with any number it loses all."""
        return self.kind == "range" and bool(np.isnan(self.numbers[0]))

    @cached_property
    def losses(self) -> Floats:
        """NCP by the number of values that a generalized value stands for, shape (size + 1,); not for ranges."""
        counts = np.arange(self.size + 1, dtype=np.float64)
        found = counts / self.size if self.counting == "share" else (counts - 1) / max(1, self.size - 1)
        found[:2] = 0.0
        return found

    @cached_property
    def leaves(self) -> Ints:
        """Of a tree, the number of values below every node; a value has itself."""
        counts = np.zeros(self.parents.size, dtype=np.int64)
        for node in range(self.size):
            counts[node] += 1
            while self.parents[node] != node:
                node = int(self.parents[node])
                counts[node] += 1
        return counts

    @cached_property
    def depths(self) -> Ints:
        """Of a tree, the number of edges from the root to every node."""
        depths = np.zeros(self.parents.size, dtype=np.int64)
        for node in range(self.parents.size):
            at = node
            while self.parents[at] != at:
                at = int(self.parents[at])
                depths[node] += 1
        return depths


def numeric(values: ArrayLike, weight: float = 1.0, missing: bool = False) -> Attribute:
    """Return an attribute of numbers; several are generalized to the range from the least to the greatest.

    Parameters
    ----------
    values : array_like of float
        The domain, which may name more than is in the data: NCP is the length of a range by that of the domain.
    weight : float, optional
    missing : bool, optional
        Whether a record may lack a number: that is value 0, then, and the numbers begin with value 1. A range from what
        is missing to a number stands for that and all smaller numbers, and loses as much as the whole domain.

    Raises
    ------
    InvalidInput
        If there is no value, one is not finite, or the weight is not positive.

    Examples
    --------
    >>> numeric([30, 20, 20, 90]).numbers.tolist()
    [20.0, 30.0, 90.0]
    """
    numbers = np.unique(np.asarray(values, dtype=np.float64))
    if not numbers.size or not np.isfinite(numbers).all():
        raise InvalidInput("a domain of numbers needs at least one value, and finite ones only")
    numbers = np.concatenate(([np.nan], numbers)) if missing else numbers
    return Attribute("range", numbers.size, numbers=numbers, weight=_checked(weight))


def nominal(size: int, weight: float = 1.0, counting: Counting = "share") -> Attribute:
    """Return an attribute of categories without a hierarchy; several are generalized to the set of them.

    Raises
    ------
    InvalidInput
        If there is no category, or the weight is not positive.
    """
    if size < 1:
        raise InvalidInput("a domain needs at least one category")
    return Attribute("set", size, weight=_checked(weight), counting=counting)


def hierarchical(parents: Sequence[int], size: int, weight: float = 1.0, counting: Counting = "share") -> Attribute:
    """Return an attribute of categories with a tree over them; several are generalized to the lowest common ancestor.

    Parameters
    ----------
    parents : sequence of int
        Parent of every node; the root is its own. The first `size` nodes are the categories, and have no children.
    size : int
    weight, counting : optional

    Raises
    ------
    InvalidInput
        If it is no tree over the categories, or the weight is not positive.

    Examples
    --------
    >>> tree = hierarchical([3, 3, 4, 4, 4], 3)
    >>> tree.leaves.tolist(), tree.depths.tolist()
    ([1, 1, 1, 2, 3], [2, 2, 1, 1, 0])
    """
    above = np.asarray(parents, dtype=np.int64)
    nodes = above.size
    if not 1 <= size <= nodes or above.min() < 0 or above.max() >= nodes:
        raise InvalidInput("a hierarchy names a parent that is not there, or has no category")
    roots = np.flatnonzero(above == np.arange(nodes))
    if roots.size != 1:
        raise InvalidInput(f"a hierarchy has {roots.size} roots; it needs one, which stands for all categories")
    if nodes > 1 and (above[above != np.arange(nodes)] < size).any():
        raise InvalidInput("a category of a hierarchy has another one below it")
    top = above.copy()
    # doubling: after so many steps every node of a tree has come to the root
    for _ in range(nodes.bit_length()):
        top = top[top]
    if (top != roots[0]).any():
        raise InvalidInput("a hierarchy goes round in a circle")
    if (np.setdiff1d(np.arange(size, nodes), above)).size and nodes > size:
        raise InvalidInput("a node of a hierarchy has no category below it")
    return Attribute("tree", size, parents=above, weight=_checked(weight), counting=counting)


def _checked(weight: float) -> float:
    if not (np.isfinite(weight) and weight > 0):
        raise InvalidInput(f"weight ({weight:g}) must be a positive number")
    return float(weight)
