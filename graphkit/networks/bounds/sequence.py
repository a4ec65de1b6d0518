"""The bound that the degree sequence alone gives."""

from graphkit.arrays import Ints
from graphkit.networks.sequences.position_dp import minimum_raises


def sequence_bound(block_sequence: Ints, k: int) -> int:
    """Return a number of edges that every k-anonymizing set of new edges reaches.

    Notes
    -----
    *Statement.* Every set S with G + S k-anonymous has ``|S| ≥ ⌈c/2⌉``, c the minimum of `minimum_raises`.
    *Proof.* The degrees of G + S are k-anonymous and nowhere below those of G; sorted to sorted they differ by at
    least c in sum, and each edge of S contributes exactly 2.

    Examples
    --------
    >>> import numpy as np
    >>> sequence_bound(np.array([0, 4, 1]), k=2)
    1
    """
    return (minimum_raises(block_sequence, k)[1] + 1) // 2
