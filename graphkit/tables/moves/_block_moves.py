"""Moves on subtables whose sides change several variables at once, found among the records that are there.

In a sparse table a random subtable hardly ever has records at all the corners that a move takes them from. Records that
are like a cell in most variables are few and known: a subtable is put together from two or three of them, and one
corner is left to chance instead of all. See :mod:`graphkit.tables.moves.walks`.
"""

import numpy as np

from graphkit.arrays import Ints, Words
from graphkit.kernels import kernel
from graphkit.tables.moves._cells import corner_of
from graphkit.tables.moves._near_records import Near, Occupied, bits_of, list_near, step_along
from graphkit.tables.moves._random_words import word

MOST_SIDES = 3
"""How many sides such a subtable has, at most."""

_MOST_TRIED = 50_000
_A_LOOKUP = 10
_ANY = 64


@kernel
def _around(mask: int, neighbours: Ints) -> int:
    """Return the variables that share a marginal with any of some."""
    found = 0
    for v in range(neighbours.size):
        if mask >> v & 1:
            found |= neighbours[v]
    return found


@kernel
def _keeps(one: int, two: int, three: int, occupied: Occupied) -> bool:
    """Whether no marginal has variables of all three sides of a subtable, so that it leaves every marginal as it is."""
    found = False
    for face in occupied.faces:
        found |= face & one != 0 and face & two != 0 and face & three != 0
    return not found


@kernel
def _agree(mask: int, one: int, two: int, occupied: Occupied) -> bool:
    for v in range(occupied.strides.size):
        if mask >> v & 1 and occupied.codes[v, one] != occupied.codes[v, two]:
            return False
    return True


@kernel
def _misses(cell: int, offsets: Ints, number: int, kept: int) -> bool:
    """Whether no corner of a subtable is the cell that is kept."""
    if kept < 0:
        return True
    for corner in range(1 << number):  # noqa: SIM110
        if corner_of(cell, offsets, number, corner)[0] == kept:
            return False
    return True


@kernel
def find_block_move(
    table: Ints,
    cell: int,
    sign: int,
    kept: int,
    occupied: Occupied,
    near: Near,
    offsets: Ints,
    state: Words,
    work: Ints,
) -> int:
    """Set the sides of a subtable for a move that changes a cell by +1 or −1.

    Returns
    -------
    number : int
        Of the sides, 2 or 3; negative where one of the corners has nobody, 0 where none was found. At the corner `kept`
        nothing changes.
    """
    count = list_near(cell, occupied, near, state)
    work[0] += occupied.codes.size // _A_LOOKUP
    if sign > 0:
        found = _raising(table, cell, kept, occupied, near, count, offsets, state, work)
    else:
        found = _lowering(table, cell, kept, occupied, near, count, offsets, state, work)
    if found == 0:
        found = _any_subtable(table, cell, sign, kept, occupied, near, count, offsets, state, work)
    return int(found)


@kernel
def _raising(table, cell, kept, occupied, near, count, offsets, state, work):  # type: ignore[no-untyped-def]
    """Records of two or three sides that differ from the cell in different variables; one corner is left to chance."""
    k = occupied.strides.size
    masks, chosen, cells = near.masks, near.chosen, occupied.cells
    tried, missing = 0, 0
    sides = np.empty(3, np.int64)
    if occupied.sides == 2:
        for i in range(count):
            p = chosen[i]
            if tried > _MOST_TRIED:
                break
            if table[cells[p]] <= 0:
                continue
            around = _around(masks[i], occupied.neighbours)
            tried += count - i
            for j in range(i + 1, count):
                q = chosen[j]
                if masks[j] & around == 0 and table[cells[q]] > 0:
                    offsets[0], offsets[1] = cells[p] - cell, cells[q] - cell
                    if _misses(cell, offsets, 2, kept):
                        work[0] += tried // _A_LOOKUP
                        return 2
    for i in range(count):
        p = chosen[i]
        bits = bits_of(masks[i])
        if 3 * bits > k or tried > _MOST_TRIED:
            break
        if table[cells[p]] <= 0:
            continue
        for j in range(i + 1, count):
            q = chosen[j]
            if bits + 2 * bits_of(masks[j]) > k or tried > _MOST_TRIED:
                break
            tried += 1
            if masks[i] & masks[j] or table[cells[q]] <= 0:
                continue
            both = masks[i] | masks[j]
            for m in range(j + 1, count):
                r = chosen[m]
                tried += 1
                if masks[m] & both or table[cells[r]] <= 0 or not _keeps(masks[i], masks[j], masks[m], occupied):
                    continue
                sides[0], sides[1], sides[2] = cells[p] - cell, cells[q] - cell, cells[r] - cell
                if not _misses(cell, sides, 3, kept):
                    continue
                tried += _A_LOOKUP
                if table[cell + sides.sum()] > 0:
                    offsets[:3] = sides
                    work[0] += tried // _A_LOOKUP
                    return 3
                missing += 1
                if word(state) % np.uint64(missing) == 0:
                    offsets[:3] = sides
    work[0] += tried // _A_LOOKUP
    return -3 if missing else 0


