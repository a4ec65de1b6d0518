"""A lower bound from an integer program: groups, who is in them, and sets of hubs that cannot get what they ask.

What is left open between a good solution and the other bounds is often a few groups and a few hubs; those an integer
program can tell apart.
"""

import math
from collections.abc import Sequence

import numpy as np

from graphkit.arrays import Bools
from graphkit.budget import Budget
from graphkit.effort import SECOND
from graphkit.networks.bounds.diagram.search import GroupDiagram
from graphkit.networks.bounds.programs.groups import choices_of, numbers_of_hubs
from graphkit.networks.bounds.programs.model import FAST, ROOT, HubProgram, edges_of, number_of_columns
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.effort.work import LABEL, SIMPLEX_COLUMNS
from graphkit.networks.graphs.graph_view import GraphView

_CORE = 600
_DEPTH = 48
_LABELS = 40_000
_ROUNDS = 60
_RUNS = 10
_WORK = 250_000_000
# where the linear program is that near the target, branching soon ends; elsewhere only small programs are branched on
_NEAR = 0.97
_FAR_COLUMNS = 3_500
_COLUMNS = 14_000
_MOST_COLUMNS = 21_000
# a linear program of c columns takes about c² steps of the simplex method times columns; this share of the work is for
# the first node of branching
_SHARE = 0.75
_SET_UP = SECOND // 10


def hub_program_bound(
    view: GraphView,
    k: int,
    *,
    target: int,
    known: int = 0,
    violated_sets: Sequence[Bools] = (),
    work: int = _WORK,
    budget: Budget | None = None,
) -> int:
    """Return a number of edges that every k-anonymizing set of new edges reaches, at most `target`.

    Parameters
    ----------
    view : GraphView
        The graph.
    k : int
        Required block size, from 1 to the number of vertices.
    target : int
        Number of edges above which a bound is of no use, such as the size of a known solution. The nearer it is to the
        optimum, the fewer groups are left to choose from.
    known : int, optional
        A bound that is known already.
    violated_sets : sequence of ndarray of bool, optional
        Sets of hubs that were in the way of good sequences, by position; their inequalities are demanded from the
        beginning. Any sets are good for validity; others are found as solutions of the program violate them.
    work : int, optional
        Steps of the simplex method times columns, about, after which the program is given up.
    budget : Budget, optional
        Is charged with the work, and ends the search early: what was proven until then is the answer.

    Returns
    -------
    int
        At least `known`.

    Notes
    -----
    *Setting.* Positions, places and groups as in :mod:`~graphkit.networks.bounds.group_diagram`: S is a solution, D'
    the degrees of G + S, ``d = D' − D``; the vertices by descending D' take places, cut into groups of k to 2k−1 of one
    D' each. H are the first h positions, D_h the least degree among them, N the levels: all degrees that occur.

    *Program.* Binary variables choose groups (begin, end, level in N from D_h up, level at least D at the begin) whose
    ends meet, from the first place to a border b ≥ h; a level for every position before b, as many on each level as its
    groups have places; and a slack s ≥ 0. With ``d_v`` = level − D_v, for every R ⊆ H

    ``Σ_R d_v ≤ 2na(R) + Σ_{H∖R} min(d_v, a_v) + Σ_{h ≤ i < b} (d_i − max(l_i − q_i, 0)) + t(b) − t_q(b) + s``,

    na the number of pairs that are not adjacent, a_v how many of R's members v is not adjacent to, l_i the level of i,
    ``q_h ≥ q_{h+1} ≥ …`` the greatest ``D_v + a_v`` of those outside H, ``t_q(b)`` the least ``Σ max(D'_i − q_i, 0)``
    of the positions from b on in groups, and t(b) that of their demands. Minimize the demands before b, plus t(b),
    plus s.

    *Statement.* 2·size(S) is at least the least value, whichever of the inequalities are demanded.

    *Proof.* S gives a point of the program of value at most 2·size(S). Who is outside H gives R at most ``min(d_v, a_v)
    = d_v − max(D'_v − (D_v + a_v), 0)``. Both are summed only over all of them; the first sum is that of the positions
    in order, and the second, which is convex, is least where the highest D' has the greatest ``D_v + a_v``. So they may
    be taken to be in order. Lower the levels of
    groups from D_h up to the next one in N; those of groups below D_h hold no hub, come last, and so take the
    positions from some b on. Let s be what the lowering takes off the demands, and what the groups from b on cost above
    t(b). The inequality of Erdős and Gallai with the graph holds of S; members of R that were lowered ask less, others
    give at most s₁ less, s₁ being what they were lowered by; and the positions from b on, of demands d, give
    ``Σ d − Σ max(D' − q, 0) ≤ t(b) + s₂ − t_q(b)``, with s₂ = Σ d − t(b). So it holds with s = s₁ + s₂. ∎

    *Whole numbers.* What every whole solution meets is demanded as well, wherever the linear program violates it:
    that a part of a group has places for no more than this part of each vertex
    (:class:`~graphkit.networks.bounds.programs.whole_rows.LevelRows`). Rows are looked for halfway between the
    solutions so far; those that the next one does not reach are removed, and it ends where several rounds raise the
    value little.

    *Left out.* Groups and levels that no value below twice the target allows: by the sums of
    :func:`~graphkit.networks.sequences.position_dp.minimum_raises`, and near the top those that the diagram of groups
    does not follow. All before a group end no lower than it, and outside H they end in order: both cost the more, the
    lower the degrees between are. Blocks that reach below the core are truncated to 5k, as no group of a level from D_h
    up ends there; where one could, nothing is returned beyond what is known. Of two vertices that the inequalities do
    not tell apart (equal degrees, and equal neighbours as far as they are known or both outside H) the first is
    demanded to end no lower.

    *Rounding.* HiGHS computes in floating point. All numbers of the program are integers, and every inequality is
    demanded with 1/100 to spare, a hundred times the solver's tolerance and more; the value is rounded up only from
    1/20 on. That is no proof in exact arithmetic, unlike the other bounds.

    *Size.* H ends where the degrees fall most, as they do behind a near-clique: a group that holds hubs can hardly
    reach behind such a place, so the program of a whole near-clique is often smaller than that of a part of it with a
    few others. Of these places that one is taken with most hubs whose program the work allows for.

    The linear program is solved first, with sets that it violates, and what its reduced costs exclude is left out. Sets
    that its solution does not reach are set aside before it is branched on, until a solution violates them.
    Without a time limit the answer depends on the input and `work` alone.

    References
    ----------
    Hartung, Hoffmann, Nichterlein 2014, section 3.2, for the inequality; Dantzig, Fulkerson, Johnson, Solution of a
    large-scale traveling-salesman problem, 1954, for demanding it only where it is violated.

    Examples
    --------
    >>> from graphkit.networks.graphs.interchange import as_view
    >>> clique = [(i, j) for i in range(5) for j in range(i)]
    >>> leaves = [(0, 5), (0, 6), (1, 7), (2, 8)]
    >>> hub_program_bound(as_view(clique + leaves), k=3, target=9)  # nothing can be joined inside the clique
    3
    """
    return ask_hub_program(view, k, target, known, violated_sets, work, budget or Budget())[0]


