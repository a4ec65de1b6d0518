"""Equations over cells, and what multipliers of them prove in whole numbers."""

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.tables.programs._incidence import Incidence

GRID_BITS = 40
"""Multipliers that prove a bound are rounded to multiples of 2 to the minus so many."""

RAY_BITS = 30
"""As many for rays: these prove that there is no table, and may be large."""


class Equations:
    """Sums of the counts of cells, and what each must be.

    Parameters
    ----------
    matrix : Incidence
        Which of the c cells are in which of the r sums.
    right : ndarray of int64, shape (r,)
        The sums.

    Notes
    -----
    For any multipliers y and any counts x with ``A·x = b`` and ``l ≤ x ≤ u``: ``c·x = y·b + (c − yᵀA)·x``, at most
    ``y·b`` and for every j the larger of ``(c − yᵀA)_j·l_j`` and ``(c − yᵀA)_j·u_j``. Multipliers are rounded to a grid
    and the right side is summed in whole numbers; what counts can be is its floor. With c = 0 a right side below zero
    proves that there are no such counts.

    References
    ----------
    Neumaier, Shcherbina, Safe bounds in linear and mixed-integer linear programming, 2004.
    """

    __slots__ = ("_most_entries", "matrix", "right")

    def __init__(self, matrix: Incidence, right: Ints) -> None:
        self.matrix, self.right = matrix, right
        self._most_entries = matrix.most_in_a_column

    def hold(self, counts: Ints) -> bool:
        """Whether counts of the cells have all the sums."""
        return bool(np.array_equal(self.matrix.sums(counts), self.right))

    def weights(self, multipliers: Floats) -> Floats:
        """Return what the equations times their multipliers add up to, by cell."""
        return self.matrix.weights(multipliers)

    def bound(self, objective: Ints, multipliers: Floats, lower: Ints, upper: Ints) -> int:
        """Return a whole number that an objective never exceeds."""
        return self.weighed(objective, multipliers, GRID_BITS, lower, upper) >> GRID_BITS

    def contradict(self, multipliers: Floats, lower: Ints, upper: Ints) -> bool:
        """Whether multipliers prove that no counts within the limits have the sums."""
        nothing = np.zeros(self.matrix.width, dtype=np.int64)
        return self.weighed(nothing, multipliers, RAY_BITS, lower, upper) < 0

    def weighed(self, objective: Ints, multipliers: Floats, bits: int, lower: Ints, upper: Ints) -> int:
        """Return the right side of the proof times 2^bits, in whole numbers of any size."""
        # any multipliers prove something; entries of a column are ones, and no sum of these overflows 64 bits
        limit = 2.0 ** (61 - bits) / self._most_entries
        rounded = np.rint(np.clip(np.nan_to_num(multipliers), -limit, limit) * 2.0**bits).astype(np.int64)
        reduced = (objective << bits) - self.matrix.whole_weights(rounded)
        ends = np.where(reduced > 0, upper, lower)
        used = np.flatnonzero((reduced != 0) & (ends != 0))
        total = sum(a * b for a, b in zip(reduced[used].tolist(), ends[used].tolist(), strict=True))
        total += sum(a * b for a, b in zip(rounded.tolist(), self.right.tolist(), strict=True))
        return int(total)

    def directed(self, ray: Floats, cells: Ints, lower: Ints, upper: Ints) -> Floats:
        """Return a ray or its negative: what comes nearer to the proof that some of the cells allow no table."""
        weights = self.matrix.weights(ray)[cells]
        shown = [
            float(
                sign * (ray @ self.right)
                + np.where(sign * weights < 0, -sign * weights * upper[cells], -sign * weights * lower[cells]).sum()
            )
            for sign in (1.0, -1.0)
        ]
        return ray if shown[0] < shown[1] else -ray
