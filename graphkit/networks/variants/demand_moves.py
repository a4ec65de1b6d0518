"""How many vertices of which class and degree go to which degree, and which ones those are."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.networks.variants.problem import Problem
from graphkit.networks.variants.sequence import cheapest_levels


@dataclass(frozen=True, slots=True, eq=False)
class Moves:
    """``count[i]`` movable vertices of class ``group[i]`` go from degree ``source[i]`` to ``target[i]``.

    Rows are distinct, ordered by class, source, target; no row is empty or stays where it is.
    """

    group: Ints
    source: Ints
    target: Ints
    count: Ints

    @property
    def rows(self) -> Ints:
        """All of them as a table of class, source, target and count."""
        return np.column_stack((self.group, self.source, self.target, self.count))

    @property
    def cost(self) -> int:
        """Sum of the changes of all degrees, whichever way."""
        return int((np.abs(self.target - self.source) * self.count).sum())

    def least_changes(self, knee: int | None = None) -> int:
        """Return half the cost, rounded up, growth beyond the knee counted twice."""
        beyond = 0 if knee is None else int((np.maximum(self.target - self.source - knee, 0) * self.count).sum())
        return (self.cost + beyond + 1) // 2

    @property
    def balance(self) -> int:
        """Sum of the changes of all degrees with their sign."""
        return int(((self.target - self.source) * self.count).sum())


def merge(rows: Ints) -> Moves:
    """Return moves in canonical form from rows (class, source, target, count) in any order, repeated or cancelled."""
    rows = rows[rows[:, 1] != rows[:, 2]]
    keys, place = np.unique(rows[:, :3], axis=0, return_inverse=True)
    count = np.zeros(keys.shape[0], dtype=np.int64)
    np.add.at(count, place.ravel(), rows[:, 3])
    keys, count = keys[count > 0], count[count > 0]
    return Moves(keys[:, 0].copy(), keys[:, 1].copy(), keys[:, 2].copy(), count)


def cheapest_moves(problem: Problem, *, max_increase: int | None = None, knee: int | None = None) -> Moves | None:
    """Return the moves of least cost that make every class k-anonymous, or None: proof that there are none.

    Parameters
    ----------
    problem : Problem
        Classes and fixed vertices.
    max_increase : int, optional
        Bound on the increase of every movable vertex.
    knee : int, optional
        Growth beyond this costs twice as much.
    """
    degrees = problem.degrees
    tables = []
    order = np.argsort(problem.classes, kind="stable")
    ends = np.searchsorted(problem.classes[order], np.arange(problem.class_count + 1))
    for group in range(problem.class_count):
        members = order[ends[group] : ends[group + 1]]
        staying = problem.fixed[members]
        movable = np.sort(degrees[members[~staying]])[::-1]
        targets = cheapest_levels(
            movable,
            degrees[members[staying]],
            problem.k,
            max_increase=max_increase,
            lowering=problem.deletions,
            knee=knee,
        )
        if targets is None:
            return None
        changed = targets != movable
        tables.append(
            np.column_stack(
                (np.full(int(changed.sum()), group), movable[changed], targets[changed], np.ones(int(changed.sum())))
            ).astype(np.int64)
        )
    return merge(np.concatenate(tables) if tables else np.empty((0, 4), dtype=np.int64))


def class_blocks(problem: Problem, moves: Moves) -> Iterator[tuple[int, Ints, Ints]]:
    """Yield for each class how many vertices of each degree stay though they could move, and all that end there."""
    for group in range(problem.class_count):
        members, mine = problem.classes == group, moves.group == group
        size = int(max(problem.degrees[members].max(initial=0), moves.target.max(initial=0))) + 1
        staying = np.bincount(problem.degrees[members & ~problem.fixed], minlength=size)
        np.subtract.at(staying, moves.source[mine], moves.count[mine])
        after = staying + np.bincount(problem.degrees[members & problem.fixed], minlength=size)
        np.add.at(after, moves.target[mine], moves.count[mine])
        yield group, staying, after


def add_moves(problem: Problem, moves: Moves, amount: int) -> Moves | None:
    """Return moves with exactly `amount` more growth that stay k-anonymous, or None where these steps cannot.

    Movable vertices that stay where they are so far are raised to the next degree that their class uses, between
    degrees one apart first, out of large blocks first. A vertex raised by one is one more partner for those that need
    many.

    References
    ----------
    Hartung, Hoffmann, Nichterlein 2014, section 3.2; they call it wasting.
    """
    if amount == 0:
        return moves
    bound = problem.constraints.max_increase
    steps: list[tuple[int, int, int, int, int]] = []
    for group, staying, after in class_blocks(problem, moves):
        for a, b in pairwise(np.flatnonzero(after).tolist()):
            room = min(int(staying[a]), int(after[a]) - problem.k)
            if room > 0 and (bound is None or b - a <= bound):
                steps.append((b - a, -room, group, a, b))
    rows = [moves.rows]
    for step, room, group, a, b in sorted(steps):
        number = min(-room, amount // step)
        if number:
            rows.append(np.array([[group, a, b, number]], dtype=np.int64))
            amount -= number * step
        if amount == 0:
            return merge(np.concatenate(rows))
    return None


def choose_demands(problem: Problem, moves: Moves, rng: Rng) -> Ints:
    """Return by how much the degree of each vertex is to change, shape (n,).

    Where a part of a block moves, vertices are drawn at random, those first that have room for the largest demand of
    the block and the fewest edges to vertices that must change.
    """
    demands = np.zeros(problem.n, dtype=np.int64)
    pools: list[tuple[Ints, Ints]] = []
    order = np.lexsort((problem.degrees, problem.classes))
    keys = problem.block_keys(problem.classes, problem.degrees)[order]
    wanted = problem.block_keys(moves.group, moves.source)
    for key in np.unique(wanted).tolist():
        rows = wanted == key
        changes = np.repeat(moves.target[rows] - moves.source[rows], moves.count[rows])
        changes = changes[np.argsort(-np.abs(changes), kind="stable")]
        block = order[np.searchsorted(keys, key) : np.searchsorted(keys, key, side="right")]
        block = block[~problem.fixed[block]]
        if changes.size == block.size:
            demands[block] = _matched(problem.capacity[block], changes, rng)
        else:
            pools.append((block, changes))
    certain = np.flatnonzero(demands)
    drawn = [
        (np.sort(rng.choice(block, min(block.size, 2 * changes.size + 64), replace=False, shuffle=False)), changes)
        for block, changes in pools
    ]
    conflict = _conflicts(problem, np.concatenate([certain, *(pool for pool, _ in drawn)]), demands)
    for pool, changes in drawn:
        lacking = np.maximum(int(changes.max()) - problem.capacity[pool], 0)
        best = np.lexsort((rng.random(pool.size), conflict[pool], lacking))[: changes.size]
        demands[pool[best]] = _matched(problem.capacity[pool[best]], changes, rng)
    return demands


def _matched(capacity: Ints, changes: Ints, rng: Rng) -> Ints:
    """Return the changes in the order of the vertices: growth to those with the most room, ties at random."""
    result = np.empty_like(changes)
    # room beyond the largest change makes no difference
    room = np.minimum(capacity, int(changes.max(initial=0)))
    result[np.lexsort((rng.random(changes.size), -room))] = np.sort(changes)[::-1]
    return result


def _conflicts(problem: Problem, asked: Ints, demands: Ints) -> Ints:
    """Return for every vertex the demand of vertices that it cannot be joined to; zero where it was not asked."""
    conflict = np.zeros(problem.n, dtype=np.int64)
    asked = np.sort(asked)
    for pairs in (problem.view.edges_among(asked), problem.blocked_among(asked)):
        np.add.at(conflict, pairs[:, 0], demands[pairs[:, 1]])
        np.add.at(conflict, pairs[:, 1], demands[pairs[:, 0]])
    return conflict
