"""Many records as parts of records near each other, each worked on by itself; borders may be drawn anew every time."""

import numpy as np

from graphkit.arrays import Floats, Ints, Rng
from graphkit.microdata.generalization.extents import Layout

ALL_AT_ONCE = 5_000
"""Records up to which all are worked on together: some steps take time that grows with their square."""
_PAIRS = 64
_UNEVEN = 0.1


def parts_of(layout: Layout, codes: Ints, most: int, rng: Rng, least: int = 1) -> list[Ints]:
    """Return parts of at most about so many records: cut again and again across an attribute that loses much there.

    Parameters
    ----------
    layout : Layout
    codes : ndarray of int, shape (n, d)
    most : int
    rng : Generator
        Draws the attribute of each border, the more probably the more two records of the part lose in it, and its
        place near the middle.
    least : int, optional
        Records of a part at least; n itself where there are fewer than twice as many.

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
        spreads = _spreads(layout, codes[part], rng)
        total = spreads.sum()
        attribute = rng.choice(spreads.size, p=spreads / total if total > 0 else None)
        # values without an order stand in a drawn one, so that other ones are together every time
        ranks = rng.permutation(int(codes[:, attribute].max()) + 1) if layout.kinds[attribute] else None
        column = codes[part, attribute] if ranks is None else ranks[codes[part, attribute]]
        order = np.argsort(column, kind="stable")
        border = int(part.size * rng.uniform(0.5 - _UNEVEN, 0.5 + _UNEVEN))
        border = min(max(border, least), part.size - least)
        waiting += [part[order[border:]], part[order[:border]]]
    return parts


def _spreads(layout: Layout, codes: Ints, rng: Rng) -> Floats:
    """Return how often two records differ in an attribute, by what that loses; of ranges, how far they are apart."""
    one, other = codes[rng.integers(0, codes.shape[0], (2, _PAIRS))]
    spreads = np.empty(codes.shape[1])
    for t in range(codes.shape[1]):
        apart = np.asarray(one[:, t] != other[:, t], dtype=np.float64)
        if layout.kinds[t] == 0:
            scale = layout.scale[layout.starts[t] :]
            apart = np.abs(scale[one[:, t]] - scale[other[:, t]])
        elif layout.kinds[t] == 1:
            apart *= layout.scale[layout.starts[t] + 2] if apart.any() else 0.0
        spreads[t] = layout.weights[t] * apart.mean()
    return spreads
