"""Records that leave a covering: those without which it loses least."""

import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.generalization._records import Records, is_in, records_of
from graphkit.microdata.generalization.covering import canonical, holders_of
from graphkit.microdata.generalization.extents import join, joined, loss_with, losses_of, put
from graphkit.microdata.generalization.suppression.dissolving import dissolved

_NEVER, _LEAST = -np.inf, 1e-12


def left_out(records: Records, rows: Ints, count: int, least: float = 1.0) -> tuple[Ints, Ints]:
    """Leave out records as long as that lowers the mean loss of the others.

    Parameters
    ----------
    records : Records
    rows : ndarray of int, shape (n, k)
        A covering of all records: each is in k rows.
    count : int
        Records that may be left out, at most.
    least : float, optional
        How much each of them saves at least, by the mean loss. With less than 1 the mean may rise at first: a search
        from what remains may save more.

    Returns
    -------
    kept : ndarray of int, shape (m,)
        Records that stay, rising.
    rows : ndarray of int, shape (m, k)
        A covering of these, with their numbers among all records.

    Notes
    -----
    A record that leaves takes one of the k tuples that cover it along; each of the others takes one of the records
    that were covered there too. What this saves is what the record costs: what its own tuple loses, and what the others
    lose because of it. Of all tuples that could leave, and of ways to share their records, good ones are looked for.

    Those whose tuples cover the same records cannot take those of the one that leaves: such a group is
    :func:`~graphkit.microdata.generalization.suppression.dissolving.dissolved` at last.

    A record that saves more than the mean loss lowers the mean; those that save most leave first. In a
    pass no tuple is changed twice, so savings hold as they were computed. O(n k³ d) a pass.
    """
    kept = np.arange(rows.shape[0])
    rows = np.ascontiguousarray(rows)
    while count:
        local = np.searchsorted(kept, rows)
        layout, codes = records.layout, np.ascontiguousarray(records.codes[kept])
        losses = losses_of(layout, joined(layout, codes, local))
        n, k = local.shape
        holders = holders_of(local)
        saved, whose, given = np.empty(n), np.empty(n, dtype=np.int64), np.empty((n, k), dtype=np.int64)
        _savings(records._replace(codes=codes), local, holders, losses, saved, whose, given)
        order = np.argsort(-saved, kind="stable")
        gone, dropped = np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.bool_)
        _leave(local, holders, order, saved, whose, given, float(losses.sum()), count, least, gone, dropped)
        if not gone.any():
            break
        count -= int(gone.sum())
        rows, kept = kept[local[~dropped]], kept[~gone]
    if count:
        some = records_of(records.layout, records.codes[kept])
        stay, held = dissolved(some, canonical(np.searchsorted(kept, rows)), count, least)
        if stay.size < kept.size:
            rows, kept = kept[held], kept[stay]
    return kept, rows


@kernel
def _savings(
    records: Records, rows: Ints, holders: Ints, losses: Floats, saved: Floats, whose: Ints, given: Ints
) -> None:
    """Write what the covering loses less without a record, which of its tuples leaves, and what the others take."""
    layout, codes = records.layout, records.codes
    n, k = rows.shape
    extents = np.empty((k, layout.offsets[-1]), dtype=np.int64)
    costs = np.empty((k, k))
    taken, taker = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
    for record in range(n):
        lost = 0.0
        for u in range(k):
            row = holders[record, u]
            lost += losses[row]
            first = True
            for other in rows[row]:
                if other == record:
                    continue
                if first:
                    put(layout, extents[u], codes[other])
                    first = False
                else:
                    join(layout, extents[u], codes[other])
        saved[record] = _NEVER
        whose[record] = -1
        for s in range(k):
            leaving = rows[holders[record, s]]
            # what each of the other tuples would lose with each record of the one that leaves
            for u in range(k):
                for at in range(k):
                    other = leaving[at]
                    costs[u, at] = np.inf
                    if u != s and other != record and not is_in(rows[holders[record, u]], other):
                        costs[u, at] = loss_with(layout, extents[u], codes[other])
            total = _shared(costs, s, taken, taker)
            if lost - total > saved[record]:
                saved[record] = lost - total
                whose[record] = s
                for u in range(k):
                    given[record, u] = leaving[taken[u]] if u != s else -1


@kernel
def _shared(costs: Floats, s: int, taken: Ints, taker: Ints) -> float:
    """Give each tuple but one a record, the cheapest first come, then exchange two while that costs less."""
    k = costs.shape[0]
    taker[:] = -1
    for u in range(k):
        taken[u] = -1
        if u == s:
            continue
        best = -1
        for at in range(k):
            if taker[at] < 0 and costs[u, at] < np.inf and (best < 0 or costs[u, at] < costs[u, best]):
                best = at
        if best < 0:
            return np.inf
        taken[u] = best
        taker[best] = u
    better = True
    while better:
        better = False
        for u in range(k):
            for v in range(u):
                if u == s or v == s:
                    continue
                now = costs[u, taken[u]] + costs[v, taken[v]]
                if costs[u, taken[v]] + costs[v, taken[u]] < now - _LEAST:
                    taken[u], taken[v] = taken[v], taken[u]
                    better = True
    total = 0.0
    for u in range(k):
        if u != s:
            total += costs[u, taken[u]]
    return total


@kernel
def _leave(
    rows: Ints,
    holders: Ints,
    order: Ints,
    saved: Floats,
    whose: Ints,
    given: Ints,
    total: float,
    count: int,
    least: float,
    gone: Bools,
    dropped: Bools,
) -> None:
    """Let records leave, in order; rows are changed in place, and those that leave are marked."""
    n, k = rows.shape
    changed = np.zeros(n, dtype=np.bool_)
    left = n
    for record in order:
        if not count or left <= k or saved[record] <= least * total / left:
            return
        free = True
        for row in holders[record]:
            free &= not changed[row]
        if not free:
            continue
        for u in range(k):
            row = holders[record, u]
            changed[row] = True
            if u == whose[record]:
                dropped[row] = True
                continue
            for at in range(k):
                if rows[row, at] == record:
                    rows[row, at] = given[record, u]
        gone[record] = True
        total -= saved[record]
        left -= 1
        count -= 1
