"""Where each record is covered, kept while tuples exchange records."""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.generalization._records import Records


class Covering(NamedTuple):
    """Some recoded tuples, what they cover, and where each record stands; changed in place by exchanges."""

    rows: Ints
    """Records that each tuple covers, shape (m, k)."""
    starts: Ints
    """Where a record begins in `slots`, shape (n + 1,)."""
    slots: Ints
    """Places in `rows`, read row by row, that have a record; shape (m k,)."""
    backs: Ints
    """Where each place of `rows` stands in `slots`, shape (m, k)."""
    counts: Ints
    """Different values that a tuple covers in each attribute without order, shape (m, d)."""
    losses: Floats
    """Shape (m,)."""


def covering_of(records: Records, rows: Ints, losses: Floats) -> Covering:
    """Return tuples with what exchanges need; `rows` is copied.

    Parameters
    ----------
    records : Records
    rows : ndarray of int, shape (m, k)
        Each has k different records; the number of rows that have a record may differ.
    losses : ndarray of float, shape (m,)
    """
    rows = np.ascontiguousarray(rows)
    slots = np.argsort(rows, axis=None, kind="stable")
    backs = np.empty(rows.size, dtype=np.int64)
    backs[slots] = np.arange(rows.size)
    starts = np.concatenate(([0], np.cumsum(np.bincount(rows.ravel(), minlength=records.codes.shape[0]))))
    counts = np.zeros((rows.shape[0], records.codes.shape[1]), dtype=np.int64)
    count_all(records, rows, counts)
    return Covering(rows.copy(), starts, slots, backs.reshape(rows.shape), counts, losses.copy())


@kernel
def count_all(records: Records, rows: Ints, counts: Ints) -> None:
    """Count different values of every row."""
    for row in range(rows.shape[0]):
        count(records, rows, counts, row)


@kernel
def count(records: Records, rows: Ints, counts: Ints, row: int) -> None:
    """Count different values of a row in every attribute."""
    for t in range(counts.shape[1]):
        different = 0
        for place in range(rows.shape[1]):
            code = records.codes[rows[row, place], t]
            different += 1
            for before in range(place):
                if records.codes[rows[row, before], t] == code:
                    different -= 1
                    break
        counts[row, t] = different


@kernel
def exchange(records: Records, covering: Covering, row: int, place: int, other: int, there: int) -> None:
    """Let two tuples exchange the records at a place of each."""
    rows, slots, backs = covering.rows, covering.slots, covering.backs
    k = rows.shape[1]
    one, two = rows[row, place], rows[other, there]
    back, forth = backs[row, place], backs[other, there]
    rows[row, place] = two
    rows[other, there] = one
    slots[back] = other * k + there
    backs[other, there] = back
    slots[forth] = row * k + place
    backs[row, place] = forth
    count(records, rows, covering.counts, row)
    count(records, rows, covering.counts, other)
