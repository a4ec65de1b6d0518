"""Random numbers inside a kernel: xorshift64*, with its state in an array of one word, so that runs can be resumed."""

import numpy as np

from graphkit.arrays import Rng, Words
from graphkit.kernels import kernel

_UNIT = 1.0 / 9007199254740992.0


def new_state(rng: Rng) -> Words:
    """Return a state for the kernels, drawn from a generator; never the zero, which would repeat itself."""
    return rng.integers(1, 2**63, size=1).astype(np.uint64)


@kernel
def word(state: Words) -> np.uint64:
    """Return 64 random bits."""
    x = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    scrambled: np.uint64 = x * np.uint64(2685821657736338717)
    return scrambled


@kernel
def below(state: Words, bound: int) -> np.int64:
    """Return a whole number from 0 to `bound` − 1, which is below 2³¹."""
    return np.int64(((word(state) >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@kernel
def unit(state: Words) -> float:
    """Return a number from [0, 1)."""
    return np.float64(word(state) >> np.uint64(11)) * _UNIT
