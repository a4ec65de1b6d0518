"""Groups of least reduced cost: depth first over the members, with a separable bound.

The SSE of a group is the sum of the squared distances of its pairs, divided by its size. Beside the pairs of the
members so far, a further member adds its distances to them, and half of the distances to others still to come, which
are at least those to the nearest candidates. So whatever is added costs at least the sum of the smallest scores, one a
record; charges of cuts count half where two records that come may share one.
"""

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.microaggregation.column_generation._prices import Prices, Room, is_forced, join, missing

_PLACED = 4
_FIXED = 8
"""What a node costs, in scores, beside those of its candidates."""


@kernel
def begin(
    root: int, size: int, limit: float, later: Ints, distances: Floats, near: Floats, prices: Prices, room: Room
) -> int:
    """Make a record the first member and collect whoever may join it; return how many scores were computed.

    `later` are the records that come after the root; `near` holds sums of smallest distances among all records.
    """
    join(root, 0, prices, room)
    room.pairs[0] = 0.0
    candidates, sums = room.candidates[0], room.sums[0]
    for at in range(later.size):
        record = later[at]
        candidates[at], sums[at] = record, distances[root, record]
    for i in range(size):
        for at in range(later.size):
            room.near_sums[later[at], i] = near[later[at], i]
    return settle(0, size, limit, later.size, prices, room)


@kernel
def narrow(size: int, limit: float, near: Ints, squares: Floats, prices: Prices, room: Room) -> int:
    """Recompute the smallest distances among the candidates of the root, and drop candidates for it."""
    evaluated = 0
    while room.counts[0] >= size - 1:
        count = room.counts[0]
        candidates = room.candidates[0]
        for at in range(count):
            room.is_candidate[candidates[at]] = True
        for at in range(count):
            record = candidates[at]
            found, total, farthest = 0, 0.0, 0.0
            room.near_sums[record, 0] = 0.0
            for slot in range(near.shape[1]):
                if found >= size - 2:
                    break
                farthest = squares[record, slot]
                if room.is_candidate[near[record, slot]]:
                    total += farthest
                    found += 1
                    room.near_sums[record, found] = total
            while found < size - 2:
                # whoever is not listed is no nearer than the last that is
                total += farthest
                found += 1
                room.near_sums[record, found] = total
        for at in range(count):
            room.is_candidate[candidates[at]] = False
        evaluated += settle(0, size, limit, count, prices, room)
        if 10 * room.counts[0] > 9 * count:
            break
    return evaluated


@kernel
def settle(depth: int, size: int, limit: float, count: int, prices: Prices, room: Room) -> int:
    """Score the candidates of a depth, keep those that may be in a group below the limit, sort them."""
    wanted = size - depth - 1
    candidates, sums, scores = room.candidates[depth], room.sums[depth], room.scores[depth]
    share = 1.0 if wanted == 1 else 0.5
    room.bases[depth] = room.pairs[depth] / size - room.duals[depth] + room.paid[depth]
    room.positions[depth] = 0
    room.only_first[depth] = False
    lacking = missing(depth, prices, room)
    kept = 0
    for at in range(count):
        record = candidates[at]
        if prices.bundle_size[record] > 1 or lacking:
            own = 0 if is_forced(record, depth, prices, room) else prices.bundle_size[record]
            if own + lacking > wanted:
                continue
        score = (sums[at] + 0.5 * room.near_sums[record, wanted - 1]) / size - prices.records[record]
        if prices.cuts.size:
            score += share * room.charges[depth, record]
        candidates[kept], sums[kept], scores[kept] = record, sums[at], score
        kept += 1
    kept = shorten(wanted, room.bases[depth], limit, kept, candidates, sums, scores, room.smallest)
    arrange(kept, candidates, sums, scores)
    if lacking and kept:
        kept = put_forced_first(depth, kept, prices, room)
    room.counts[depth] = kept
    # each score is placed among the smallest ones
    return count * (_PLACED + wanted) // _PLACED + _FIXED


@kernel
def shorten(
    wanted: int, base: float, limit: float, count: int, candidates: Ints, sums: Floats, scores: Floats, smallest: Floats
) -> int:
    """Keep candidates that may be in a group below the limit; return how many."""
    smallest[:wanted] = np.inf
    last = wanted - 1
    for at in range(count):
        score = scores[at]
        if score < smallest[last]:
            t = last
            while t > 0 and smallest[t - 1] > score:
                smallest[t] = smallest[t - 1]
                t -= 1
            smallest[t] = score
    others = base
    for t in range(last):
        others += smallest[t]
    kept = 0
    for at in range(count):
        if others + max(scores[at], smallest[last]) < limit:
            scores[kept], candidates[kept], sums[kept] = scores[at], candidates[at], sums[at]
            kept += 1
    return kept


@kernel
def arrange(count: int, candidates: Ints, sums: Floats, scores: Floats) -> None:
    """Sort by score, equal ones as they are: Shell's sort is not stable, so the number of the record decides."""
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for at in range(gap, count):
            score, record, total = scores[at], candidates[at], sums[at]
            to = at
            while to >= gap and (
                scores[to - gap] > score or (scores[to - gap] == score and candidates[to - gap] > record)
            ):
                scores[to], candidates[to], sums[to] = scores[to - gap], candidates[to - gap], sums[to - gap]
                to -= gap
            scores[to], candidates[to], sums[to] = score, record, total
        gap //= 3


@kernel
def put_forced_first(depth: int, count: int, prices: Prices, room: Room) -> int:
    """Let a record that a bundle demands come next, before all others; return 0 if it is no candidate."""
    candidates, sums, scores = room.candidates[depth], room.sums[depth], room.scores[depth]
    for at in range(count):
        if is_forced(candidates[at], depth, prices, room):
            score, record, total = scores[at], candidates[at], sums[at]
            for to in range(at, 0, -1):
                scores[to], candidates[to], sums[to] = scores[to - 1], candidates[to - 1], sums[to - 1]
            scores[0], candidates[0], sums[0] = score, record, total
            room.only_first[depth] = True
            return count
    return 0


@kernel
def descend(depth: int, at: int, size: int, limit: float, distances: Floats, prices: Prices, room: Room) -> int:
    """Add the candidate at a position; those after it may follow. Return how many scores were computed."""
    record = room.candidates[depth, at]
    join(record, depth + 1, prices, room)
    room.pairs[depth + 1] = room.pairs[depth] + room.sums[depth, at]
    candidates, sums = room.candidates[depth + 1], room.sums[depth + 1]
    before, totals = room.candidates[depth], room.sums[depth]
    row = distances[record]
    count = room.counts[depth] - at - 1
    for i in range(count):
        other = before[at + 1 + i]
        candidates[i] = other
        sums[i] = totals[at + 1 + i] + row[other]
    return settle(depth + 1, size, limit, count, prices, room)


@kernel
def bound_at(depth: int, size: int, room: Room) -> float:
    """Return what every group costs at least whose next member is the next candidate of this depth or a later one."""
    at = room.positions[depth]
    wanted = size - depth - 1
    if at + wanted > room.counts[depth] or (room.only_first[depth] and at > 0):
        return np.inf
    total = float(room.bases[depth])
    for i in range(wanted):
        total += room.scores[depth, at + i]
    return total
