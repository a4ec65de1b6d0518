"""k disjoint matchings of tuples and records, changed step by step, with what originals see under each."""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.generalization._records import is_in
from graphkit.microdata.generalization.diverse.demands import Sensitive, lack


class Matched(NamedTuple):
    """k matchings; changed in place."""

    rows: Ints
    """Record of every tuple in every matching, shape (n, k): a tuple covers its row."""
    holder: Ints
    """Tuple of every record in every matching, shape (k, n)."""
    lacks: Floats
    """By how much the values that an original sees under a matching miss the demands, shape (n, k + 1); in the last
    place, by how much those that a tuple covers do."""
    stamps: Ints
    """Shape (n + 1,): in which step a record was counted; the last is the step."""


def matched_of(rows: Ints, sensitive: Sensitive) -> Matched:
    """Return matchings with what exchanges need; `rows`, shape (n, k), is copied."""
    n, k = rows.shape
    held = np.ascontiguousarray(rows, dtype=np.int64).copy()
    holder = np.empty((k, n), dtype=np.int64)
    for t in range(k):
        holder[t, held[:, t]] = np.arange(n)
    matched = Matched(held, holder, np.zeros((n, k + 1)), np.zeros(n + 1, dtype=np.int64))
    _look_all(sensitive, matched)
    return matched


@kernel
def _look_all(sensitive: Sensitive, matched: Matched) -> None:
    held = np.empty(matched.rows.shape[1], dtype=np.int64)
    for original in range(matched.rows.shape[0]):
        for t in range(matched.rows.shape[1]):
            matched.lacks[original, t] = seen(sensitive, matched, original, t, held)
        matched.lacks[original, held.size] = kept(sensitive, matched, original, held)


@kernel
def seen(sensitive: Sensitive, matched: Matched, original: int, t: int, held: Ints) -> float:
    """Return by how much the values that an original sees under a matching miss the demands."""
    total = 0.0
    for place in range(sensitive.values.shape[0]):
        for u in range(held.size):
            held[u] = sensitive.values[place, matched.rows[matched.holder[u, original], t]]
        total += lack(sensitive, place, held)
    return total


@kernel
def kept(sensitive: Sensitive, matched: Matched, row: int, held: Ints) -> float:
    """Return by how much the values that a tuple covers miss the demands that are about these, too."""
    total = 0.0
    for place in range(sensitive.values.shape[0]):
        if sensitive.of_tuples[place]:
            for u in range(held.size):
                held[u] = sensitive.values[place, matched.rows[row, u]]
            total += lack(sensitive, place, held)
    return total


@kernel
def swap(matched: Matched, row: int, t: int, other: int) -> None:
    """Let two tuples exchange their records in a matching."""
    rows, holder = matched.rows, matched.holder
    one, two = rows[row, t], rows[other, t]
    rows[row, t] = two
    rows[other, t] = one
    holder[t, one] = other
    holder[t, two] = row


@kernel
def swap_change(
    sensitive: Sensitive, matched: Matched, row: int, t: int, other: int, held: Ints, strict: bool, write: bool
) -> float:
    """Return what an exchange, already made, changes of what is missed; if strict, no more than that it is too much.

    The two records are covered by other tuples than before: what they see may change under every matching. Where their
    values differ, so does what the records of both tuples see under this one, unless both cover them, and what both
    tuples cover.
    """
    rows, lacks = matched.rows, matched.lacks
    k = held.size
    one, two = rows[row, t], rows[other, t]
    total = 0.0
    for u in range(k):
        for record in (one, two):
            found = seen(sensitive, matched, record, u, held)
            total += found - lacks[record, u]
            if write:
                lacks[record, u] = found
        if strict and total > 0:
            return total
    if not _differ(sensitive, one, two):
        return total
    for tuple_ in (row, other):
        found = kept(sensitive, matched, tuple_, held)
        total += found - lacks[tuple_, k]
        if write:
            lacks[tuple_, k] = found
    if strict and total > 0:
        return total
    for u in range(k):
        for tuple_, beside in ((row, other), (other, row)):
            record = rows[tuple_, u]
            if record != one and record != two and not is_in(rows[beside], record):
                found = seen(sensitive, matched, record, t, held)
                total += found - lacks[record, t]
                if write:
                    lacks[record, t] = found
        if strict and total > 0:
            return total
    return total


@kernel
def missed(matched: Matched, row: int, t: int, other: int) -> float:
    """Return what is missed where an exchange of two tuples in a matching could change it, before it is made."""
    rows, lacks = matched.rows, matched.lacks
    one, two = rows[row, t], rows[other, t]
    total = float(lacks[row, rows.shape[1]] + lacks[other, rows.shape[1]])
    for u in range(rows.shape[1]):
        total += lacks[one, u] + lacks[two, u]
        if u != t:
            total += lacks[rows[row, u], t] + lacks[rows[other, u], t]
    return total


@kernel
def _differ(sensitive: Sensitive, one: int, two: int) -> bool:
    for place in range(sensitive.values.shape[0]):
        if sensitive.values[place, one] != sensitive.values[place, two]:
            return True
    return False


@kernel
def cycle(matched: Matched, first: int, t: int, u: int, path: Ints) -> int:
    """Write the tuples of the cycle of two matchings that contains a tuple; return how many, 0 if more than fit."""
    count, tuple_ = 0, first
    while True:
        if count == path.size:
            return 0
        path[count] = tuple_
        count += 1
        tuple_ = matched.holder[t, matched.rows[tuple_, u]]
        if tuple_ == first:
            return count


@kernel
def flip(matched: Matched, path: Ints, count: int, t: int, u: int) -> None:
    """Exchange two matchings along a cycle (Kempe)."""
    rows, holder = matched.rows, matched.holder
    for at in range(count):
        tuple_ = path[at]
        record = rows[tuple_, t]
        rows[tuple_, t] = rows[tuple_, u]
        rows[tuple_, u] = record
    for at in range(count):
        tuple_ = path[at]
        holder[t, rows[tuple_, t]] = tuple_
        holder[u, rows[tuple_, u]] = tuple_


@kernel
def flip_change(
    sensitive: Sensitive,
    matched: Matched,
    path: Ints,
    count: int,
    t: int,
    u: int,
    held: Ints,
    strict: bool,
    write: bool,
) -> float:
    """Return what an exchange along a cycle, already made, changes of what is missed; as :func:`swap_change`."""
    rows, lacks, stamps = matched.rows, matched.lacks, matched.stamps
    stamps[-1] += 1
    total = 0.0
    for at in range(count):
        for place in range(held.size):
            record = rows[path[at], place]
            if stamps[record] == stamps[-1]:
                continue
            stamps[record] = stamps[-1]
            for matching in (t, u):
                found = seen(sensitive, matched, record, matching, held)
                total += found - lacks[record, matching]
                if write:
                    lacks[record, matching] = found
            if strict and total > 0:
                return total
    return total
