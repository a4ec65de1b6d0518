"""Sets of up to 64 things as one machine word."""

import numpy as np

from graphkit.kernels import compiled


@compiled(inline="always")
def members_in(word: np.uint64) -> int:
    """Return how many bits of a word are set, added up in ever wider fields.

    Examples
    --------
    >>> members_in(np.uint64(0b1011))
    3
    """
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int(np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56)))
