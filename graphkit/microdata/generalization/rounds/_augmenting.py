"""Completing a matching that greedy choices left unfinished: by a substitution, or along an augmenting path."""

import numpy as np

from graphkit.arrays import Ints
from graphkit.kernels import kernel
from graphkit.microdata.generalization._records import is_in


@kernel
def complete(covered: Ints, order: Ints, tuple_of: Ints, record_of: Ints) -> None:
    """Match every record that has no tuple yet, to one that does not cover it.

    Parameters
    ----------
    covered : ndarray of int, shape (n, t)
        What every tuple covers already; each record is in t rows, t < n.
    order : ndarray of int, shape (n,)
        Records as they are looked through.
    tuple_of, record_of : ndarray of int, shape (n,)
        The matching, −1 where there is none; changed in place.

    Notes
    -----
    First, as in the paper, another record gives its tuple and takes one that is left. Where none can, a path of more
    than one exchange does it: allowed edges form an (n − t)-regular graph, which has a perfect matching, so a matching
    that is none has an augmenting path. O(n² t) for a record at worst.
    """
    for record in order:
        if tuple_of[record] < 0 and not _substitute(covered, order, tuple_of, record_of, record):
            _augment(covered, tuple_of, record_of, record)


@kernel
def _substitute(covered: Ints, order: Ints, tuple_of: Ints, record_of: Ints, record: int) -> bool:
    for left in range(record_of.size):
        if record_of[left] >= 0:
            continue
        if not is_in(covered[left], record):
            tuple_of[record] = left
            record_of[left] = record
            return True
        for other in order:
            given = tuple_of[other]
            if given >= 0 and not is_in(covered[given], record) and not is_in(covered[left], other):
                tuple_of[record] = given
                record_of[given] = record
                tuple_of[other] = left
                record_of[left] = other
                return True
    return False


@kernel
def _augment(covered: Ints, tuple_of: Ints, record_of: Ints, start: int) -> None:
    n = tuple_of.size
    came = np.full(n, -1, dtype=np.int64)
    waiting = np.empty(n, dtype=np.int64)
    waiting[0] = start
    first, last, end = 0, 1, -1
    while end < 0:
        record = waiting[first]
        first += 1
        for row in range(n):
            if came[row] < 0 and not is_in(covered[row], record):
                came[row] = record
                if record_of[row] < 0:
                    end = row
                    break
                waiting[last] = record_of[row]
                last += 1
    while True:
        record = came[end]
        before = tuple_of[record]
        tuple_of[record] = end
        record_of[end] = record
        if record == start:
            break
        end = before
