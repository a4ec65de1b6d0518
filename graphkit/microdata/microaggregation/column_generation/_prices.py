"""What groups are charged beside their SSE, and the arrays that a search for groups writes on."""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.kernels import kernel


class Prices(NamedTuple):
    """Duals of the master program, and the demands of a branch."""

    records: Floats
    """Dual of every record, shape (n,): subtracted for each member."""
    cuts: Floats
    """Charge of every cut, shape (c,), none negative: added once for groups with at least two of its records."""
    triples: Ints
    """Records of every cut, shape (c, 3)."""
    starts: Ints
    """Where the cuts of every record begin in `cuts_of`, and where the last end, shape (n + 1,)."""
    cuts_of: Ints
    group: float
    """Charge of every group, not negative: there are n / k of them at most, rounded down."""
    bundle: Ints
    """Records of one bundle are in the same group, shape (n,)."""
    bundle_size: Ints
    """Number of records in the bundle of every record, shape (n,)."""


def prices_of(records: Floats, cuts: Floats | None = None, triples: Ints | None = None, group: float = 0.0) -> Prices:
    """Return prices; cuts without a charge are left out, and every record is a bundle of its own."""
    n = records.size
    charged = np.zeros(0) if cuts is None else cuts
    of = np.zeros((0, 3), np.int64) if triples is None else triples
    of, charged = of[charged > 0], charged[charged > 0]
    order = np.argsort(of.reshape(-1), kind="stable")
    starts = np.zeros(n + 1, np.int64)
    starts[1:] = np.cumsum(np.bincount(of.reshape(-1), minlength=n))
    return Prices(records.copy(), charged, of, starts, order // 3, group, np.arange(n), np.ones(n, np.int64))


class Room(NamedTuple):
    """Arrays of a search, one row a depth: a group of one member more."""

    is_member: Bools
    is_candidate: Bools
    members: Ints
    candidates: Ints
    """Records that may still come, those of the least scores first."""
    scores: Floats
    """Least that each candidate adds."""
    sums: Floats
    """Sum of squared distances of each candidate to the members."""
    charges: Floats
    """Of cuts that have one member, by record."""
    counts: Ints
    positions: Ints
    only_first: Bools
    bases: Floats
    """Reduced cost of the members, the SSE being the sum over their pairs divided by the full size."""
    pairs: Floats
    """Sum of squared distances among the members."""
    paid: Floats
    """Charges of the group and of cuts with two members."""
    duals: Floats
    """Sum of the duals of the members."""
    near_sums: Floats
    """Sum of the smallest distances from a record to other candidates, by how many, shape (n, depths)."""
    smallest: Floats


def new_room(n: int, k: int) -> Room:
    """Return room for groups of up to 2k − 1 of n records."""
    depths = 2 * k
    table, row = (depths, n), np.zeros(depths)
    return Room(
        np.zeros(n, np.bool_),
        np.zeros(n, np.bool_),
        np.zeros(depths, np.int64),
        np.zeros(table, np.int64),
        np.zeros(table),
        np.zeros(table),
        np.zeros(table),
        np.zeros(depths, np.int64),
        np.zeros(depths, np.int64),
        np.zeros(depths, np.bool_),
        row,
        row.copy(),
        row.copy(),
        row.copy(),
        np.zeros((n, depths)),
        row.copy(),
    )


@kernel
def join(record: int, depth: int, prices: Prices, room: Room) -> None:
    """Make a record the member at this depth, and say what the cuts charge whoever comes next."""
    charges = room.charges[depth]
    room.members[depth] = record
    room.paid[depth] = prices.group if depth == 0 else room.paid[depth - 1]
    room.duals[depth] = prices.records[record] + (0.0 if depth == 0 else room.duals[depth - 1])
    if prices.cuts.size:
        if depth == 0:
            charges[:] = 0.0
        else:
            # whoever is no candidate now will be none deeper down
            for at in range(room.counts[depth - 1]):
                charges[room.candidates[depth - 1, at]] = room.charges[depth - 1, room.candidates[depth - 1, at]]
        for at in range(prices.starts[record], prices.starts[record + 1]):
            cut = prices.cuts_of[at]
            inside = 0
            for t in range(3):
                inside += room.is_member[prices.triples[cut, t]]
            if inside == 1:
                room.paid[depth] += prices.cuts[cut]
            if inside < 2:
                for t in range(3):
                    # with one member whoever comes pays, with two it is paid
                    charges[prices.triples[cut, t]] += prices.cuts[cut] if inside == 0 else -prices.cuts[cut]
    room.is_member[record] = True


@kernel
def missing(depth: int, prices: Prices, room: Room) -> int:
    """Return how many records the bundles of the members still lack."""
    lacking = 0
    for one in range(depth + 1):
        record = room.members[one]
        inside = 0
        is_first = True
        for other in range(depth + 1):
            if prices.bundle[room.members[other]] == prices.bundle[record]:
                is_first &= other >= one
                inside += 1
        if is_first:
            lacking += prices.bundle_size[record] - inside
    return lacking


@kernel
def is_forced(record: int, depth: int, prices: Prices, room: Room) -> bool:
    """Whether the bundle of a record has a member."""
    forced = False
    for one in range(depth + 1):
        forced |= prices.bundle[room.members[one]] == prices.bundle[record]
    return forced
