"""Many records as parts of records near each other, each worked on by itself; borders may be drawn anew every time."""

import numpy as np

from graphkit.arrays import Floats, Ints, Rng
from graphkit.microdata.generalization.extents import RANGE, SET, Layout

ALL_AT_ONCE = 5_000
"""Records up to which all are worked on together: some steps take time that grows with their square."""
PART = 2_500
"""Records of a part at most, where there are more."""
_PAIRS = 64
_UNEVEN = 0.1
_FAR = 0.35


def parts_of(layout: Layout, codes: Ints, most: int, rng: Rng, *, least: int = 1, drawn: bool = True) -> list[Ints]:
    """Return parts of at most about so many records: cut again and again across an attribute that loses much there.

    Parameters
    ----------
    layout : Layout
    codes : ndarray of int, shape (n, d)
    most : int
    rng : Generator
        Draws about where a border is.
    least : int, optional
        Records of a part at least; n itself where there are fewer than twice as many.
    drawn : bool, optional
        Draw the attribute of each border too, the more probably the more two records of the part lose in it. Otherwise
        it is the one in which they lose most.

    Returns
    -------
    list of ndarray of int
        Positions of the records of every part, rising; each record is in one part.

    Notes
    -----
    O(n d log(n / most)), with memory for some numbers a record.
    """
    waiting, parts = [np.arange(codes.shape[0])], []
    while waiting:
        part = waiting.pop()
        if part.size <= most or part.size < 2 * least:
            parts.append(np.sort(part))
            continue
        spreads = spreads_of(layout, codes[part], rng)
        total = spreads.sum()
        attribute = int(np.argmax(spreads))
        if drawn:
            attribute = int(rng.choice(spreads.size, p=spreads / total if total > 0 else None))
        order, border = _cut(codes[part, attribute], layout.kinds[attribute] == RANGE, rng)
        border = min(max(border, least), part.size - least)
        waiting += [part[order[border:]], part[order[:border]]]
    return parts


def _cut(column: Ints, has_order: bool, rng: Rng) -> tuple[Ints, int]:
    """Return records by value, and where they are cut: between two values where that is not too far from the middle."""
    if not has_order:
        # rare values are together on one side, and of values about as frequent others every time
        counts = np.bincount(column)
        ranks = np.empty(counts.size, dtype=np.int64)
        ranks[np.argsort(-counts * rng.uniform(0.5, 1.0, counts.size), kind="stable")] = np.arange(counts.size)
        column = ranks[column]
    order = np.argsort(column, kind="stable")
    middle = int(column.size * rng.uniform(0.5 - _UNEVEN, 0.5 + _UNEVEN))
    ordered = column[order]
    changes = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    if not changes.size:
        return order, middle
    border = int(changes[np.argmin(np.abs(changes - middle))])
    return order, border if abs(border - column.size / 2) <= _FAR * column.size else middle


def spreads_of(layout: Layout, codes: Ints, rng: Rng) -> Floats:
    """Return how often two records differ in an attribute, by what that loses; of ranges, how far they are apart.

    Parameters
    ----------
    layout : Layout
    codes : ndarray of int, shape (n, d)
    rng : Generator
        Draws the pairs of records that are compared.

    Returns
    -------
    ndarray of float, shape (d,)
    """
    one, other = codes[rng.integers(0, codes.shape[0], (2, _PAIRS))]
    spreads = np.empty(codes.shape[1])
    for t in range(codes.shape[1]):
        apart = np.asarray(one[:, t] != other[:, t], dtype=np.float64)
        if layout.kinds[t] == RANGE:
            scale = layout.scale[layout.starts[t] :]
            # what is missing is as far from every number as the ends of the domain from each other
            apart = np.minimum(np.abs(scale[one[:, t]] - scale[other[:, t]]), 1.0)
        elif layout.kinds[t] == SET:
            apart *= layout.scale[layout.starts[t] + 2] if apart.any() else 0.0
        spreads[t] = layout.weights[t] * apart.mean()
    return spreads
