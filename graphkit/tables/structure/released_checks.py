"""Checks of what is said to be marginals of a table: each by itself, and where they overlap."""

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.parameters import is_whole
from graphkit.tables.structure.contingency import MOST_TOTAL, strides_of
from graphkit.tables.structure.hypergraph import Axes

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


def disagreeing_pair(shape: tuple[int, ...], marginals: Mapping[Axes, Ints]) -> tuple[Axes, Axes] | None:
    """Return two marginals with different counts by the variables they share, or None.

    Parameters
    ----------
    shape : tuple of int
        Number of categories of every variable of the table.
    marginals : mapping of tuple of int to ndarray of int64
        Counts by some of the variables.

    Notes
    -----
    A marginal is written as the counts of all marginals below it, without the first category of each variable: as
    many numbers as it has cells, and as good. Each of them has a cell of the full table for its number, with the first
    category standing for "any". The marginals agree if all counts of one number do: one sort of all cells instead of
    a look at every pair, O(s log s) for s cells in all.

    Examples
    --------
    >>> rows, columns = np.array([[1, 2], [3, 4]]), np.array([[4, 0], [6, 1]])
    >>> disagreeing_pair((2, 2, 2), {(0, 1): rows, (1, 2): columns})
    ((0, 1), (1, 2))
    """
    if len(marginals) < 2:
        return None
    strides = strides_of(shape).tolist()
    owners = list(marginals)
    holders = np.bincount(np.concatenate([np.array(axes, dtype=np.int64) for axes in owners]), minlength=len(shape))
    numbers, counts = [], []
    for axes, array in marginals.items():
        # what no other marginal has cannot be contradicted
        alone = tuple(place for place, axis in enumerate(axes) if holders[axis] == 1)
        shared = [axis for axis in axes if holders[axis] > 1]
        number, count = _numbered([strides[axis] for axis in shared], array.sum(axis=alone))
        numbers.append(number)
        counts.append(count)
    number, count = np.concatenate(numbers), np.concatenate(counts)
    order = np.argsort(number, kind="stable")
    number, count = number[order], count[order]
    wrong = np.flatnonzero((number[1:] == number[:-1]) & (count[1:] != count[:-1]))
    if not wrong.size:
        return None
    owner = np.repeat(np.arange(len(owners)), [part.size for part in numbers])[order]
    return owners[owner[wrong[0]]], owners[owner[wrong[0] + 1]]


def _numbered(strides: list[int], counts: Ints) -> tuple[Ints, Ints]:
    """Return cell numbers and counts, the first category of every variable replaced by the sum over all."""
    counts = np.array(counts)
    number = np.zeros((), dtype=np.int64)
    for axis, stride in enumerate(strides):
        sums = counts.sum(axis=axis)
        np.moveaxis(counts, axis, 0)[0] = sums
        number = number[..., None] + stride * np.arange(counts.shape[axis], dtype=np.int64)
    return number.reshape(-1), counts.reshape(-1)
