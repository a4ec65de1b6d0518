"""One step of the diagram of groups: a label, one more group, the level of the next one."""

from typing import Any, NamedTuple

import numpy as np

from graphkit.arrays import Ints, Words
from graphkit.kernels import compiled
from graphkit.networks.bounds.diagram._bits import joinable_rows
from graphkit.networks.bounds.diagram._labels import DEPTH, LABEL, add_group
from graphkit.networks.bounds.diagram._rest import PARTS, rest_from, rest_tables
from graphkit.networks.bounds.diagram._value import Cut, best_value
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.effort.work import TABLE_STEPS

_MOST_MEMBERS = 40
_TABLE_STEPS = 300_000_000
_RAISES = 16


class Known(NamedTuple):
    """What is known of all positions."""

    k: int
    degrees: Ints
    """Descending, shape (p,)."""
    levels: Ints
    """The distinct degrees, descending, shape (l,)."""
    level_of: Ints
    """The index of a position's degree among them, shape (p,)."""
    first: Ints
    """The first position of every level, shape (l,)."""
    rows: Words
    """Positions that a core position can be joined to, as sets, shape (c, 2)."""
    tables: Ints
    """The least weighed sums from every border on, shape (5, most+1, d+1)."""

    @classmethod
    def of(cls, positions: Positions, depth: int) -> "Known":
        """Return it, with tables for borders up to `depth`, and as many partners of one vertex as work allows for."""
        degrees, k = positions.degrees, positions.k
        levels, first, level_of = np.unique(-degrees, return_index=True, return_inverse=True)
        # partners of one vertex beyond that number are not distinguished
        most = min(_MOST_MEMBERS, _TABLE_STEPS // (PARTS * 2 * k * degrees.size))
        return cls(
            k=k,
            degrees=degrees,
            levels=-levels,
            level_of=level_of.reshape(-1).astype(np.int64),
            first=first,
            rows=joinable_rows(positions.core.joinable),
            tables=rest_tables(degrees, k, most, min(depth + 2 * k, degrees.size)),
        )

    @property
    def set_up(self) -> int:
        """Units of work that the tables took."""
        return int(PARTS * 2 * self.k * self.degrees.size * (self.tables.shape[1] - 1) // TABLE_STEPS)


class Rests(NamedTuple):
    """The least weighed sums from the next borders on, by how many levels the first group is raised."""

    sums: Ints
    """Shape (2k, raises + 1, 5, most+1); the last place is for all higher raises, which are not kept."""
    border: Ints
    """The border that they belong to, −1 for none, shape (2k, raises)."""

    @classmethod
    def of(cls, known: Known) -> "Rests":
        """Return room for them, with none in it."""
        sums = np.zeros((2 * known.k, _RAISES + 1, PARTS + 1, known.tables.shape[1]), np.int64)
        return cls(sums, np.full((2 * known.k, _RAISES), -1, np.int64))


def deepest(positions: Positions) -> int:
    """Return the last border that a label can stand for."""
    return min(DEPTH, positions.core.size - 1, positions.degrees.size - 1)


def first_label(known: Known) -> Any:
    """Return the label before the first group, an array of one element."""
    start = np.zeros(1, LABEL)
    start["reach"] = known.degrees[0]
    return start


@compiled
def rest_behind(rests: Rests, known: Known, end: int, raised: int, level: int) -> Ints:
    """Return the least weighed sums from a border on, the group behind it on a level so many above its own."""
    there = end % (2 * known.k)
    rest: Ints = rests.sums[there, min(raised, _RAISES)]
    if raised >= _RAISES or rests.border[there, raised] != end:
        rest_from(known.degrees, known.tables, known.k, end, known.levels[level], rest)
        if raised < _RAISES:
            rests.border[there, raised] = end
    return rest


@compiled
def add_to_label(
    label: Any, known: Known, begin: int, end: int, level: int, cost: int, rest: Ints, target: int
) -> bool:
    """Add one more group to a label, the next one on `level`; return whether its value is below the target.

    The group begins and ends at these borders, `cost` is what all positions before its end demand, `rest` what those
    behind do.
    """
    goal, higher = known.levels[label.level], known.first[label.level]
    reach = label.reach if begin > higher else goal
    forced = min(known.first[level], end)
    add_group(label, begin, end, known.degrees, higher, goal)
    label.cost, label.level = cost, level
    label.reach = reach if forced < end else known.levels[level]
    found = best_value(label, Cut(end, forced, reach, known.degrees, known.rows, rest), target)
    label.value = max(label.value, PARTS * cost + rest[0, 0], found)
    return bool(label.value < target)
