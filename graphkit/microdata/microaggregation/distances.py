"""Squared distances, summed in the order of the attributes: the same bits wherever they are computed."""

from graphkit.arrays import Floats
from graphkit.kernels import kernel


@kernel
def apart(points: Floats, one: int, others: Floats, other: int) -> float:
    """Return the squared distance of a row of one table to a row of another, which may be the same table."""
    square = 0.0
    for t in range(points.shape[1]):
        step = points[one, t] - others[other, t]
        square += step * step
    return float(square)
