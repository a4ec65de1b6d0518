"""Sets of up to 64 things as one machine word, and of more as several."""

import numpy as np

from graphkit.arrays import Bools, Ints, Words
from graphkit.kernels import compiled, in_place

BITS = 64
"""In a word."""


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


def packed(bits: Bools) -> Words:
    """Return the sets that the last axis says the members of, in as many words as it takes.

    Examples
    --------
    >>> packed(np.array([[True, False, True], [False, True, False]])).tolist()
    [[5], [2]]
    """
    padded = np.zeros((*bits.shape[:-1], -(-bits.shape[-1] // BITS) * BITS), dtype=np.bool_)
    padded[..., : bits.shape[-1]] = bits
    return np.ascontiguousarray(np.packbits(padded, axis=-1, bitorder="little").view("<u8"), dtype=np.uint64)


def words_of(members: Ints, size: int) -> Words:
    """Return a set of numbers below `size`.

    Examples
    --------
    >>> words_of(np.array([0, 2, 64]), 65).tolist()
    [5, 1]
    """
    bits = np.zeros(size, dtype=np.bool_)
    bits[members] = True
    return packed(bits)


@compiled(inline="always")
def has(members: Words, number: int) -> bool:
    """Return whether a number is in a set."""
    return bool((members[number >> 6] >> np.uint64(number & 63)) & np.uint64(1))


@compiled(inline="always")
def put(members: Words, number: int, wanted: bool) -> None:
    """Put a number into a set, or take it out."""
    bit = np.uint64(1) << np.uint64(number & 63)
    if wanted:
        members[number >> 6] |= bit
    else:
        members[number >> 6] &= ~bit


@in_place
def next_in(members: Words, number: int) -> int:
    """Return the least number of a set above another one, −1 where there is none.

    Examples
    --------
    >>> next_in(words_of(np.array([3, 70]), 80), 3), next_in(words_of(np.array([3]), 80), 3)
    (70, -1)
    """
    at = (number + 1) >> 6
    if at >= members.size:
        return -1
    word = (members[at] >> np.uint64((number + 1) & 63)) << np.uint64((number + 1) & 63)
    while word == 0:
        at += 1
        if at == members.size:
            return -1
        word = members[at]
    return at * BITS + members_in((word - np.uint64(1)) & ~word)


@in_place
def previous_in(members: Words, number: int) -> int:
    """Return the greatest number of a set below another one of its range, −1 where there is none.

    Examples
    --------
    >>> previous_in(words_of(np.array([3, 70]), 80), 70), previous_in(words_of(np.array([3]), 80), 3)
    (3, -1)
    """
    at = number >> 6
    word = members[at] & ((np.uint64(1) << np.uint64(number & 63)) - np.uint64(1))
    while word == 0:
        at -= 1
        if at < 0:
            return -1
        word = members[at]
    for shift in (1, 2, 4, 8, 16, 32):
        word |= word >> np.uint64(shift)
    return at * BITS + members_in(word) - 1
