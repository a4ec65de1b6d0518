"""Random disjoint matchings of a k-regular graph, and the one by which a freeform release gives sensitive values."""

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.errors import InvalidInput
from graphkit.kernels import kernel

_FEWEST_WORDS = 1 << 10


def drawn(covered: Ints, rng: Rng) -> Ints:
    """Return for every recoded tuple the record whose sensitive values are published with it.

    Parameters
    ----------
    covered : ndarray of int, shape (n, k)
        Records that each of n tuples covers: k different ones each, and each record is covered by k tuples.
    rng : numpy.random.Generator
        To protect anybody it must be seeded by the operating system; who knows the seed knows the matching.

    Returns
    -------
    ndarray of int, shape (n,)
        A permutation of the records, each of which the tuple covers. It is as secret as the records.

    Raises
    ------
    InvalidInput
        If the graph is not k-regular, or a tuple names a record twice.

    Notes
    -----
    What is guaranteed: the k edges of a tuple are in k different matchings of :func:`extracted`, and one of the k is
    chosen uniformly and independently of all else. So, for each pair of a tuple and a record that it covers, the
    probability that the tuple has the sensitive values of the record is exactly 1/k, and this whatever is known of the
    records' other attributes, of the published extents, of the graph, and of how either was made.

    What is not: nothing is said of an adversary who knows sensitive values of some records already, since the
    matchings tie records to each other. Nor does the draw help where the k records that a tuple covers share a
    sensitive value. A second draw over the same records must not be published: both together may leave one record.

    References
    ----------
    Wong, Mamoulis, Cheung: Non-homogeneous generalization in privacy preserving data publishing, SIGMOD 2010,
    Section 4; Doka, Xue, Tsoumakos, Karras: k-Anonymization by freeform generalization, ASIACCS 2015.

    Examples
    --------
    >>> ring = np.array([[0, 1], [1, 2], [2, 0]])
    >>> sorted(drawn(ring, np.random.default_rng(1)).tolist())
    [0, 1, 2]
    """
    matchings = extracted(covered, rng)
    return np.asarray(matchings[int(rng.integers(matchings.shape[0]))], dtype=np.int64)


def extracted(covered: Ints, rng: Rng) -> Ints:
    """Return k random perfect matchings without a common edge, which are together the whole graph.

    Parameters
    ----------
    covered : ndarray of int, shape (n, k)
        As :func:`drawn` takes it.
    rng : numpy.random.Generator

    Returns
    -------
    ndarray of int, shape (k, n)
        Record of every tuple in every matching. Every pair of a tuple and a record that it covers is in exactly one.

    Raises
    ------
    InvalidInput
        If the graph is not k-regular, or a tuple names a record twice.

    Notes
    -----
    A regular bipartite graph has a perfect matching (König), and without it is regular again. Each is found by random
    walks: from a tuple without a record along a random edge, and on from the tuple that has this record, until a
    record is free; the walk without its loops is an augmenting path. O(n log n) steps are expected for a matching,
    whatever the degree. Every matching of the graph can be the first one; they are not equally likely, and need not
    be.

    References
    ----------
    Goel, Kapralov, Khanna: Perfect matchings in O(n log n) time in regular bipartite graphs, STOC 2010, Theorem 4.
    """
    check_regular(covered)
    n, k = covered.shape
    left = np.ascontiguousarray(covered, dtype=np.int64).copy()
    found = np.empty((k, n), dtype=np.int64)
    for degree in range(k, 1, -1):
        found[degree - 1] = _taken(left, degree, _matching(left, degree, rng))
    found[0] = left[:, 0]
    return found


def check_regular(covered: Ints) -> None:
    """Refuse what is no k-regular graph of n tuples and n records without parallel edges.

    Raises
    ------
    InvalidInput
        If it is none.
    """
    if covered.ndim != 2 or not covered.shape[1] or not np.issubdtype(covered.dtype, np.integer):
        raise InvalidInput("a graph must be a table with the records of each tuple in a row")
    n, k = covered.shape
    if covered.size and not (covered.min() >= 0 and covered.max() < n):
        raise InvalidInput(f"a tuple covers a record that is not there; there are {n}")
    if (np.bincount(covered.ravel(), minlength=n) != k).any():
        raise InvalidInput(f"the graph is not regular: a record is not covered by exactly {k} tuples")
    ordered = np.sort(covered, axis=1)
    if (ordered[:, 1:] == ordered[:, :-1]).any():
        raise InvalidInput("a tuple covers the same record twice; each of its k records must be another one")


def _matching(left: Ints, degree: int, rng: Rng) -> Ints:
    """Return the place in `left` that each tuple takes in a random perfect matching."""
    n = left.shape[0]
    order = rng.permutation(n)
    place, mate = np.full(n, -1, dtype=np.int64), np.full(n, -1, dtype=np.int64)
    exits = np.empty(n, dtype=np.int64)
    begin = 0
    while begin < n:
        # a walk that uses up the numbers is given up: there are more of them than it is expected to take steps
        words = rng.integers(0, 1 << 62, size=max(_FEWEST_WORDS, 4 * n))
        begin = _walk(left, degree, order, begin, words, place, mate, exits)
    return place


def _taken(left: Ints, degree: int, place: Ints) -> Ints:
    """Return the records at places, after moving the last of the records left into these."""
    rows = np.arange(left.shape[0])
    taken = left[rows, place]
    left[rows, place] = left[:, degree - 1]
    return taken


@kernel
def _walk(left: Ints, degree: int, order: Ints, begin: int, words: Ints, place: Ints, mate: Ints, exits: Ints) -> int:
    """Match tuples from `order[begin]` on, and return how many of the order are matched when the words are used up."""
    at = 0
    for index in range(begin, order.size):
        start = order[index]
        tuple_ = start
        while True:
            if at == words.size:
                return index
            if place[tuple_] < 0:
                choice = words[at] % degree
            else:
                choice = words[at] % (degree - 1)
                if choice >= place[tuple_]:
                    choice += 1
            at += 1
            # the last exit from every tuple: what was walked in loops is forgotten
            exits[tuple_] = choice
            tuple_ = mate[left[tuple_, choice]]
            if tuple_ < 0:
                break
        tuple_ = start
        while tuple_ >= 0:
            place[tuple_] = exits[tuple_]
            record = left[tuple_, exits[tuple_]]
            mate[record], tuple_ = tuple_, mate[record]
    return order.size
