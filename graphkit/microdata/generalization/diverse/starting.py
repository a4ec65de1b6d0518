"""Matchings from which the search begins: closed groups with diverse values, dealt like cards, or free ones."""

import numpy as np

from graphkit.arrays import Bools, Floats, Ints, Rng
from graphkit.budget import Budget
from graphkit.kernels import kernel
from graphkit.microdata.generalization._records import Records
from graphkit.microdata.generalization.constructing import constructed
from graphkit.microdata.generalization.diverse.demands import Sensitive, lack
from graphkit.microdata.generalization.extents import Layout, join, loss, loss_with, put
from graphkit.microdata.generalization.matchings import extracted
from graphkit.microdata.generalization.rounds.hungarian import likely
from graphkit.microdata.generalization.search.searching import search
from graphkit.microdata.generalization.standing import Standing

_WINDOW = 400


def dealt(records: Records, sensitive: Sensitive, k: int) -> Ints:
    """Return k disjoint matchings of closed groups of k records; the last group has up to 2k − 1.

    Parameters
    ----------
    records : Records
    sensitive : Sensitive
    k : int
        From 2 to n.

    Returns
    -------
    ndarray of int, shape (n, k)
        Record of every tuple in every matching.

    Notes
    -----
    Records are sorted by the value of the first demand, the rarest first or by rank where that counts, and cut into k
    parts; each group takes one record of each part, the one that adds least loss among those near it in the order
    of records. So its values are about those of the file. Within a group of k every original sees all
    values under every matching. In a larger one tuple p covers the k members from p on, and an original sees any k in a
    row under some matching; demands may be missed there, and with several sensitive columns anywhere.
    O(n w d), where w is the least of n / k and 400.
    """
    n = records.codes.shape[0]
    groups = n // k
    column = sensitive.values[0]
    near = np.empty(n, dtype=np.int64)
    near[np.lexsort(records.codes.T[::-1])] = np.arange(n)
    order = np.lexsort((near, column, np.bincount(column)[column] if not sensitive.ordered[0] else column))
    # those left over have a frequent value: the last ones
    kept, left = order[: groups * k].reshape(k, groups), order[groups * k :]
    # parts of one value are in the order of the records, others not yet
    kept = np.take_along_axis(kept, np.argsort(near[kept], axis=1, kind="stable"), axis=1)
    members = np.empty((groups, k), dtype=np.int64)
    _deal(records.layout, records.codes, np.ascontiguousarray(kept), members)
    rows = np.empty((n, k), dtype=np.int64)
    last = _spread(np.concatenate((members[-1], left)), column)
    for group in (*members[:-1], last):
        for t in range(k):
            rows[group, t] = np.roll(group, -t)
    return rows


def _spread(group: Ints, column: Ints) -> Ints:
    """Return members with equal values far from each other."""
    ordered = group[np.argsort(column[group], kind="stable")]
    places = (np.arange(group.size) * 0.5 + 0.25) % 1 if group.size < 3 else np.zeros(group.size)
    if group.size >= 3:
        at = 0
        for number in np.unique(column[ordered], return_counts=True)[1]:
            places[at : at + number] = (np.arange(number) + 0.5) / number
            at += number
    return ordered[np.argsort(places, kind="stable")]


@kernel
def _deal(layout: Layout, codes: Ints, kept: Ints, members: Ints) -> None:
    """Fill groups, one part after the other."""
    k, groups = kept.shape
    extents = np.empty((groups, layout.offsets[-1]), dtype=np.int64)
    for group in range(groups):
        members[group, 0] = kept[0, group]
        put(layout, extents[group], codes[kept[0, group]])
    for part in range(1, k):
        left, count = kept[part].copy(), groups
        for group in range(groups):
            # about as many are left of those behind as of those ahead: the window begins with the first
            best, least = 0, np.inf
            for at in range(min(count, _WINDOW)):
                lost = loss_with(layout, extents[group], codes[left[at]])
                if lost < least:
                    best, least = at, lost
            members[group, part] = left[best]
            join(layout, extents[group], codes[left[best]])
            left[best : count - 1] = left[best + 1 : count].copy()
            count -= 1


def free_matchings(records: Records, k: int, rng: Rng, budget: Budget, units: int) -> Ints:
    """Return k disjoint matchings of the best covering that so much work finds without demands, shape (n, k)."""
    standing = Standing(records, constructed(likely, records, k, rng, budget), budget)
    search(standing, k, rng, max(1, units - budget.work))
    return np.ascontiguousarray(extracted(standing.covered, rng).T)


def missed_by_stars(sensitive: Sensitive, near: Ints, k: int) -> float:
    """Return how many records with the k − 1 nearest to them miss a demand, as a share of all.

    Parameters
    ----------
    sensitive : Sensitive
    near : ndarray of int, shape (n, neighbours)
        Records near each record, the nearest first; below 0 where there is none.
    k : int

    Notes
    -----
    About as many miss one under a matching of a covering that does not regard demands. O(n k² D).
    """
    stars = np.concatenate((np.arange(len(near))[:, None], near[:, : k - 1]), axis=1)
    return float(_missing(sensitive, np.where(stars < 0, stars[:, :1], stars)).mean())


@kernel
def _missing(sensitive: Sensitive, stars: Ints) -> Bools:
    found = np.zeros(stars.shape[0], dtype=np.bool_)
    held = np.empty(stars.shape[1], dtype=np.int64)
    for row in range(stars.shape[0]):
        for place in range(sensitive.values.shape[0]):
            for at in range(held.size):
                held[at] = sensitive.values[place, stars[row, at]]
            if lack(sensitive, place, held) > 0:
                found[row] = True
    return found


def star_losses(records: Records, near: Ints, k: int) -> Floats:
    """Return what each record would lose with the k − 1 nearest to it, shape (n,): about how small losses become."""
    found = np.empty(records.codes.shape[0])
    _stars(records.layout, records.codes, near, k, found)
    return found


@kernel
def _stars(layout: Layout, codes: Ints, near: Ints, k: int, found: Floats) -> None:
    extent = np.empty(layout.offsets[-1], dtype=np.int64)
    for record in range(codes.shape[0]):
        put(layout, extent, codes[record])
        for place in range(min(k - 1, near.shape[1])):
            if near[record, place] >= 0:
                join(layout, extent, codes[near[record, place]])
        found[record] = loss(layout, extent)
