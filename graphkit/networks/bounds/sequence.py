"""The bound that the degree sequence alone gives."""

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.sequences.group_costs import UNREACHABLE, least_even
from graphkit.networks.sequences.position_dp import minimum_raises


def sequence_bound(block_sequence: Ints, k: int) -> int:
    """Return a number of edges that every k-anonymizing set of new edges reaches.

    Notes
    -----
    *Statement.* Every set S with G + S k-anonymous has ``2|S| ≥ c``, c the minimum of `minimum_raises`, and if c is odd
    the least even sum of demands of groups that may be raised by one more.

    *Proof.* The degrees of G + S are k-anonymous and nowhere below those of G; sorted to sorted they differ by exactly
    2|S| in sum. They come in groups of k to 2k−1 of one degree each, raised at least to the degree of their first;
    raised by two less, a group demands less, and the sum stays even.

    Of two groups of odd size that are raised by one more neither needs to be, and of even size none: so one is at most.
    A block may be cut to 7k: groups across its ends and the raised one take fewer than 6k, and any number from k on can
    be divided into groups.

    With few and large groups that is much: they make up for an odd sum by a demand of each of their vertices, or by
    borders that cost more.

    Examples
    --------
    >>> import numpy as np
    >>> sequence_bound(np.array([0, 4, 1]), k=2)
    1
    >>> sequence_bound(np.array([3, 1, 2]), k=3)  # 2 2 2 | 0 0 0 would demand 1, and 3 3 3 | 0 0 0 demands 4
    2
    """
    least = minimum_raises(block_sequence, k)[1]
    if least % 2:
        blocks = np.asarray(block_sequence, dtype=np.int64)
        occupied = np.flatnonzero(blocks)[::-1]
        even = least_even(np.repeat(occupied, np.minimum(blocks[occupied], 7 * k)), k)
        # no graph has degrees without an even sum
        least = even if even < UNREACHABLE else least + 1
    return int(least) // 2
