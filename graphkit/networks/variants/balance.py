"""Signed moves that leave the number of edges as near to the original's as the fewest changes of degrees allow."""

from itertools import pairwise

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.variants.demand_moves import Moves, class_blocks, merge
from graphkit.networks.variants.problem import Problem

_SHIFTS = 400

_Option = tuple[int, int, int, int, int, Ints]
"""Extra cost, distance of the new balance from 0, class, degree, step: what is compared; and the rows that change."""


def balanced(problem: Problem, moves: Moves) -> Moves:
    """Return moves of even balance, nearer to 0 where that costs nothing.

    Parameters
    ----------
    problem : Problem
        Classes and fixed vertices.
    moves : Moves
        Moves that make every class k-anonymous.

    Returns
    -------
    Moves
        Still k-anonymous. The balance is odd only where no single step makes it even; it may be so where vertices
        without protection take what is left.

    Notes
    -----
    All vertices that end with one degree can end one higher or lower together, at no cost where that degree lies
    between their two medians; and one vertex can leave a degree that more than k have for the next one in use.
    """
    for _ in range(_SHIFTS):
        distance = abs(moves.balance)
        free = [option for option in _shifts(problem, moves) if option[0] <= 0 and option[1] < distance]
        if not free:
            break
        moves = _applied(moves, min(free, key=lambda option: option[:5]))
    if moves.balance % 2 and problem.helpers.size == 0:
        odd = [option for option in (*_shifts(problem, moves), *_steps(problem, moves)) if option[1] % 2 == 0]
        if odd:
            moves = _applied(moves, min(odd, key=lambda option: option[:5]))
    return moves


def _applied(moves: Moves, option: _Option) -> Moves:
    return merge(np.concatenate((moves.rows, option[5])))


def _levels(problem: Problem, moves: Moves) -> list[tuple[int, int, Ints, int, bool]]:
    """Return class, degree, rows (source, count) of those who end there, their number, and whether some are fixed."""
    found = []
    for group, staying, after in class_blocks(problem, moves):
        for degree in np.flatnonzero(after).tolist():
            here = (moves.group == group) & (moves.target == degree)
            rows = np.column_stack((moves.source[here], moves.count[here]))
            rows = np.concatenate((rows, np.array([[degree, staying[degree]]], dtype=np.int64)))
            rows = rows[rows[:, 1] > 0]
            number = int(after[degree])
            found.append((group, degree, rows, number, number > int(rows[:, 1].sum())))
    return found


def _option(problem: Problem, moves: Moves, group: int, degree: int, step: int, rows: Ints) -> _Option | None:
    """Return the option that those in `rows` end `step` higher, or None where they must not."""
    target, bound = degree + step, problem.constraints.max_increase
    if not 0 <= target < problem.n or (bound is not None and np.any(target - rows[:, 0] > bound)):
        return None
    number = int(rows[:, 1].sum())
    cost = int(((np.abs(target - rows[:, 0]) - np.abs(degree - rows[:, 0])) * rows[:, 1]).sum())
    ones = np.ones(rows.shape[0], dtype=np.int64)
    changed = np.concatenate(
        (
            np.column_stack((ones * group, rows[:, 0], ones * degree, -rows[:, 1])),
            np.column_stack((ones * group, rows[:, 0], ones * target, rows[:, 1])),
        )
    )
    return cost, abs(moves.balance + step * number), group, degree, step, changed


def _shifts(problem: Problem, moves: Moves) -> list[_Option]:
    """Return the options that all vertices of one final degree end one higher or lower."""
    options = [
        _option(problem, moves, group, degree, step, rows)
        for group, degree, rows, _, held in _levels(problem, moves)
        if rows.size and not held
        for step in (1, -1)
    ]
    return [option for option in options if option is not None]


def _steps(problem: Problem, moves: Moves) -> list[_Option]:
    """Return the options that one vertex of a final degree with more than k goes to the next one in use."""
    options = []
    levels = _levels(problem, moves)
    for one, other in pairwise(levels):
        if one[0] != other[0]:
            continue
        for (group, degree, rows, number, _), step in ((one, other[1] - one[1]), (other, one[1] - other[1])):
            if number > problem.k:
                for source in rows[:, 0].tolist():
                    single = np.array([[source, 1]], dtype=np.int64)
                    options.append(_option(problem, moves, group, degree, step, single))
    return [option for option in options if option is not None]
