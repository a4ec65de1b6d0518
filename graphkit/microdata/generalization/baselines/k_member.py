"""k-member clustering: classes of k records that grow by the record that adds the least loss."""

from collections.abc import Sequence

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.generalization.attribute import Attribute
from graphkit.microdata.generalization.bounding.stars import extended, prepared
from graphkit.microdata.generalization.bounding.whole import whole_losses
from graphkit.microdata.generalization.extents import Layout, check_codes, join, layout_of, put
from graphkit.parameters import check_least_size


def k_member(codes: Ints, attributes: Sequence[Attribute], k: int) -> Ints:
    """Return the class of every record of a partition into classes of at least k.

    Parameters
    ----------
    codes : ndarray of int, shape (n, d)
        Records as numbers of values.
    attributes : sequence of Attribute
    k : int
        Least size of a class, from 2 to n.

    Returns
    -------
    ndarray of int, shape (n,)
        Numbers 0, 1, … without gaps; classes of k records, and of up to 2k − 1 where records were left over.

    Raises
    ------
    InvalidInput
        If records are not of the domains, or k is not from 2 to n.

    Notes
    -----
    A class begins with the record that loses most with the last one taken, and takes the record that adds the least
    loss until it has k. Those left over, fewer than k, each join the class to which they add least among classes that
    are not full. The first record begins, and of equal ones the first is taken, so nothing is random.
    O(n² d) time, O(n) memory.

    References
    ----------
    Byun, Kamra, Bertino, Li: Efficient k-anonymization using clustering techniques, DASFAA 2007, Section 3.

    Examples
    --------
    >>> from graphkit.microdata.generalization.attribute import numeric
    >>> k_member(np.array([[0], [3], [1], [2]]), [numeric([0, 1, 8, 10])], 2).tolist()
    [1, 0, 1, 0]
    """
    check_codes(attributes, codes)
    check_least_size(k, codes.shape[0])
    classes: Ints = _clustered(whole_losses(layout_of(attributes)), np.ascontiguousarray(codes, dtype=np.int64), k)
    return classes


@kernel
def _clustered(layout: Layout, codes: Ints, k: int) -> Ints:
    n = codes.shape[0]
    classes, left = np.full(n, -1, dtype=np.int64), np.arange(n)
    extents = np.empty((n // k, layout.offsets[-1]), dtype=np.int64)
    sizes = np.zeros(n // k, dtype=np.int64)
    costs, extent = np.empty((2, codes.shape[1])), np.empty(layout.offsets[-1], dtype=np.int64)
    count, last = n, 0
    for number in range(n // k):
        put(layout, extent, codes[last])
        place = _chosen(layout, codes, extent, costs, left[:count], -1.0)
        for member in range(k):
            if member:
                place = _chosen(layout, codes, extent, costs, left[:count], 1.0)
                join(layout, extent, codes[left[place]])
            else:
                put(layout, extent, codes[left[place]])
            last = left[place]
            classes[last] = number
            # the order of those left stays that of the records
            left[place : count - 1] = left[place + 1 : count].copy()
            count -= 1
        extents[number] = extent
        sizes[number] = k
    for record in left[:count]:
        best, least = -1, np.inf
        for number in range(n // k):
            if sizes[number] < 2 * k - 1:
                now = prepared(layout, extents[number], costs)
                added = extended(layout, extents[number], costs, codes[record]) - now
                if added < least:
                    best, least = number, added
        classes[record] = best
        sizes[best] += 1
        join(layout, extents[best], codes[record])
    return classes


@kernel
def _chosen(layout: Layout, codes: Ints, extent: Ints, costs: Floats, left: Ints, sign: float) -> int:
    """Return the place of the record with which an extent loses least, or with a negative sign most."""
    prepared(layout, extent, costs)
    best, least = 0, np.inf
    for place in range(left.size):
        value = sign * extended(layout, extent, costs, codes[left[place]])
        if value < least:
            best, least = place, value
    return best
