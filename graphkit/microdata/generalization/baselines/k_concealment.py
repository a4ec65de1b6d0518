"""k-concealment by agglomeration: every record grows until it covers k, then until k cover it; for comparison."""

from collections.abc import Sequence

import numpy as np

from graphkit.arrays import Ints
from graphkit.kernels import kernel
from graphkit.microdata.consistency import consistency
from graphkit.microdata.generalization.attribute import Attribute
from graphkit.microdata.generalization.extents import (
    Layout,
    check_codes,
    covers,
    extents_of,
    join,
    layout_of,
    loss,
    loss_with,
)
from graphkit.microdata.linked import candidates
from graphkit.parameters import check_least_size


def k_concealment(codes: Ints, attributes: Sequence[Attribute], k: int) -> Ints:
    """Return extents among which every record hides: each of k or more could be its own.

    Parameters
    ----------
    codes : ndarray of int, shape (n, d)
        Records as numbers of values.
    attributes : sequence of Attribute
    k : int
        From 2 to n.

    Returns
    -------
    ndarray of int, shape (n, width)
        Of every record; other than after :func:`~graphkit.microdata.generalization.driver.generalize` no graph with k
        edges at each end, so it says nothing of probabilities.

    Raises
    ------
    InvalidInput
        If records are not of the domains, or k is not from 2 to n.

    Notes
    -----
    Each record takes in, one after the other, the one that adds the least loss, until it covers k. A record that fewer
    than k cover is taken in by those to which it adds the least. Last, where a record or what is published of it has
    fewer than k links in assignments of all records, it and another one take each other in: with the assignment of each
    to itself that is a cycle, which makes links of both edges. O(n² k d).

    References
    ----------
    Gionis, Mazza, Tassa: k-Anonymization revisited, ICDE 2008, Algorithms 4 and 5; Tassa, Mazza, Gionis: k-Concealment:
    an alternative model of k-type anonymity, Transactions on Data Privacy 5, 2012, who ask for links of the originals
    alone. The last step is simpler than theirs.

    Examples
    --------
    >>> from graphkit.microdata.generalization.attribute import numeric
    >>> k_concealment(np.array([[0], [1], [2], [3]]), [numeric([0, 1, 8, 9])], 2).tolist()
    [[0, 1], [0, 1], [2, 3], [2, 3]]
    """
    check_codes(attributes, codes)
    n = codes.shape[0]
    check_least_size(k, n)
    layout, held = layout_of(attributes), np.ascontiguousarray(codes, dtype=np.int64)
    extents = extents_of(layout, held)
    _grow(layout, held, k, extents)
    _let_cover(layout, held, k, extents)
    while True:
        linked, linking = candidates(consistency(attributes, extents, held))
        # each record covers itself: there is an assignment
        assert linked is not None
        assert linking is not None
        lacking = np.flatnonzero((linked < k) | (linking < k))
        if not lacking.size:
            return extents
        _take_each_other_in(layout, held, lacking, extents)


@kernel
def _grow(layout: Layout, codes: Ints, k: int, extents: Ints) -> None:
    """Let every extent take in the record that adds the least, until it covers k."""
    n = codes.shape[0]
    for row in range(n):
        inside = np.zeros(n, dtype=np.bool_)
        inside[row] = True
        for _ in range(k - 1):
            best, least = -1, np.inf
            for other in range(n):
                if not inside[other]:
                    cost = loss_with(layout, extents[row], codes[other])
                    if cost < least:
                        best, least = other, cost
            inside[best] = True
            join(layout, extents[row], codes[best])


@kernel
def _let_cover(layout: Layout, codes: Ints, k: int, extents: Ints) -> None:
    """Let the extents to which a record adds the least take it in, until k cover it."""
    n = codes.shape[0]
    for record in range(n):
        missing = k
        costs = np.empty(n)
        for row in range(n):
            if covers(layout, extents[row], codes[record]):
                missing -= 1
                costs[row] = np.inf
            else:
                costs[row] = loss_with(layout, extents[row], codes[record]) - loss(layout, extents[row])
        for _ in range(missing):
            row = int(np.argmin(costs))
            costs[row] = np.inf
            join(layout, extents[row], codes[record])


@kernel
def _take_each_other_in(layout: Layout, codes: Ints, lacking: Ints, extents: Ints) -> None:
    """Let each of some records and the one with which that costs least, and is new, take each other in."""
    for record in lacking:
        best, least = -1, np.inf
        for other in range(codes.shape[0]):
            new = not (covers(layout, extents[record], codes[other]) and covers(layout, extents[other], codes[record]))
            if other != record and new:
                cost = loss_with(layout, extents[record], codes[other]) - loss(layout, extents[record])
                cost += loss_with(layout, extents[other], codes[record]) - loss(layout, extents[other])
                if cost < least:
                    best, least = other, cost
        join(layout, extents[record], codes[best])
        join(layout, extents[best], codes[record])
