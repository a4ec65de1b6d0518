"""Subset-row cuts: of the groups with at least two of three records, a partition has at most one."""

import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.microaggregation.column_generation._columns import Columns

_LEAST_WEIGHT = 1e-6
_ROOM = 200_000


def violated_cuts(columns: Columns, weights: Floats, n: int, *, most: int, a_record: int, least: float = 0.02) -> Ints:
    """Return cuts that the weights violate, the most violated first, shape (cuts, 3).

    Parameters
    ----------
    columns : Columns
    weights : ndarray of float, shape (columns,)
    n : int
        Number of records.
    most : int
        Cuts that are returned at most.
    a_record : int
        Cuts of one record at most: many that share records raise the bound no more than a few of them.
    least : float, optional
        By how much the weights must exceed 1.

    Notes
    -----
    At least two pairs of the three records are together in some fractional group, so all pairs of neighbours of every
    record are tried: O(n g²) where a record is in fractional groups with g others.

    References
    ----------
    Jepsen, Petersen, Spoorendonk, Pisinger, Subset-row inequalities applied to the vehicle-routing problem with time
    windows, Operations Research 56, 2008.
    """
    fractional = np.flatnonzero((weights > _LEAST_WEIGHT) & (weights < 1 - _LEAST_WEIGHT))
    if not fractional.size:
        return np.zeros((0, 3), np.int64)
    chosen = columns.chosen(fractional)
    starts, near, together = pair_weights(chosen, weights[fractional], n)
    owners, of = _columns_of(chosen, n)
    found = np.zeros((_ROOM, 3), np.int64)
    excess = np.zeros(_ROOM)
    count = _find(starts, near, together, owners, of, chosen.members, weights[fractional], 1 + least, found, excess)
    triples, at = np.unique(np.sort(found[:count], axis=1), axis=0, return_index=True)
    order = np.argsort(-np.round(excess[at], 9), kind="stable")
    return triples[order[_spread(triples[order], n, most, a_record)]]


def pair_weights(columns: Columns, weights: Floats, n: int) -> tuple[Ints, Ints, Floats]:
    """Return with whom every record is together: where its others begin, who they are, and by what weight.

    The arrays are those of a compressed sparse matrix, symmetric, shape (n, n).
    """
    from scipy.sparse import coo_array

    one, two, by = [], [], []
    for i in range(columns.members.shape[1]):
        for j in range(columns.members.shape[1]):
            if i != j:
                both = (columns.members[:, i] >= 0) & (columns.members[:, j] >= 0)
                one.append(columns.members[both, i])
                two.append(columns.members[both, j])
                by.append(weights[both])
    matrix = coo_array((np.concatenate(by), (np.concatenate(one), np.concatenate(two))), shape=(n, n)).tocsr()
    matrix.sum_duplicates()
    return matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data


def _columns_of(columns: Columns, n: int) -> tuple[Ints, Ints]:
    """Return where the columns of every record begin, and which they are."""
    starts, members = columns.incidence()
    owners = np.repeat(np.arange(columns.size), np.diff(starts))
    order = np.argsort(members, kind="stable")
    return np.concatenate(([0], np.cumsum(np.bincount(members, minlength=n)))), owners[order]


def _spread(triples: Ints, n: int, most: int, a_record: int) -> Bools:
    """Return which to take, in their order, without too many of one record."""
    used = np.zeros(n, np.int64)
    taken = np.zeros(triples.shape[0], np.bool_)
    for at, triple in enumerate(triples):
        if (used[triple] < a_record).all():
            used[triple] += 1
            taken[at] = True
            if taken.sum() >= most:
                break
    return taken


@kernel
def _find(
    starts: Ints,
    near: Ints,
    together: Floats,
    owners: Ints,
    of: Ints,
    members: Ints,
    weights: Floats,
    bar: float,
    found: Ints,
    excess: Floats,
) -> int:
    n = starts.size - 1
    row = np.zeros(n)
    count = 0
    for middle in range(n):
        for i in range(starts[middle], starts[middle + 1]):
            one = near[i]
            for at in range(starts[one], starts[one + 1]):
                row[near[at]] = together[at]
            for j in range(i + 1, starts[middle + 1]):
                two = near[j]
                total = together[i] + together[j] + row[two]
                # a triple of three pairs is met at each of its records
                if total > bar and (row[two] == 0.0 or middle < min(one, two)):
                    for at in range(owners[middle], owners[middle + 1]):
                        column = of[at]
                        inside = 0
                        for t in range(members.shape[1]):
                            inside += members[column, t] == one or members[column, t] == two
                        if inside == 2:
                            total -= 2 * weights[column]
                    if total > bar and count < found.shape[0]:
                        found[count, 0], found[count, 1], found[count, 2] = middle, one, two
                        excess[count] = total - 1
                        count += 1
            for at in range(starts[one], starts[one + 1]):
                row[near[at]] = 0.0
    return count
