"""Names of the types that engines take and return most."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
"""Array of truth values."""
Floats = NDArray[np.float64]
"""Array of floating-point numbers of 64 bits."""
Ints = NDArray[np.int64]
"""Array of whole numbers of 64 bits."""
Numbers = NDArray[Any]
"""Array of numbers, whole or not."""
Rng = np.random.Generator
"""Where all randomness of a call comes from."""
Words = NDArray[np.uint64]
"""Array of words of 64 bits: sets of positions, or the state of a generator."""
