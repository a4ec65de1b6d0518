"""Small graphs: sets of edges near the linear program, each found by an integer program of few columns."""

import highspy
import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.budget import Budget
from graphkit.effort import SECOND
from graphkit.networks.bounds.programs.edge_model import work_in
from graphkit.networks.bounds.programs.edge_relaxation import ROUNDING, UNKNOWN, UNUSED, USED, EdgeRelaxation, Relaxed
from graphkit.networks.bounds.programs.solving import probe_few, run_rounds, use_heuristics
from graphkit.solver import limit_columns

ROUNDS_NEAR = 40
"""Rounds of cuts of a look."""
# so many degrees from where the linear program has it everybody may end
_MOVES = (0, 1, 2, 3, 4, 6, 8)
# units of a column that is read
_READ = 1
_ENDED = (highspy.HighsModelStatus.kInfeasible, highspy.HighsModelStatus.kOptimal)
# a level that is used or unused but for that is taken for it, and units of each linear program
_NEARLY, _WORK = 0.2, 3 * SECOND


def look_near(relaxation: EdgeRelaxation, possible: Floats, after: Ints, size: int, budget: Budget) -> Ints | None:
    """Return a set near the solution of the linear program that was solved last, as near as there may be one.

    Parameters
    ----------
    relaxation : EdgeRelaxation
        Its work is added to.
    possible : ndarray of float64
        The largest value of each column.
    after : ndarray of int64
        Where that solution has each position.
    size : int
        Sets of as many edges are of no use.
    budget : Budget
        Its time ends it.

    Returns
    -------
    ndarray of int64, shape (m, 2), or None
        Fewer edges than `size` that make the graph k-anonymous.

    Notes
    -----
    Everybody may end 0, 1, 2, 3, 4, 6 or 8 degrees from there: each of these is solved, within rounds of cuts, until a
    wider one has no smaller set or two of them take too long. Sets may have more edges than the linear program is
    about, but fewer than `size`: 400 vertices, 97 % of all pairs adjacent, k = 40: near the linear program of fewer
    than 166 edges there is a set of 166, found in two seconds; 185 were known after five.

    References
    ----------
    Fischetti, Lodi, Local branching, 2003; Danna, Rothberg, Le Pape, Exploring relaxation induced neighborhoods to
    improve MIP solutions, 2005, for neighbourhoods of linear programs.
    """
    solver = relaxation.integer_program()
    use_heuristics(solver, are_used=True)
    edges, rounds, was_cut = None, ROUNDS_NEAR, False
    for moves in _MOVES:
        relaxation.demand(solver, size)
        most = possible * relaxation.near(after, moves)
        limit_columns(solver, most)
        probe_few(solver, int(most.sum()))
        calls = run_rounds(solver, rounds, budget)
        relaxation.work += relaxation.columns * _READ + work_in(solver)
        found = relaxation.edges_of(solver, size)
        if found is not None:
            # what is wider is harder: it has as long as that took
            edges, size, rounds = found, int(found.shape[0]), calls
        is_cut = solver.getModelStatus() not in _ENDED
        if budget.is_spent() or (found is None and edges is not None) or (is_cut and was_cut):
            break
        was_cut |= is_cut
    return edges


def dive(relaxation: EdgeRelaxation, relaxed: Relaxed, size: int, budget: Budget) -> Ints | None:
    """Return a set that uses the levels of a linear program, or nearly those.

    Parameters
    ----------
    relaxation : EdgeRelaxation
        Its work is added to.
    relaxed : Relaxed
        What its linear program says, with nothing said of any level.
    size : int
        Sets of as many edges are of no use.
    budget : Budget
        Its time ends it.

    Returns
    -------
    ndarray of int64, shape (m, 2), or None
        Fewer edges than `size` that make the graph k-anonymous.

    Notes
    -----
    Levels that are nearly used are used, those that are nearly unused are not, one at least of those in between; then
    the linear program is solved again, until all are decided, and looked near: one to five linear programs, where
    branching takes ten to thirty.

    References
    ----------
    Berthold, Primal heuristics for mixed integer programs, 2006, for dives.
    """
    relaxation.aim_at(size)
    levels = np.full(relaxation.number_of_levels, UNKNOWN)
    found: Relaxed | None = relaxed
    while found is not None and found.level is not None and found.used is not None:
        levels = _rounded(levels, found.used)
        found = relaxation.solved(levels, found.most, relaxation.work + _WORK, budget)
    if found is None or found.after is None or relaxation.is_over(found.value):
        return None
    return look_near(relaxation, found.most, found.after, size, budget)


def _rounded(levels: Ints, used: Floats) -> Ints:
    """Say of each level of which a linear program is nearly sure, one at least, what it says."""
    levels = levels.copy()
    between = np.minimum(used, 1 - used)
    is_open = (levels == UNKNOWN) & (between > ROUNDING)
    nearly = is_open & (between <= max(_NEARLY, between[is_open].min()))
    levels[nearly] = np.where(used[nearly] > 0.5, USED, UNUSED)
    return levels
