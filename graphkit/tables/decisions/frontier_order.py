"""Which marginal to decide next, so that its answer tells most about the others."""

from collections.abc import Mapping

import numpy as np

from graphkit.arrays import Bools, Floats
from graphkit.tables.decisions.decision import Answer
from graphkit.tables.structure.lattice import gathered


def most_informative(is_open: Bools, undecided: Bools, sizes: Floats, by_answer: Mapping[Answer, list[int]]) -> int:
    """Return the number of the marginal to decide next.

    Parameters
    ----------
    is_open : ndarray of bool, shape (2^k,)
        Marginals to choose from; at least one.
    undecided : ndarray of bool, shape (2^k,)
        Marginals whose answer is not known.
    sizes : ndarray of float, shape (2^k,)
        How much a marginal tells, such as the logarithm of its number of cells.
    by_answer : mapping of str to list of int
        Marginals that were decided so far.

    Notes
    -----
    A yes settles all undecided marginals below, a no all above. How likely a yes is, is guessed from the answers so
    far: each yes to one that tells as much or more counts for it, each no to one that tells as much or less against,
    and each that was not settled, of those that tell as much, for neither. The marginal with the largest expected
    logarithm of the number that it settles is taken: without the logarithm, the guess would go for the least likely
    answers, which settle thousands. Ties go to the one that settles most in the worse case, then to the smallest
    number. O(k 2^k).
    """
    below, above = (gathered(undecided.astype(np.int32), upward=upward) for upward in (True, False))
    places = np.flatnonzero(is_open)
    own = sizes[places]
    safe, unsafe, tried = (np.sort(sizes[by_answer[answer]]) for answer in ("release", "refuse", "undecided"))
    yes = safe.size - np.searchsorted(safe, own, side="left")
    no = np.searchsorted(unsafe, own, side="right")
    neither = np.searchsorted(tried, own, side="right") - np.searchsorted(tried, own, side="left")
    # the total is below all: with it, the middle is worth as much either way
    settled = (yes + 1) * np.log2(below[places] + 1) + (no + 1) * np.log2(above[places])
    gain = settled / (yes + no + neither + 2)
    worse = np.minimum(below[places], above[places])
    best = np.flatnonzero(gain >= gain.max() - 1e-9)
    return int(places[best[np.argmax(worse[best])]])


def related(number: int, k: int, *, upward: bool) -> Bools:
    """Return the marginals above, or below, one of them, itself included.

    Examples
    --------
    >>> np.flatnonzero(related(5, 3, upward=False)).tolist(), np.flatnonzero(related(5, 3, upward=True)).tolist()
    ([0, 1, 4, 5], [5, 7])
    """
    numbers = np.arange(1 << k, dtype=np.int64)
    follows: Bools = numbers & number == number if upward else numbers & ~number == 0
    return follows
