"""Records as the engines read them: the values that occur, and what each of them would add to an extent."""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.generalization.extents import RANGE, SET, WORD, Layout, common, length, ones


class Records(NamedTuple):
    """Records with the values that occur among them, each numbered once over all attributes."""

    layout: Layout
    codes: Ints
    """Shape (n, d)."""
    cells: Ints
    """Number of the value of every record in every attribute, shape (n, d)."""
    attributes: Ints
    """Attribute of every value that occurs, shape (values,)."""
    values: Ints
    """Code of every value that occurs, shape (values,)."""


def records_of(layout: Layout, codes: Ints) -> Records:
    """Return records for the engines; O(n d log n)."""
    cells = np.empty(codes.shape, dtype=np.int64)
    values, count = [], 0
    for place in range(codes.shape[1]):
        found, inverse = np.unique(codes[:, place], return_inverse=True)
        cells[:, place] = count + inverse.reshape(-1)
        count += found.size
        values.append(found)
    attributes = np.repeat(np.arange(codes.shape[1]), [len(found) for found in values])
    return Records(layout, np.ascontiguousarray(codes), cells, attributes, np.concatenate(values))


@kernel
def profile(records: Records, extent: Ints, table: Floats) -> None:
    """Write what the loss in its attribute would be if an extent covered a value as well, for every value.

    Parameters
    ----------
    records : Records
    extent : ndarray of int, shape (width,)
    table : ndarray of float, shape (values,)
        Written to; the loss with a record is the sum of the entries of its cells.
    """
    layout = records.layout
    last, count = -1, 0
    for cell in range(records.values.size):
        t, code = records.attributes[cell], records.values[cell]
        at, start, weight = layout.offsets[t], layout.starts[t], layout.weights[t]
        kind = layout.kinds[t]
        if kind == RANGE:
            table[cell] = weight * length(layout, start, min(extent[at], code), max(extent[at + 1], code))
        elif kind == SET:
            if t != last:
                count = 0
                for word in range(at, layout.offsets[t + 1]):
                    count += ones(extent[word])
            has = (extent[at + code // WORD] >> np.int64(code % WORD)) & 1
            table[cell] = weight * layout.scale[start + count + 1 - has]
        else:
            table[cell] = weight * layout.scale[start + common(layout, t, extent[at], code)]
        last = t


@kernel
def price(records: Records, table: Floats, record: int) -> float:
    """Return the loss of the extent of a profile if it covered a record as well."""
    total = 0.0
    for t in range(records.cells.shape[1]):
        total += table[records.cells[record, t]]
    return total


@kernel
def lightest(
    records: Records, table: Floats, prices: Floats, barred: Ints, first: int, free: Ints, found: Ints, losses: Floats
) -> int:
    """Write the records with which an extent would lose least, the least first; return how many there are.

    Parameters
    ----------
    records : Records
    table : ndarray of float
        Of :func:`profile`.
    prices : ndarray of float, shape (n,)
        What a record is paid for being covered: the loss is less by it.
    barred : ndarray of int
        Records that are left out.
    first : int
        Record with which looking begins; of several that are as good those next after it are taken, so that extents
        that are alike do not all want the same.
    free : ndarray of int, shape (n,)
        Records that are left out have a number from 0 on here.
    found, losses : ndarray, shape (most,)
        Written to.
    """
    n, most = records.codes.shape[0], found.size
    count = 0
    for step in range(n):
        record = first + step
        if record >= n:
            record -= n
        if free[record] >= 0:
            continue
        loss = price(records, table, record) - prices[record]
        if count == most and loss >= losses[most - 1]:
            continue
        if is_in(barred, record):
            continue
        at = count if count < most else most - 1
        while at > 0 and losses[at - 1] > loss:
            losses[at] = losses[at - 1]
            found[at] = found[at - 1]
            at -= 1
        losses[at] = loss
        found[at] = record
        count = min(count + 1, most)
    return count


@kernel
def is_in(some: Ints, record: int) -> bool:
    """Whether a record is among some."""
    found = False
    for one in some:
        found |= one == record
    return found
