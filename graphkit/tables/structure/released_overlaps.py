"""Whether released marginals say the same where they overlap."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from graphkit.arrays import Ints
from graphkit.tables.structure.contingency import strides_of
from graphkit.tables.structure.hypergraph import Axes

__all__ = ["disagreeing_pair"]


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
