"""Independent check of a released edge table that is read from its file in order, a piece at a time.

This module imports no engine, nor what wrote the release.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.networks.verify import Check, DegreeClaim, Verification
from graphkit.networks.verify.check import degrees_check, ids_check, simplicity_check

Pairs = tuple[Ints, Ints]
# an edge is compared as one number of 64 bits
_LARGEST = 3_000_000_000


def verify_ordered_edges(
    claim: DegreeClaim,
    written: Iterable[Pairs],
    edge_count: int,
    *,
    vertices: Iterable[Ints] | None = None,
    wanted: Iterable[Pairs] | None = None,
    wanted_count: int = 0,
) -> Verification:
    """Return the checks of a released edge table against its claim.

    Parameters
    ----------
    claim : DegreeClaim
        What was promised.
    written : iterable of (ndarray, ndarray) of int64, no nulls
        Pieces of the edges in the order of the file, its first and its second column.
    edge_count : int
        How many edges were promised.
    vertices : iterable of ndarray of int64, optional
        Pieces of the ids exactly as read back; by default all of them are ends of edges.
    wanted : iterable of (ndarray, ndarray) of int64, optional
        Pieces of the edges that were protected under their published ids, ascending; without it the claim of
        containment fails. That the relabelling is one to one is for the caller to check.
    wanted_count : int, optional
        How many edges were protected.

    Raises
    ------
    InvalidInput
        If there are more than 3·10⁹ vertices.

    Notes
    -----
    Edges that ascend, their lower end first, are there once each: no grouping is needed. O(m) time, and memory for
    16 bytes of each vertex and some pieces.

    Examples
    --------
    >>> pairs = np.array([0, 2]), np.array([1, 3])
    >>> verify_ordered_edges(DegreeClaim(k=4, n=4, supergraph=False), [pairs], 2).passed
    True
    """
    if claim.n > _LARGEST:
        raise InvalidInput(f"an edge table of more than {_LARGEST} vertices cannot be verified")
    read = _Read(claim.n, _Wanted(wanted or (), claim.n))
    for one, other in written:
        read.take(one, other)
    checks = [
        _vertex_check(claim, read, vertices),
        simplicity_check((read.outside, read.loop, read.twice)),
        Check("order", read.ordered, "rows are in the order of the ids" if read.ordered else "rows are out of order"),
        _size_check(read.rows, edge_count),
    ]
    if all(check.passed for check in checks):
        blocks = np.bincount(read.degrees)
        checks.append(degrees_check(claim.k, bool((blocks[blocks > 0] >= claim.k).all())))
        if claim.supergraph:
            checks.append(_containment_check(read.wanted, wanted is not None, wanted_count))
    return Verification(tuple(checks))


def is_one_to_one(published: Ints, n: int) -> bool:
    """Return whether a relabelling gives each of `n` vertices an id from 0 to n-1 of its own.

    Examples
    --------
    >>> [is_one_to_one(np.array(ids), 2) for ids in ([1, 0], [1, 1], [1, 0, 2])]
    [True, False, False]
    """
    return published.shape == (n,) and np.array_equal(np.sort(published), np.arange(n))


def relabelled_pieces(original: Iterable[Pairs], published: Ints) -> Iterator[Pairs]:
    """Yield the edges of the original under their published ids, up to the first one between other vertices.

    Parameters
    ----------
    original : iterable of (ndarray, ndarray) of int64
        Pieces of the edges, both ends.
    published : ndarray of int64
        The id of each vertex.

    Examples
    --------
    >>> edge = [(np.array([0]), np.array([1]))]
    >>> [(one.tolist(), other.tolist()) for one, other in relabelled_pieces(edge, np.array([1, 0]))]
    [([1], [0])]
    """
    for one, other in original:
        if one.size and (min(one.min(), other.min()) < 0 or max(one.max(), other.max()) >= published.size):
            return
        yield published[one], published[other]


class _Read:
    """What is known of the rows so far."""

    def __init__(self, n: int, wanted: "_Wanted") -> None:
        self._n, self.wanted = n, wanted
        self.degrees = np.zeros(n, dtype=np.int64)
        self.rows, self._last = 0, -1
        self.outside = self.loop = self.twice = False
        self.ordered = True

    def take(self, one: Ints, other: Ints) -> None:
        if not one.size:
            return
        self.rows += one.size
        if min(one.min(), other.min()) < 0 or max(one.max(), other.max()) >= self._n:
            self.outside = True
        if self.outside:
            return
        self.loop = self.loop or bool((one == other).any())
        keys = one * self._n + other
        steps = np.diff(keys, prepend=self._last)
        self.twice = self.twice or bool((steps == 0).any())
        self.ordered = self.ordered and bool((steps >= 0).all() and (one <= other).all())
        self._last = int(keys[-1])
        for ends in (one, other):
            np.add.at(self.degrees, ends, 1)
        self.wanted.meet(keys)


class _Wanted:
    """Edges that have to come, held against those that do."""

    def __init__(self, pieces: Iterable[Pairs], n: int) -> None:
        self._pieces: Iterator[Pairs] = iter(pieces)
        self._n = n
        self._waiting = np.empty(0, dtype=np.int64)
        self.met = 0
        self.missing = False

    def meet(self, keys: Ints) -> None:
        """Hold all that should come up to the last one of some ascending edges against them."""
        while self._waiting.size or self._refill():
            due = int(np.searchsorted(self._waiting, keys[-1], side="right"))
            found = np.searchsorted(keys, self._waiting[:due])
            self.missing = self.missing or not np.array_equal(keys[found], self._waiting[:due])
            self.met += due
            self._waiting = self._waiting[due:]
            if self._waiting.size:
                return

    @property
    def is_over(self) -> bool:
        """Whether none is left."""
        return not (self._waiting.size or self._refill())

    def _refill(self) -> bool:
        for one, other in self._pieces:
            if one.size:
                self._waiting = np.minimum(one, other) * self._n + np.maximum(one, other)
                return True
        return False


def _vertex_check(claim: DegreeClaim, read: _Read, vertices: Iterable[Ints] | None) -> Check:
    if vertices is None:
        return ids_check(not read.outside and bool((read.degrees > 0).all()))
    seen = np.zeros(claim.n, dtype=np.int64)
    for ids in vertices:
        if ids.size and (ids.min() < 0 or ids.max() >= claim.n):
            return ids_check(False)
        np.add.at(seen, ids, 1)
    return ids_check(bool((seen == 1).all()))


def _size_check(rows: int, edge_count: int) -> Check:
    passed = rows == edge_count
    return Check("size", passed, "as many edges as meant" if passed else "not as many edges as meant")


def _containment_check(wanted: _Wanted, is_there: bool, wanted_count: int) -> Check:
    name = "contains the original"
    if not is_there:
        return Check(name, False, "the original or the relabelling is not at hand")
    passed = wanted.is_over and not wanted.missing and wanted.met == wanted_count
    text = "every edge of the original is there under the relabelling"
    return Check(name, passed, text if passed else "an edge of the original is missing")
