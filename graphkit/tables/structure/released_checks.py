"""Checks of what is said to be a marginal of a table."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.parameters import is_whole
from graphkit.tables.structure.contingency import MOST_TOTAL
from graphkit.tables.structure.hypergraph import Axes

__all__ = ["checked_counts", "checked_shape"]

_MOST_SIZE = 2**62


def checked_shape(shape: Iterable[int]) -> tuple[int, ...]:
    """Return the numbers of categories as a tuple.

    Raises
    ------
    InvalidInput
        If there is no variable, one has no category, or there would be more than 2^62 cells.
    """
    checked = tuple(shape)
    if not checked:
        raise InvalidInput("a table needs at least one variable")
    if not all(is_whole(size) and size >= 1 for size in checked):
        raise InvalidInput("every variable of a table needs a category")
    checked = tuple(int(size) for size in checked)
    if math.prod(checked) > _MOST_SIZE:
        raise InvalidInput("a table may have at most 2^62 cells")
    return checked


def checked_counts(axes: Axes, counts: ArrayLike, shape: tuple[int, ...]) -> Ints:
    """Return a copy of a marginal's counts that nobody can change.

    Raises
    ------
    InvalidInput
        If variables are not there or not in order, the shape is another one, a count is negative or no whole number, or
        the sum is above :data:`MOST_TOTAL`.
    """
    name = f"the marginal by variables {list(axes)}"
    if not all(is_whole(axis) and 0 <= axis < len(shape) for axis in axes):
        raise InvalidInput(f"{name} names a variable that is not there; the table has {len(shape)}, numbered from 0")
    if any(first >= second for first, second in pairwise(axes)):
        raise InvalidInput(f"{name} must name its variables in ascending order, each once")
    array = np.asarray(counts)
    expected = tuple(shape[axis] for axis in axes)
    if array.shape != expected:
        raise InvalidInput(f"{name} has shape {array.shape}, its categories ask for {expected}")
    if array.dtype.kind not in "iu":
        raise InvalidInput(f"{name} must hold whole numbers")
    if (array < 0).any():
        raise InvalidInput(f"{name} has a negative count")
    # a sum of floating point numbers does not wrap around
    if array.sum(dtype=np.float64) > MOST_TOTAL:
        raise InvalidInput(f"{name} must add up to less than 2^53")
    copied = array.astype(np.int64, order="C", copy=True)
    copied.flags.writeable = False
    return copied