@kernel
def _lowering(table, cell, kept, occupied, near, count, offsets, state, work):  # type: ignore[no-untyped-def]
    """Records of two sides at once: of two sides one such, of three two of them that share a side."""
    masks, chosen, cells = near.masks, near.chosen, occupied.cells
    tried, missing = 0, 0
    sides = np.empty(3, np.int64)
    if occupied.sides == 2:
        for i in range(count):
            p, mask = chosen[i], masks[i]
            tried += 1
            if table[cells[p]] <= 0:
                continue
            # what hangs together with one of the variables
            side = mask & -mask
            while True:
                more = _around(side, occupied.neighbours) & mask
                if more == side:
                    break
                side = more
            if side != mask:
                offsets[0] = step_along(side, p, cell, occupied)
                offsets[1] = cells[p] - cell - offsets[0]
                if _misses(cell, offsets, 2, kept):
                    work[0] += tried
                    return 2
    for i in range(count):
        p = chosen[i]
        if tried > _MOST_TRIED:
            break
        if table[cells[p]] <= 0:
            continue
        for j in range(i):
            q = chosen[j]
            tried += 1
            both = masks[i] & masks[j]
            if both == 0 or both == masks[i] or both == masks[j] or table[cells[q]] <= 0:
                continue
            if not _agree(both, p, q, occupied) or not _keeps(both, masks[i] ^ both, masks[j] ^ both, occupied):
                continue
            sides[0] = step_along(both, p, cell, occupied)
            sides[1], sides[2] = cells[p] - cell - sides[0], cells[q] - cell - sides[0]
            if not _misses(cell, sides, 3, kept):
                continue
            tried += _A_LOOKUP
            if table[cell + sides[1] + sides[2]] > 0:
                offsets[:3] = sides
                work[0] += tried // _A_LOOKUP
                return 3
            missing += 1
            if word(state) % np.uint64(missing) == 0:
                offsets[:3] = sides
    work[0] += tried // _A_LOOKUP
    return -3 if missing else 0


@kernel
def _any_subtable(table, cell, sign, kept, occupied, near, count, offsets, state, work):  # type: ignore[no-untyped-def]
    """Take a subtable with the sides of two records near the cell and any other, and few empty corners."""
    k, number = occupied.codes.shape
    least, best = 1 << 10, 0
    sides = np.empty(3, np.int64)
    parts = np.zeros(3, np.int64)
    for _ in range(_ANY if count else 0):
        work[0] += 8
        used, around, found = 0, 0, 0
        parts[:] = 0
        for side in range(3):
            if side < 2:
                at = int(np.int64(word(state) >> np.uint64(33)) % count)
                place, mask = near.chosen[at], near.masks[at]
            else:
                place, mask = int(np.int64(word(state) >> np.uint64(33)) % number), 0
                for v in range(k):
                    own = cell // occupied.strides[v] % occupied.sizes[v]
                    mask |= (occupied.codes[v, place] != own) << v
            # what another side has changed already, it does not change again
            free = mask & ~used
            if side == 1 and occupied.sides == 2 and free & ~around:
                free &= ~around
            if free == 0:
                break
            sides[side] = step_along(free, place, cell, occupied)
            parts[side] = free
            used |= free
            found += 1
            if side == 0:
                around = _around(free, occupied.neighbours)
            if side == 1 and parts[1] & around == 0:
                break
        if (
            found < 2
            or (found == 2 and parts[1] & around)
            or (found == 3 and not _keeps(parts[0], parts[1], parts[2], occupied))
        ):
            continue
        if not _misses(cell, sides, found, kept):
            continue
        missing = 0
        for corner in range(1, 1 << found):
            place, parity = corner_of(cell, sides, found, corner)
            missing += parity != sign and table[place] <= 0
        if missing < least:
            least = missing
            offsets[:3] = sides
            best = found
    return best if least == 0 else -best
