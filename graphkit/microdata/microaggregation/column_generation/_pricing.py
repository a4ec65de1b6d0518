"""Exact pricing: for every record, the group of least reduced cost in which no dual is larger than its own."""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.microaggregation.column_generation._prices import Prices, Room, new_room
from graphkit.microdata.microaggregation.column_generation._search import begin, bound_at, descend, narrow
from graphkit.microdata.microaggregation.distances import apart

MOST_RECORDS = 6_000
"""All distances are kept: 8 n² bytes."""
_LEAST_SHARE, _SHARES = 20_000, 16
LISTED = 64
"""Nearest records that are known of each: what is beyond is bounded by the last of them."""


class Surroundings(NamedTuple):
    """Distances among the records, computed once."""

    distances: Floats
    """Squared, shape (n, n)."""
    near: Ints
    """The nearest records of each, from the nearest on, shape (n, LISTED) or fewer."""
    squares: Floats
    """Their squared distances."""
    near_sums: Floats
    """Sum of the i smallest squared distances of every record, by i, shape (n, 2k)."""

    def scaled(self, factor: float) -> "Surroundings":
        """Return the distances in another unit; a power of two rounds none."""
        return Surroundings(self.distances * factor, self.near, self.squares * factor, self.near_sums * factor)


def surroundings_of(points: Floats, k: int) -> Surroundings:
    """Return the distances among records, in O(n² d)."""
    n = points.shape[0]
    distances = np.empty((n, n))
    _squares(np.ascontiguousarray(points), distances)
    width = min(n - 1, max(LISTED, 4 * k))
    near = np.empty((n, width), np.int64)
    for record in range(n):
        row = distances[record].copy()
        row[record] = -1.0
        some = np.argpartition(row, width)[: width + 1] if width + 1 < n else np.arange(n)
        near[record] = some[np.lexsort((some, row[some]))][1:]
    squares = np.take_along_axis(distances, near, axis=1)
    near_sums = np.zeros((n, 2 * k))
    most = min(width, 2 * k - 1)
    near_sums[:, 1 : most + 1] = np.cumsum(squares[:, :most], axis=1)
    near_sums[:, most + 1 :] = near_sums[:, most : most + 1]
    return Surroundings(distances, near, squares, near_sums)


class Priced(NamedTuple):
    """Groups that were found, and what all others cost at least."""

    groups: Ints
    """One a row, shape (g, 2k − 1); −1 behind the last member."""
    costs: Floats
    """Reduced cost of each."""
    least: Floats
    """Proven for every record: no group whose first record it is costs less, or the limit if that is less."""
    records: Floats
    """Duals of the records; lowered where that was asked for, so that no group costs less than 0."""
    evaluated: int
    """Scores that were computed."""
    complete: bool
    """Whether all groups below the limit were found that were asked for."""


def priced(
    around: Surroundings,
    prices: Prices,
    k: int,
    *,
    limit: float = 0.0,
    lower: bool = False,
    most: int = 0,
    effort: int = 2**62,
    sizes: tuple[int, int] | None = None,
) -> Priced:
    """Return the group of least reduced cost of every record, or all groups below a limit.

    Parameters
    ----------
    around : Surroundings
    prices : Prices
    k : int
    limit : float, optional
        Groups that cost this or more do not matter.
    lower : bool, optional
        Whether the dual of each record is lowered at once by what its group lacks: then the duals are feasible in the
        end, and their sum is a bound.
    most : int, optional
        All groups below the limit are listed, up to so many; by default only the least one of each record.
    effort : int, optional
        Scores that may be computed; where they do not suffice, `least` is what is proven.
    sizes : tuple of two int, optional
        Least and largest size of groups; k and 2k − 1 by default.

    Notes
    -----
    Exponential in k at worst. No group is left out: a record is dropped only if the bound of every group with it is not
    below the limit.
    """
    n = prices.records.size
    order = np.argsort(-prices.records, kind="stable")
    low, high = sizes or (k, 2 * k - 1)
    room = new_room(n, k)
    rows = most or n
    groups, costs = np.full((rows, 2 * k - 1), -1, np.int64), np.zeros(rows)
    least = np.full(n, limit)
    used = prices._replace(records=prices.records.copy())
    found, evaluated, complete = _price_all(
        around, used, order, (low, min(high, n)), limit, lower, most > 0, effort, room, groups, costs, least
    )
    return Priced(groups[:found], costs[:found], least, used.records, evaluated, complete)


