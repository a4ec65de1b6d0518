"""Closed groups that give a record up: its k − 1 companions are taken in by tuples near them."""

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.generalization._records import Records, is_in
from graphkit.microdata.generalization.covering import holders_of
from graphkit.microdata.generalization.extents import join, joined, loss, loss_with, losses_of, put
from graphkit.microdata.generalization.nearness import nearest
from graphkit.microdata.generalization.parts import ALL_AT_ONCE

_NEIGHBOURS = 10


def dissolved(records: Records, rows: Ints, count: int, least: float) -> tuple[Ints, Ints]:
    """Leave out records of closed groups, k tuples that cover the same k records, as long as that saves enough.

    Parameters
    ----------
    records : Records
    rows : ndarray of int, shape (n, k)
        A covering of all of them.
    count : int
        Records that may be left out, at most; more than k are left in any case.
    least : float
        How much each of them saves at least, by the mean loss.

    Returns
    -------
    kept : ndarray of int, shape (m,)
        Records that stay, rising.
    rows : ndarray of int, shape (m, k)
        A covering of these, with their numbers among all records.

    Notes
    -----
    Without one of its records a closed group has k − 1 tuples for k − 1 records. Each of these is taken in by tuples
    that cover records near it: such a tuple covers it in the place of another record, which the newcomer's own tuple
    covers instead. So all stay covered k times. The groups that lose most come first, and each gives up one record, the
    one that saves most. O(c k (n k + k⁴ d)) for c closed groups; more than
    :data:`~graphkit.microdata.generalization.parts.ALL_AT_ONCE` records are left as they are.
    """
    n, k = rows.shape
    every = np.arange(n), rows
    if n > ALL_AT_ONCE or n <= 2 * k:
        return every
    holders = holders_of(rows)
    ordered = np.sort(rows, axis=1)
    closed = np.flatnonzero((ordered[holders] == ordered[:, None]).all(axis=(1, 2)) & (ordered[:, 0] == np.arange(n)))
    if not closed.size:
        return every
    losses = losses_of(records.layout, joined(records.layout, records.codes, rows))
    near = nearest(records, min(_NEIGHBOURS, n - 1))
    closed = closed[np.argsort(-losses[closed], kind="stable")]
    held, gone = np.ascontiguousarray(rows).copy(), np.full(closed.size, -1, dtype=np.int64)
    _dissolve(records, near, held, holders, losses, ordered[closed], count, least, gone)
    gone = gone[gone >= 0]
    # the tuple of a record that leaves is that of its number
    kept = np.setdiff1d(np.arange(n), gone)
    return kept, held[kept]


@kernel
def _dissolve(
    records: Records,
    near: Ints,
    rows: Ints,
    holders: Ints,
    losses: Floats,
    groups: Ints,
    count: int,
    least: float,
    gone: Ints,
) -> None:
    n, k = rows.shape
    total, left = losses.sum(), n
    for number in range(groups.shape[0]):
        if not count or left <= 2 * k:
            return
        group = groups[number]
        # a newcomer may have come meanwhile
        is_closed = True
        for member in group:
            for other in rows[member]:
                is_closed &= is_in(group, other)
        best, saved = -1, least * total / left
        if is_closed:
            for place in range(k):
                found = _without(records, near, rows.copy(), holders.copy(), losses.copy(), group, place)
                if found > saved:
                    best, saved = place, found
        if best >= 0:
            total -= _without(records, near, rows, holders, losses, group, best)
            gone[number] = group[best]
            left -= 1
            count -= 1


@kernel
def _without(records: Records, near: Ints, rows: Ints, holders: Ints, losses: Floats, group: Ints, place: int) -> float:
    """Take a member out of a closed group; return what is saved, −∞ where its companions find no place."""
    layout, codes = records.layout, records.codes
    k = rows.shape[1]
    width = layout.offsets[-1]
    own, other = np.empty(width, dtype=np.int64), np.empty(width, dtype=np.int64)
    saved = 0.0
    for member in group:
        saved += losses[member]
        losses[member] = 0.0
        for u in range(k):
            rows[member, u] = -1
            holders[member, u] = -1
    for at in range(k):
        if at == place:
            continue
        one = group[at]
        rows[one, 0] = one
        holders[one, 0] = one
        put(layout, own, codes[one])
        now = 0.0
        for u in range(1, k):
            best_tuple, best_at, least = -1, -1, np.inf
            for friend in near[one]:
                for tuple_ in holders[friend]:
                    # one of the group that waits, or its own
                    if tuple_ < 0 or tuple_ == one or is_in(rows[tuple_], one):
                        continue
                    for leaving in range(k):
                        record = rows[tuple_, leaving]
                        # a tuple covers the record of its own number
                        if record == tuple_ or is_in(rows[one], record):
                            continue
                        changed = _exchanged(records, rows[tuple_], leaving, one, other)
                        change = changed - losses[tuple_] + loss_with(layout, own, codes[record]) - now
                        if change < least:
                            best_tuple, best_at, least = tuple_, leaving, change
            if best_tuple < 0:
                return -np.inf
            record = rows[best_tuple, best_at]
            rows[best_tuple, best_at] = one
            rows[one, u] = record
            holders[one, u] = best_tuple
            for v in range(k):
                if holders[record, v] == best_tuple:
                    holders[record, v] = one
                    break
            before = now
            join(layout, own, codes[record])
            now = loss(layout, own)
            # the newcomer stands there by now
            changed = _exchanged(records, rows[best_tuple], best_at, one, other)
            saved -= now - before + changed - losses[best_tuple]
            losses[best_tuple] = changed
        losses[one] = now
    return saved


@kernel
def _exchanged(records: Records, row: Ints, leaving: int, newcomer: int, extent: Ints) -> float:
    """Return what a tuple would lose with another record in a place; the extent is written to."""
    put(records.layout, extent, records.codes[newcomer])
    for stay in range(row.size):
        if stay != leaving:
            join(records.layout, extent, records.codes[row[stay]])
    return loss(records.layout, extent)
