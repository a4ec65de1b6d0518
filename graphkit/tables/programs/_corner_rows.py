"""Independent equations that say the same as marginals do."""

from itertools import combinations

import numpy as np

from graphkit.arrays import Ints
from graphkit.tables.programs._incidence import Incidence
from graphkit.tables.structure.released import ReleasedMarginals


def corner_rows(released: ReleasedMarginals, columns: Ints) -> tuple[Incidence, Ints]:
    """Return the matrix over some cells, of zeros and ones, and the right sides.

    Parameters
    ----------
    released : ReleasedMarginals
        The marginals.
    columns : ndarray of int64, shape (c,)
        Numbers of the cells in C order.

    Notes
    -----
    Of every variable the category with the most records is left out, where that is known: the rows have the fewer
    entries, and the solver the smaller numbers.
    """
    shape = released.shape
    codes = np.array(np.unravel_index(columns, shape)).reshape(len(shape), -1)
    left_out = released.frequent()
    # the number of a category among the others, −1 for the one that is left out
    away = np.array(left_out)[:, None]
    numbers = np.where(codes == away, -1, codes - (codes > away))
    rows, entries, right = 0, [], []
    known = {part for whole in released.maximal for r in range(len(whole) + 1) for part in combinations(whole, r)}
    for axes in sorted(known | {()}):
        sizes = tuple(shape[axis] - 1 for axis in axes)
        counts = released.implied(axes)
        if counts is None or 0 in sizes:
            continue
        kept = np.flatnonzero((numbers[list(axes)] >= 0).all(axis=0)) if axes else np.arange(columns.size)
        place = np.zeros(kept.size, dtype=np.int64)
        for axis, size in zip(axes, sizes, strict=True):
            place = place * size + numbers[axis][kept]
        entries.append((rows + place, kept))
        for position, axis in enumerate(axes):
            counts = np.delete(counts, left_out[axis], axis=position)
        right.append(counts.reshape(-1))
        rows += right[-1].size
    row = np.concatenate([place for place, _ in entries])
    column = np.concatenate([kept for _, kept in entries])
    return Incidence.of_entries(row, column, (rows, columns.size)), np.concatenate(right).astype(np.int64)
