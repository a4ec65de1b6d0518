"""Boxes: some categories of every variable, in which a table is drawn anew while all else is held."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphkit.tables.hypergraph import Axes
from graphkit.tables.merged_cells import MergedAxis, pair_sums

__all__ = ["Box", "box_of", "boxes_for"]

_MOST_WHOLE = 7_000
_MOST_PART = 2_500
_NUMBER = 12


class Box(NamedTuple):
    """The merged cells of a table as large as a box; merged cells by their number in C order."""

    shape: NDArray[np.int64]
    """Number of categories of every variable in the box, 1 where it is held, shape (k,)."""
    base: NDArray[np.int64]
    """The cells of the box in C order, shape (n,)."""
    build: NDArray[np.int64]
    """Whole and two parts for every other merged cell, the parts before their whole, shape (m − n, 3)."""
    sums: NDArray[np.int64]
    """Whole and two parts of every sum that marginals do not fix, shape (s, 3)."""
    first: NDArray[np.int64]
    """Where the sums of every merged cell begin in `touching`, and where the last ends, shape (m+1,)."""
    touching: NDArray[np.int64]
    known: NDArray[np.bool_]
    """Which merged cells released marginals fix, shape (m,)."""
    free: NDArray[np.int64]
    """Merged cells that determine the table together with the known ones, shape (f,)."""


def box_of(shape: Sequence[int], released: Sequence[Axes]) -> Box:
    """Return the structure of a box; `released` are the sets of variables whose marginals it must keep.

    Examples
    --------
    >>> box = box_of((3, 3, 3), [(0, 1), (0, 2), (1, 2)])
    >>> box.known.size, box.free.size
    (343, 8)
    """
    axes = [MergedAxis.full(size) for size in shape]
    merged = tuple(axis.size for axis in axes)
    numbers = np.arange(math.prod(merged), dtype=np.int64).reshape(merged)
    known = np.zeros(merged, dtype=np.bool_)
    # the total is known, even if nothing is released
    for facet in [(), *released]:
        known[tuple(slice(None) if axis in facet else -1 for axis in range(len(shape)))] = True
    sums = pair_sums(axes)
    flat = known.reshape(-1)
    sums = np.ascontiguousarray(sums[~flat[sums].all(axis=1)])
    owners = sums.reshape(-1)
    order = np.argsort(owners, kind="stable")
    return Box(
        np.array(shape, dtype=np.int64),
        np.ascontiguousarray(numbers[tuple(slice(size) for size in shape)].reshape(-1)),
        _building(axes, numbers),
        sums,
        np.searchsorted(owners[order], np.arange(numbers.size + 1)).astype(np.int64),
        (order // 3).astype(np.int64),
        flat,
        np.array(list(_free(shape, released, numbers)), dtype=np.int64),
    )


def _building(axes: list[MergedAxis], numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return one sum for every merged cell that is no cell of the box, in an order in which they can be worked out."""
    rows = [np.empty((0, 3), dtype=np.int64)]
    for i, axis in enumerate(axes):
        # variables before it have all their sets by now, those behind it single categories only
        part = numbers[(slice(None),) * (i + 1) + tuple(slice(later.members.shape[1]) for later in axes[i + 1 :])]
        along = np.moveaxis(part, i, 0).reshape(axis.size, -1)
        _, sums = np.unique(axis.whole, return_index=True)
        # sets are numbered so that the parts of one come before it
        for s in sums:
            one, two = axis.parts[axis.first_part[s] : axis.first_part[s + 1]]
            rows.append(np.stack((along[axis.whole[s]], along[one], along[two]), axis=-1))
    return np.ascontiguousarray(np.concatenate(rows))


def _free(shape: Sequence[int], released: Sequence[Axes], numbers: NDArray[np.int64]) -> Iterator[int]:
    """Yield the merged cells of one category, not the last, of every variable of a set that is within no marginal."""
    several = [axis for axis, size in enumerate(shape) if size > 1]
    for size in range(1, len(several) + 1):
        for axes in combinations(several, size):
            if not any(set(axes) <= set(facet) for facet in released):
                place = [-1] * len(shape)
                for categories in product(*(range(shape[axis] - 1) for axis in axes)):
                    for axis, category in zip(axes, categories, strict=True):
                        place[axis] = category
                    yield int(numbers[tuple(place)])


def boxes_for(
    shape: tuple[int, ...], released: Sequence[Axes], spans: NDArray[np.int64], rng: np.random.Generator
) -> tuple[list[Box], bool]:
    """Return boxes to draw in, and whether the first of them is the whole table.

    Parameters
    ----------
    shape : tuple of int
        Number of categories of every variable.
    released : sequence of tuple of int
        Sets of variables of the released marginals.
    spans : ndarray of int64, shape (f, s)
        The smallest sets that are within no marginal, filled up with −1.
    rng : numpy.random.Generator
        Chooses the boxes where the table is too large to be one.
    """
    if not spans.size:
        return [], False
    if _merged(shape) <= _MOST_WHOLE:
        return [box_of(shape, released)], True
    chosen = {
        _grown(shape, [axis for axis in spans[rng.integers(len(spans))] if axis >= 0], rng) for _ in range(_NUMBER)
    }
    return [box_of(part, released) for part in sorted(chosen)], False


def _merged(shape: Sequence[int]) -> int:
    return math.prod(2**size - 1 for size in shape)


def _grown(shape: tuple[int, ...], span: list[int], rng: np.random.Generator) -> tuple[int, ...]:
    """Return a box of two categories of some variables, made larger at random as far as it stays small."""
    part = [2 if axis in span else 1 for axis in range(len(shape))]
    growing = list(range(len(shape)))
    while growing:
        axis = growing[rng.integers(len(growing))]
        larger = [size + (other == axis) for other, size in enumerate(part)]
        if larger[axis] <= shape[axis] and _merged(larger) <= _MOST_PART:
            part = larger
        else:
            growing.remove(axis)
    return tuple(part)
