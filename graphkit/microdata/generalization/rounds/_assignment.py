"""The lightest perfect matching of recoded tuples and records, over short lists of edges that grow where they must."""

from math import inf
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.generalization._records import Records, is_in, lightest, price, profile
from graphkit.microdata.generalization.rounds._heap import pop, push

EDGES = 24
"""Records in the list of a tuple at first; it has room for twice as many again."""
_PRECISION = 1e-12
_MOST_ROUNDS = 50
_ROOM = 3
_MORE = 8
_MOST_TRIES = 4


class _Graph(NamedTuple):
    """What may be matched: every tuple with every record that it does not cover already."""

    records: Records
    covered: Ints
    extents: Ints


class _Matching(NamedTuple):
    """Who is matched with whom, over lists of edges, and the prices by which no edge of a list is too light."""

    ends: Ints
    """Records in the list of every tuple, shape (n, room)."""
    weights: Floats
    """What the tuple would lose more with each of them, likewise."""
    sizes: Ints
    """How long every list is, shape (n,)."""
    rows: Floats
    """The price of every tuple, shape (n,)."""
    prices: Floats
    """The price of every record, shape (n,)."""
    to: Ints
    """The record of every tuple, below 0 if it has none; shape (n,)."""
    by: Ints
    """The tuple of every record, likewise."""


def assignment(
    records: Records, covered: Ints, extents: Ints, prices: Floats, *, exact: bool = True
) -> tuple[Ints, bool]:
    """Return a record for every recoded tuple, each once, such that together they lose least.

    Parameters
    ----------
    records : Records
        n of them.
    covered : ndarray of int, shape (n, t)
        What every tuple covers already, t < n; it does not get one of these.
    extents : ndarray of int, shape (n, width)
        The extents of the tuples.
    prices : ndarray of float, shape (n,)
        What each record is paid for being covered, changed in place. Zeros at first; those of an assignment like this
        one save work.
    exact : bool, optional
        Look for edges outside of the lists that would make it lighter, until there are none. Otherwise only the lists
        are optimized over.

    Returns
    -------
    found : ndarray of int, shape (n,)
        A perfect matching of the edges that are allowed, always: each tuple may get n − t records, and each record go
        to as many tuples, so there is one.
    proven : bool
        Whether none is lighter, but for rounding errors.

    Notes
    -----
    Shortest augmenting paths with prices (Jonker, Volgenant 1987) over the lists; a tuple from which no path leads on
    goes over all edges. With `exact`, all n² edges are priced now and then, without being held: O(n) memory for a list.
    """
    n = covered.shape[0]
    most = min(EDGES, n - covered.shape[1])
    found = np.full(n, -1, dtype=np.int64)
    proven = _assign(_Graph(records, covered, extents), prices, most, exact, found)
    return found, bool(proven)


@kernel
def _assign(graph: _Graph, prices: Floats, most: int, exact: bool, to: Ints) -> bool:
    records, covered, extents = graph
    n, room = covered.shape[0], _ROOM * most
    ends, weights = np.empty((n, room), dtype=np.int64), np.empty((n, room))
    sizes = np.empty(n, dtype=np.int64)
    table = np.empty(records.values.size)
    by = np.full(n, -1, dtype=np.int64)
    for row in range(n):
        profile(records, extents[row], table)
        sizes[row] = lightest(records, table, prices, covered[row], row, by, ends[row, :most], weights[row, :most])
    rows = np.empty(n)
    for row in range(n):
        rows[row] = weights[row, 0]
        for edge in range(most):
            weights[row, edge] += prices[ends[row, edge]]
        if by[ends[row, 0]] < 0:
            by[ends[row, 0]] = row
            to[row] = ends[row, 0]
    matching = _Matching(ends, weights, sizes, rows, prices, to, by)
    for _ in range(_MOST_ROUNDS):
        _match_all(graph, matching)
        if not exact:
            return False
        if not _reprice(graph, matching):
            return True
    _match_all(graph, matching)
    return False


@kernel
def _match_all(graph: _Graph, matching: _Matching) -> None:
    """Give every tuple a record that has none yet."""
    ends, to = matching.ends, matching.to
    n = to.size
    far = np.full(n, inf)
    last = np.empty(n, dtype=np.int64)
    done = np.zeros(n, dtype=np.bool_)
    seen = np.empty(n, dtype=np.int64)
    # every edge of a list is pushed at most once
    keys, items = np.empty(ends.size + 1), np.empty(ends.size + 1, dtype=np.int64)
    waiting, size = np.empty(n, dtype=np.int64), 0
    for row in range(n - 1, -1, -1):
        if to[row] < 0:
            waiting[size] = row
            size += 1
    tries = np.zeros(n, dtype=np.int64)
    while size:
        row = waiting[size - 1]
        if _path(matching, row, far, last, done, seen, keys, items) >= 0:
            size -= 1
            continue
        tries[row] += 1
        if tries[row] <= _MOST_TRIES:
            size = _widen(graph, matching, seen, waiting, size)
        else:
            _path_over_all(graph, matching, row)
            size -= 1


