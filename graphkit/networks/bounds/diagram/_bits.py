"""Sets of up to 128 positions as two machine words."""

import numpy as np

from graphkit.arrays import Bools, Words
from graphkit.kernels import compiled
from graphkit.words import members_in

WORDS = 2
_BITS = 64


def joinable_rows(joinable: Bools) -> Words:
    """Return the first 128 columns of a matrix as sets, shape (rows, 2).

    Examples
    --------
    >>> joinable_rows(np.array([[False, True, True]])).tolist()
    [[6, 0]]
    """
    padded = np.zeros((joinable.shape[0], WORDS * _BITS), dtype=np.bool_)
    width = min(joinable.shape[1], WORDS * _BITS)
    padded[:, :width] = joinable[:, :width]
    words = np.packbits(padded, axis=1, bitorder="little").view("<u8")
    return np.ascontiguousarray(words, dtype=np.uint64)


@compiled(inline="always")
def common(a: Words, b: Words) -> int:
    """Return the number of positions in both sets."""
    return int(members_in(a[0] & b[0]) + members_in(a[1] & b[1]))


@compiled(inline="always")
def has(members: Words, position: int) -> bool:
    """Return whether a position is in a set."""
    return bool((members[position >> 6] >> np.uint64(position & 63)) & np.uint64(1))
