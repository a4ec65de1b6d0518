"""Sets of up to 128 positions as two machine words."""

import numpy as np

from graphkit.arrays import Bools, Words
from graphkit.kernels import compiled
from graphkit.words import BITS, members_in, packed

WORDS = 2


def joinable_rows(joinable: Bools) -> Words:
    """Return the first 128 columns of a matrix as sets, shape (rows, 2).

    Examples
    --------
    >>> joinable_rows(np.array([[False, True, True]])).tolist()
    [[6, 0]]
    """
    rows = np.zeros((joinable.shape[0], WORDS), dtype=np.uint64)
    words = packed(joinable[:, : WORDS * BITS])
    rows[:, : words.shape[1]] = words
    return rows


@compiled(inline="always")
def common(a: Words, b: Words) -> int:
    """Return the number of positions in both sets."""
    return int(members_in(a[0] & b[0]) + members_in(a[1] & b[1]))