@kernel
def _widen(graph: _Graph, matching: _Matching, seen: Ints, waiting: Ints, size: int) -> int:
    """Let the tuples that a path came to, none of whose lists led on, list records that it did not come to.

    Tuples for which one of these is better than what they have wait for a path, too; return how many wait.
    """
    records, covered, extents = graph
    rows, prices, to, by = matching.rows, matching.prices, matching.to, matching.by
    n = to.size
    reached = np.full(n, -1, dtype=np.int64)
    count = 0
    while count < n and seen[count] >= 0:
        reached[seen[count]] = 0
        count += 1
    table = np.empty(records.values.size)
    found, losses = np.empty(_MORE, dtype=np.int64), np.empty(_MORE)
    start = waiting[size - 1]
    for place in range(count + 1):
        row = start if place == count else by[seen[place]]
        profile(records, extents[row], table)
        some = lightest(records, table, prices, covered[row], row, reached, found, losses)
        for edge in range(some):
            at = found[edge]
            _list(matching, row, at, losses[edge] + prices[at])
        if some and losses[0] < rows[row]:
            rows[row] = losses[0]
            if row != start:
                by[to[row]] = -1
                to[row] = -1
                waiting[size] = row
                size += 1
    return size


@kernel
def _path(
    matching: _Matching,
    start: int,
    far: Floats,
    last: Ints,
    done: Bools,
    seen: Ints,
    keys: Floats,
    items: Ints,
) -> int:
    """Augment by a shortest path over the lists; return where it ends, or −1 if there is none."""
    ends, weights, sizes, rows, prices, to, by = matching
    count, size = 0, 0
    row, base, end = start, 0.0, -1
    while True:
        for edge in range(sizes[row]):
            at = ends[row, edge]
            if done[at]:
                continue
            length = base + max(0.0, weights[row, edge] - rows[row] - prices[at])
            if length < far[at]:
                if far[at] == inf:
                    seen[count] = at
                    count += 1
                far[at] = length
                last[at] = row
                size = push(keys, items, size, length, at)
        while size and done[items[0]]:
            size = pop(keys, items, size)
        if not size:
            break
        at, base = items[0], keys[0]
        size = pop(keys, items, size)
        done[at] = True
        if by[at] < 0:
            end = at
            break
        row = by[at]
    if end >= 0:
        rows[start] += base
        for place in range(count):
            at = seen[place]
            if done[at] and at != end:
                prices[at] -= base - far[at]
                rows[by[at]] += base - far[at]
        _turn(end, start, last, to, by)
    for place in range(count):
        far[seen[place]] = inf
        done[seen[place]] = False
    if count < seen.size:
        seen[count] = -1
    return end


@kernel
def _path_over_all(graph: _Graph, matching: _Matching, start: int) -> None:
    """Augment by a shortest path over all edges that are allowed; those of the path come into the lists."""
    records, covered, extents = graph
    rows, prices, to, by = matching.rows, matching.prices, matching.to, matching.by
    n = to.size
    far, last = np.full(n, inf), np.empty(n, dtype=np.int64)
    done = np.zeros(n, dtype=np.bool_)
    table = np.empty(records.values.size)
    row, base, end = start, 0.0, -1
    while end < 0:
        profile(records, extents[row], table)
        nearest = -1
        for at in range(n):
            if not done[at]:
                weight = price(records, table, at)
                length = base + max(0.0, weight - rows[row] - prices[at])
                if length < far[at] and not is_in(covered[row], at):
                    far[at] = length
                    last[at] = row
                    if by[at] < 0:
                        nearest = at
        if nearest >= 0:
            # the next paths through here go on to it, too
            _list(matching, row, nearest, price(records, table, nearest))
        least = -1
        for at in range(n):
            if not done[at] and far[at] < inf and (least < 0 or far[at] < far[least]):
                least = at
        done[least] = True
        base = far[least]
        if by[least] < 0:
            end = least
        else:
            row = by[least]
    rows[start] += base
    for at in range(n):
        if done[at] and at != end:
            prices[at] -= base - far[at]
            rows[by[at]] += base - far[at]
    at = end
    while True:
        row = last[at]
        profile(records, extents[row], table)
        _list(matching, row, at, price(records, table, at))
        if row == start:
            break
        at = to[row]
    _turn(end, start, last, to, by)


@kernel
def _turn(end: int, start: int, last: Ints, to: Ints, by: Ints) -> None:
    """Make the other edges of a path those that match."""
    at = end
    while True:
        row = last[at]
        before = to[row]
        to[row] = at
        by[at] = row
        if row == start:
            break
        at = before


@kernel
def _reprice(graph: _Graph, matching: _Matching) -> int:
    """Take edges into the lists that would make the matching lighter, and free their tuples; return how many."""
    records, covered, extents = graph
    rows, prices, to, by = matching.rows, matching.prices, matching.to, matching.by
    n, freed = to.size, 0
    table = np.empty(records.values.size)
    for row in range(n):
        profile(records, extents[row], table)
        limit = rows[row] - _PRECISION
        least = inf
        for at in range(n):
            saved = price(records, table, at) - prices[at]
            if saved < limit and not is_in(covered[row], at):
                if saved < least:
                    least = saved
                _list(matching, row, at, saved + prices[at])
        if least < inf:
            freed += 1
            rows[row] = least
            by[to[row]] = -1
            to[row] = -1
    return freed


@kernel
def _list(matching: _Matching, row: int, at: int, weight: float) -> None:
    """Take an edge into the list of a tuple; where that is full, in the place of the one that is dearest by price."""
    ends, weights, sizes, prices = matching.ends[row], matching.weights[row], matching.sizes, matching.prices
    for edge in range(sizes[row]):
        if ends[edge] == at:
            return
    place = -1
    if sizes[row] < ends.size:
        place = sizes[row]
        sizes[row] += 1
    else:
        dearest = -inf
        for edge in range(ends.size):
            reduced = weights[edge] - prices[ends[edge]]
            if reduced > dearest:
                dearest = reduced
                place = edge
    ends[place] = at
    weights[place] = weight