def ask_hub_program(
    view: GraphView, k: int, target: int, known: int, violated_sets: Sequence[Bools], work: int, budget: Budget
) -> tuple[int, bool]:
    """Return :func:`hub_program_bound`, and whether more work may prove more."""
    positions = Positions.of(view, k, _CORE)
    if positions.core.size < max(k, 2) or target <= known:
        return known, False
    most = 2 * target - 2
    columns = min(_MOST_COLUMNS, int(math.sqrt((1 - _SHARE) * FAST * work)), int(math.cbrt(_SHARE * ROOT * work)))
    program, is_last = _largest_program(positions, most, columns)
    if program is None:
        budget.charge(_SET_UP)
        return known, not is_last
    for members in violated_sets:
        if not members[program.hubs :].any():
            program.cut(np.pad(members[: program.hubs], (0, max(0, program.hubs - members.size))))
    value = program.relaxed(most, _ROUNDS, work, budget)
    if value <= most and program.open <= _COLUMNS:
        # what the diagram does not follow takes a while to tell
        labels = min(_LABELS, 1 + work // (2 * SIMPLEX_COLUMNS * LABEL))
        diagram = GroupDiagram(positions, labels)
        followed = diagram.groups(most + 1, min(_DEPTH, positions.core.size), budget)
        choices = choices_of(positions, program.hubs, most, followed)
        if choices is not None:
            sharper = HubProgram(positions, program.hubs, *choices)
            for members in program.sets:
                sharper.cut(members)
            sharper.work = program.work
            program = sharper
            value = program.relaxed(most, _ROUNDS, work, budget)
        budget.charge(diagram.set_up + (labels - diagram.work) * LABEL)
    known = max(known, min(edges_of(value), target))
    if program.open > (_COLUMNS if value >= _NEAR * most else _FAR_COLUMNS):
        budget.charge(_SET_UP + program.work // SIMPLEX_COLUMNS)
        return known, program.work >= work or not is_last
    program.set_aside()
    program.within(2 * known, most)
    is_open = True
    for _ in range(_RUNS):
        if known >= target or budget.is_spent() or not program.can_branch(work):
            break
        value, is_new, is_cut = program.integral(work, budget)
        is_open = is_new or is_cut
        known = max(known, min(edges_of(value), target))
        if not is_new:
            break
    else:
        # so many runs are enough, whatever work is left
        is_open = False
    budget.charge(_SET_UP + program.work // SIMPLEX_COLUMNS)
    return known, known < target and (is_open or program.work >= work or not is_last)


def _largest_program(positions: Positions, most: int, columns: int) -> tuple[HubProgram | None, bool]:
    """Return the program of most hubs that has no more than so many columns, and whether none has more hubs at all."""
    is_last = True
    for hubs in numbers_of_hubs(positions):
        choices = choices_of(positions, hubs, most)
        size = math.inf if choices is None else number_of_columns(positions, hubs, *choices[1:])
        if choices is not None and size <= columns:
            return HubProgram(positions, hubs, *choices), is_last
        # with more work, this one
        is_last &= size > _MOST_COLUMNS
    return None, is_last