@kernel
def _squares(points: Floats, distances: Floats) -> None:
    for i in range(points.shape[0]):
        distances[i, i] = 0.0
        for j in range(i):
            distances[i, j] = distances[j, i] = apart(points, i, points, j)


@kernel
def _price_all(
    around: Surroundings,
    prices: Prices,
    order: Ints,
    sizes: tuple[int, int],
    limit: float,
    lower: bool,
    is_listing: bool,
    effort: int,
    room: Room,
    groups: Ints,
    costs: Floats,
    least: Floats,
) -> tuple[int, int, bool]:
    n = order.size
    share = effort if is_listing else fair_share(effort, n, sizes[0])
    found, evaluated = 0, 0
    complete = True
    # the last ones first: what their duals are lowered by makes groups dearer that begin before them
    for rank in range(n - 1, -1, -1):
        root = order[rank]
        later = order[rank + 1 :]
        start = found
        for size in range(sizes[0], sizes[1] + 1):
            if later.size < size - 1:
                break
            bar = limit if is_listing else least[root]
            found, computed, bound, done = searched(
                around,
                prices,
                root,
                size,
                bar,
                later,
                is_listing,
                min(share, effort - evaluated),
                room,
                groups,
                costs,
                start,
                found,
            )
            evaluated += computed
            complete &= done
            least[root] = min(least[root], bound)
            if is_listing and found == groups.shape[0]:
                return found, evaluated, False
        if lower and least[root] < 0.0:
            prices.records[root] += least[root]
    return found, evaluated, complete


@kernel
def fair_share(effort: int, n: int, k: int) -> int:
    """Return the scores that may be computed for one record and one size of groups, a few times their mean."""
    return max(_LEAST_SHARE, _SHARES * (effort // (n * k)))


@kernel
def searched(
    around: Surroundings,
    prices: Prices,
    root: int,
    size: int,
    bar: float,
    later: Ints,
    is_listing: bool,
    effort: int,
    room: Room,
    groups: Ints,
    costs: Floats,
    start: int,
    found: int,
) -> tuple[int, int, float, bool]:
    """Return how many groups there are now, scores computed, what groups cost at least, and whether it ended."""
    evaluated = begin(root, size, bar, later, around.distances, around.near_sums, prices, room)
    evaluated += narrow(size, bar, around.near, around.squares, prices, room)
    lowest = bar
    depth = 0
    while depth >= 0:
        bound = bound_at(depth, size, room)
        if bound >= bar:
            room.is_member[room.members[depth]] = False
            depth -= 1
            continue
        at = room.positions[depth]
        if depth + 2 == size:
            room.positions[depth] += 1
            lowest = min(lowest, bound)
            if not is_listing:
                bar = bound
                found = start
            groups[found] = -1
            groups[found, : size - 1] = room.members[: size - 1]
            groups[found, size - 1] = room.candidates[depth, at]
            costs[found] = bound
            found += 1
            if found == groups.shape[0] and is_listing:
                effort = 0
        if evaluated >= effort:
            # what was not looked at costs at least what the next candidates of every depth promise
            for level in range(depth + 1):
                lowest = min(lowest, bound_at(level, size, room))
            for level in range(depth + 1):
                room.is_member[room.members[level]] = False
            return found, evaluated, lowest, False
        if depth + 2 < size:
            room.positions[depth] += 1
            evaluated += descend(depth, at, size, bar, around.distances, prices, room)
            depth += 1
    return found, evaluated, lowest, True
