"""Numbers of marginals, and where they stand in a drawing of the lattice."""

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.tables.structure.hypergraph import Axes


def axes_of(number: int) -> Axes:
    """Return the variables of a marginal by its number in the lattice.

    Examples
    --------
    >>> axes_of(5)
    (0, 2)
    """
    return tuple(axis for axis in range(number.bit_length()) if number >> axis & 1)


def lattice_positions(k: int) -> Floats:
    """Return where to draw the marginals of `k` variables: x and y, shape (2^k, 2).

    Returns
    -------
    ndarray of float64
        y is the number of variables; x counts the marginals of a level in lexicographic order, centred at 0, one
        apart.

    Examples
    --------
    >>> lattice_positions(2).tolist()
    [[0.0, 0.0], [-0.5, 1.0], [0.5, 1.0], [0.0, 2.0]]
    """
    numbers = np.arange(1 << k, dtype=np.int64)
    order, level = level_order(numbers), np.bitwise_count(numbers)
    sizes = np.bincount(level, minlength=k + 1)
    first = np.cumsum(sizes) - sizes
    x = np.empty(numbers.size)
    x[order] = np.arange(numbers.size) - first[level[order]]
    return np.column_stack((x - (sizes[level] - 1) / 2, level))


def level_order(numbers: Ints) -> Ints:
    """Return an order of marginals by number of variables, then lexicographic by variables.

    Parameters
    ----------
    numbers : ndarray of int64, shape (m,)
        Numbers in the lattice.

    Examples
    --------
    >>> [axes_of(number) for number in level_order(np.arange(8)).tolist()]
    [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]
    """
    reverse = np.zeros_like(numbers)
    for axis in range(int(numbers.max(initial=0)).bit_length()):
        # of two sets of one size, the one with the smallest variable that is not in both comes first
        reverse = reverse << 1 | numbers >> axis & 1
    return np.lexsort((-reverse, np.bitwise_count(numbers)))
