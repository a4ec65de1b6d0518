"""Random numbers inside compiled loops: one 64-bit word of state, seeded by a NumPy generator."""

import numpy as np

from graphkit.arrays import Rng, Words
from graphkit.kernels import kernel

_LIMIT = np.int64(1) << np.int64(62)


def new_state(rng: Rng) -> Words:
    """Return a state; it must not be 0."""
    return rng.integers(1, 2**63, size=1, dtype=np.int64).astype(np.uint64)


@kernel
def word(state: Words) -> np.uint64:
    """Return the next word; xorshift64*."""
    bits = state[0]
    bits ^= bits >> np.uint64(12)
    bits ^= bits << np.uint64(25)
    bits ^= bits >> np.uint64(27)
    state[0] = bits
    return np.uint64(bits * np.uint64(2685821657736338717))


@kernel
def uniform(state: Words) -> float:
    """Return a number in [0, 1)."""
    return float(word(state) >> np.uint64(11)) * 2.0**-53


@kernel
def below(state: Words, limit: int) -> int:
    """Return a whole number from 0 on below a limit of at most 2^62, all alike."""
    rest = _LIMIT % np.int64(limit)
    while True:
        number = np.int64(word(state) >> np.uint64(2))
        # what is left over by whole turns would be likelier
        if number < _LIMIT - rest:
            return int(number % np.int64(limit))
